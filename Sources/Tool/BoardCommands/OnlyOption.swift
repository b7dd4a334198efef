// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
package import Boards
package import CommandOutput
import MotionSources

/// The option that restricts motion to some of several chips that measure the same quantity.
package struct OnlyOption: ParsableArguments {
  @Option(
    name: .customLong("only"),
    help: ArgumentHelp(
      "Of chips that measure the same use this one alone. Can be repeated.", valueName: "chip"))
  var names: [String] = []

  package init() {}

  /// The names of the chips, as given.
  package var chips: [String] { names }

  /// True if the option is not given.
  package var isEmpty: Bool { names.isEmpty }

  /// Applies the option to `board`. Returns the names of the chips in the board file.
  @discardableResult
  package func apply(to board: inout Board) throws(Failure) -> [String] {
    guard !isEmpty else { return [] }
    var chosen: [String] = []
    for name in names { chosen.append(try board.chip(named: name).name) }
    board.use(only: chosen)
    return chosen
  }
}
