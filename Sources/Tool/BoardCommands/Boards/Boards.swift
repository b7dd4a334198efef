// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import ArgumentParser
import Boards
import ChipCatalog
import Foundation
import Otolith

package struct Boards: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "boards",
    abstract: "Write, check, list and draw board files.",
    discussion: """
      A board file describes a board: buses, chips, interrupt lines, rates. `new` writes one for \
      the chips on this machine, `check` reports all errors, `wiring` shows the connections. \
      docs/reference/boards.md shows the built-in boards, docs/reference/board-files.md all keys.
      """,
    subcommands: [ListBoards.self, NewBoard.self, CheckBoards.self, ShowWiring.self])

  /// Loads the board at `path`, or the embedded board of that name, in order to show it.
  /// Unsupported chips are not an error here.
  static func shown(_ path: String) throws -> Board {
    do throws(BoardErrors) {
      return try BoardFile.load(
        path: path, catalogue: ChipCatalog.descriptions, drivenOnly: false)
    } catch { throw Failure(error) }
  }

  /// Returns the common name of a chip's kind, such as `MPU-6050`.
  static func title(of chip: ChipPlacement) -> String {
    chip.sheet?.title
      ?? KnownChips.chip(named: chip.chip)?.title ?? chip.chip
  }
}
