// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import ArgumentParser
import Foundation
import History
import Otolith

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Show, export or erase the stored steps, distance, floors and activities.",
    discussion: """
      The history is stored in $XDG_STATE_HOME/otolith, else in ~/.local/state/otolith; for root \
      in /var/lib/otolith. The history of a service belongs to the service's user: sudo otolith \
      history show.
      """,
    subcommands: [Show.self, Export.self, Erase.self])
}

struct HistoryOptions: ParsableArguments {
  @Flag(help: "Use the history of simulated boards and recordings instead.")
  var simulated = false

  var movement: MovementStore {
    get throws { MovementStore(folder: try root() + "/movement" + suffix) }
  }

  var acceleration: SampleStore {
    get throws { SampleStore(folder: try root() + "/acceleration" + suffix) }
  }

  private var suffix: String { simulated ? "-simulated" : "" }

  private func root() throws -> String {
    do throws(HistoryError) { return try HistoryPlace.folder() } catch { throw Failure(error) }
  }

  /// Prints where to find other histories. Called if this history is empty, because the user may
  /// have meant one of those.
  func hint() {
    guard !simulated, let root = try? root() else { return }
    if FileManager.default.fileExists(atPath: root + "/movement-simulated") {
      Terminal.complain("the history of simulated boards: otolith history show --simulated")
    }
    let served = "/var/lib/otolith"
    if root != served, FileManager.default.fileExists(atPath: served) {
      Terminal.complain("the history of a service: sudo otolith history show")
    }
  }
}

extension Failure {
  init(_ error: HistoryError) {
    let status =
      switch error.kind {
      case .denied: Self.noPermission
      case .noPlace: Self.configuration
      case .noSpace, .inUse, .failed: Self.inputOutput
      }
    self.init(error.description, status)
  }
}
