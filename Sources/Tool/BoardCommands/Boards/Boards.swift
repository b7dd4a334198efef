// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Boards
import ChipCatalog
import Foundation
import Otolith

package struct Boards: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "boards",
    abstract: "Write a board file, check one, list and draw them.",
    discussion: """
      A board file says what is wired to what: buses, chips, interrupts, rates. `new` writes one \
      for what is found on this machine, `check` tells every mistake, `wiring` shows which wire \
      goes where. docs/reference/boards.md shows the boards that come with otolith, docs/reference/board-files.md \
      every key.
      """,
    subcommands: [ListBoards.self, NewBoard.self, CheckBoards.self, ShowWiring.self])

  /// Loads the board at `path`, or the embedded one of that name, for showing it: unsupported chips
  /// are no error.
  static func shown(_ path: String) throws -> Board {
    do throws(BoardErrors) {
      return try BoardFile.load(
        path: path, catalogue: ChipCatalog.descriptions, drivenOnly: false)
    } catch { throw Failure(error) }
  }

  /// Returns the common name for a kind of chip: `MPU-6050`.
  static func title(of chip: ChipPlacement) -> String {
    ChipCatalog.entry(named: chip.chip)?.description.title
      ?? KnownChips.chip(named: chip.chip)?.title ?? chip.chip
  }
}
