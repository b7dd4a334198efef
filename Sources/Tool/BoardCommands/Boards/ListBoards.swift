// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import ArgumentParser
import Boards
import ChipCatalog
import Foundation
import Otolith

struct ListBoards: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List boards, and show which one programs on this machine use.",
    discussion: """
      Without an argument it lists the folder 'boards', or the built-in boards if there is no such \
      folder. The name of a built-in board can be used in place of a board file, as in 'otolith \
      boards wiring raspberry-pi-gy521'.
      """)

  @Argument(
    help: ArgumentHelp("The folder. (default: boards)", valueName: "folder"),
    completion: .directory)
  var named: String?

  @Flag(help: "Print one JSON object.")
  var json = false

  struct Row: Encodable {
    enum State: String, Encodable {
      case good
      case notSupported
      case wrong
    }

    /// The path of the board, or the name of an embedded board.
    var board: String
    var state: State
    var name: String?
    var chips: [String] = []
    /// The names of chips that otolith knows but does not support.
    var notSupported: [String] = []
    var errors: [String] = []

    init(_ board: String) {
      self.board = board
      do throws(BoardErrors) {
        let read = try BoardFile.load(path: board, catalogue: ChipCatalog.descriptions)
        state = .good
        name = read.name
        chips = read.chips.map(Boards.title)
      } catch {
        errors = error.errors.map(\.description)
        notSupported = error.unsupportedChips ?? []
        state = notSupported.isEmpty ? .wrong : .notSupported
        let shown = try? BoardFile.load(
          path: board, catalogue: ChipCatalog.descriptions, drivenOnly: false)
        name = shown?.name
        chips = shown?.chips.map(Boards.title) ?? []
      }
    }

    var line: String {
      switch state {
      case .good: "\(board): \(name ?? "") (\(chips.joined(separator: ", ")))"
      case .notSupported:
        "\(board): \(name ?? ""), not supported yet: \(notSupported.joined(separator: ", "))"
      case .wrong:
        "\(board): \(errors.count) error\(errors.count == 1 ? "" : "s"); "
          + "see: otolith boards check \(board)"
      }
    }
  }

  func run() throws {
    let rows = try boards().map(Row.init)
    let inUse: String
    do throws(SessionError) { inUse = try SourceSelection.choose().sentence } catch {
      throw Failure(error)
    }
    if json {
      struct List: Encodable {
        var boards: [Row]
        var inUse: String
      }
      return try Terminal.say(json: List(boards: rows, inUse: inUse))
    }
    for row in rows { Terminal.say(row.line) }
    Terminal.say("in use here: \(inUse)")
  }

  /// Returns the paths of the board files, or the names of the embedded boards.
  private func boards() throws -> [String] {
    let folder = named ?? "boards"
    var isFolder: ObjCBool = false
    // `fileExists` writes the flag only during the call.
    let isThere = unsafe FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder)
    if isThere, !isFolder.boolValue {
      throw Failure(
        "\(folder): is not a folder; to check a file: otolith boards check", Failure.noInput)
    }
    guard isThere else {
      if named != nil { throw Failure("\(folder): no such folder", Failure.noInput) }
      Terminal.complain(
        "no folder 'boards' here: these are built in; for another folder: otolith boards list "
          + "FOLDER"
      )
      return ShippedBoard.all.map(\.name)
    }
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
      throw Failure("\(folder): cannot be read", Failure.noInput)
    }
    let files = names.filter { $0.hasSuffix(".yaml") }.sorted()
    if files.isEmpty { Terminal.complain("\(folder): holds no board file (*.yaml)") }
    return files.map { folder + (folder.hasSuffix("/") ? "" : "/") + $0 }
  }
}
