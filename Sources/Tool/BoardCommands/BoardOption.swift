// SPDX-License-Identifier: Apache-2.0
import SourceReading
import CommandOutput
package import ArgumentParser
import Boards
import ChipCatalog
import Otolith
import MotionSources
import Text

/// The option `--board`, for commands that do not take the board as an argument.
package struct BoardOption: ParsableArguments {
  package init() {}

  @Option(
    name: [.customShort("b"), .customLong("board")],
    help: "The board file, a trace, or the name of a built-in board.", completion: .boards)
  var path: String?

  @OptionGroup(title: "Simulation") var simulation: SimulationOptions

  func select() throws(Failure) -> BoardSelection { try simulation.select(path) }

  func load() throws(Failure) -> Board? { try simulation.load(path) }
}

extension BoardOption {
  /// Returns true if `word` is the name of an embedded board, or looks like the name of a board
  /// file.
  package static func isBoard(_ word: String) -> Bool {
    ShippedBoard.named(word) != nil || word.hasSuffix(".yaml") || word.hasSuffix(".trace")
  }
}

/// The board of a command, named by an argument or by `--board`.
package struct BoardName: ParsableArguments {
  package init() {}

  @Argument(
    help: "The board file, a trace, or the name of a built-in board; the same as --board.",
    completion: .boards)
  package var board: String?

  @Option(
    name: [.customShort("b"), .customLong("board")],
    help: ArgumentHelp("The board.", valueName: "board"), completion: .boards)
  var option: String?

  package func validate() throws {
    if let board, let option, board != option {
      throw ValidationError("two boards, \(board) and --board \(option): name one")
    }
  }

  /// The path or embedded name of the board; `nil` if none is given.
  var path: String? { board ?? option }
}

/// The board of a command that runs the board, with the simulation options.
package struct BoardOptions: ParsableArguments {
  package init() {}

  @OptionGroup package var name: BoardName

  @OptionGroup(title: "Simulation") package var simulation: SimulationOptions

  package var path: String? { name.path }

  func select(
    moving motion: SimulationDescription.Motion = .sway
  ) throws(Failure) -> BoardSelection {
    try simulation.select(path, moving: motion)
  }

  func load() throws(Failure) -> Board? { try simulation.load(path) }
}

extension SimulationOptions {
  /// Returns the board at `path`, otherwise this machine's board, with the requested simulation.
  /// Throws if there is neither. The embedded simulated board is no substitute, because its results
  /// would look like results from hardware.
  fileprivate func select(
    _ path: String?, moving motion: SimulationDescription.Motion = .sway
  ) throws(Failure) -> BoardSelection {
    var selection: BoardSelection
    do throws(BoardErrors) { selection = try BoardSelection.choose(path: path) } catch {
      throw Failure(error)
    }
    if selection.reason == .nothingElse, isEmpty {
      for remark in selection.remarks { Terminal.complain(remark) }
      throw Failure.noSensor
    }
    try apply(to: &selection, moving: motion)
    return selection
  }

  /// Returns the board at `path` with the requested simulation; `nil` if `path` is `nil`.
  fileprivate func load(_ path: String?) throws(Failure) -> Board? {
    guard let path else {
      guard isEmpty else {
        throw Failure(
          "--simulate, --hold and --fault need a board: name it with --board", Failure.usage)
      }
      return nil
    }
    var board: Board
    do throws(BoardErrors) {
      board = try BoardFile.load(path: path, catalogue: ChipCatalog.descriptions)
    } catch { throw Failure(error) }
    try apply(to: &board)
    return board
  }
}

extension BoardSelection {
  /// Prints on standard error the chosen board and the reason for the choice.
  func announce() {
    Terminal.complain("board: \(sentence)")
    for remark in remarks + board.notes { Terminal.complain(remark) }
  }
}

extension Board {
  /// Prints a notice if the board is simulated: on standard output, or on standard error with
  /// `onErrors`, if only programs read standard output.
  func sayNotice(onErrors: Bool = false) {
    guard let notice else { return }
    if onErrors { Terminal.complain(notice) } else { Terminal.say(Terminal.emphasis(notice)) }
  }
}
