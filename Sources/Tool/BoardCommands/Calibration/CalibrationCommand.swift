// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import Boards

/// A calibration that can be guided by a terminal, by the page of `otolith serve`, or as one of
/// `otolith calibrate all`.
package protocol CalibrationCommand: ParsableCommand {
  /// Measures on `board`, or on the board in the options, without writing the result.
  func measure(
    _ guide: any Guide, on board: Board?
  ) throws -> (CalibrationTask, CalibrationOutcome)
}

extension CalibrationCommand {
  func measure(_ guide: any Guide) throws -> (CalibrationTask, CalibrationOutcome) {
    try measure(guide, on: nil)
  }

  package func run() throws {
    let (task, outcome) = try measure(TerminalGuide())
    try task.finish(outcome)
  }
}
