// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BoardCalibration

/// A calibration that can be guided by a terminal, by the page of `otolith serve`, or as one step
/// of `otolith calibrate all`.
protocol CalibrationCommand: ParsableCommand {
  var options: CalibrationOptions { get }
  var calibration: any GuidedCalibration { get }
}

extension CalibrationCommand {
  package func run() throws {
    let board = try options.choose()
    let (task, outcome) = try calibration.measure(TerminalGuide(), on: board)
    try options.finish(task, outcome)
  }
}
