// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Otolith
import Recordings

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show a board's live motion.",
    discussion: """
      The board comes from --board, else of the otolith service where one runs, else \
      $OTOLITH_BOARD, else /etc/otolith/board.yaml, else what is detected, else the simulated \
      board; the first line says which and why. With $OTOLITH_SOCKET set to nothing no service is \
      asked. Ctrl-C ends it, with the chips asleep.
      """)

  @Option(help: "The board file.")
  var board: String?

  @Option(help: "table (a view that stays in place), csv, or jsonl: one JSON object a line.")
  var format = LiveFormat.table

  @Option(help: "End after so many seconds of data.")
  var duration: Double?

  @Option(help: "The frame that attitude is given in.")
  var referenceFrame = FrameOption.xArbitraryZVertical

  @OptionGroup(title: "Of a simulated board") var simulation: SimulationOptions

  func validate() throws {
    if let duration, !(duration > 0 && duration.isFinite) {
      throw ValidationError("--duration is a number of seconds above 0")
    }
  }

  func run() throws {
    let source = try choose()
    if referenceFrame != .xArbitraryZVertical, !source.channels.contains(.magneticField) {
      throw Failure(
        "--reference-frame \(referenceFrame.rawValue) needs a magnetometer, and \(source.place) has none",
        Failure.usage)
    }
    if referenceFrame == .xTrueNorthZVertical {
      guard let trueNorth = source.trueNorth else {
        throw Failure(
          "true north needs a location in \(source.place): "
            + "'location: { latitude-deg: ..., longitude-deg: ... }', or 'declination-deg' in it",
          Failure.configuration)
      }
      Terminal.complain("true north: \(trueNorth.sentence)")
    }
    let view = LiveView(
      source, format, referenceFrame, declination: source.declination ?? 0)
    // From here on Ctrl-C and a service manager's stop end the loop, and the chips go to sleep.
    let signals = EndSignals { view.stop() }
    // A reader that goes away (`| head`) is an end like any other.
    signal(SIGPIPE, SIG_IGN)
    defer { signals.cancel() }
    do throws(SessionError) { try source.start() } catch { throw Failure(error) }
    let outcome = view.follow(for: duration)
    source.stop()
    Terminal.complain(
      Terminal.startOfLine + view.summary)
    if let outcome { throw outcome }
  }

  /// Says which board it is, and why.
  private func choose() throws -> any MotionSource {
    var selection: SourceSelection
    do throws(SessionError) { selection = try select() } catch { throw Failure(error) }
    Terminal.complain("board: \(selection.sentence)")
    for remark in selection.remarks { Terminal.complain(remark) }
    switch selection {
    case .board(var board):
      try simulation.apply(to: &board.board)
      selection = .board(board)
    case .service(_, let place):
      guard simulation.isEmpty else {
        throw Failure(
          "--hold and --fault change a board of this process, and the otolith service at "
            + "\(place.path) has this one: name a board with --board", Failure.usage)
      }
    }
    return selection.makeSource()
  }

  private func select() throws(SessionError) -> SourceSelection {
    guard let board else { return try SourceSelection.choose() }
    do throws(BoardErrors) { return .board(try BoardSelection.choose(path: board)) } catch {
      throw .board(error)
    }
  }
}

extension MotionSource {
  /// What a line about it names: the file where it is a board of this process.
  var place: String { (self as? BoardSession)?.board.file ?? name }
}

/// How live motion is shown.
enum LiveFormat: String, CaseIterable, ExpressibleByArgument {
  case table
  case csv
  case jsonl
}
