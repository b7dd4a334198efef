// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import Simulation
import ArgumentParser
import Boards
import Foundation
import Otolith
import Fusion
import Sensors

struct CalibrateGyroscopeScale: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gyroscope-scale",
    abstract: "Calibrate the gyroscope's scale and misalignment from whole turns on a table.",
    discussion: """
      Calibrate the accelerometer first. Lay the board on one side, against a ruler, and leave it \
      for three seconds; turn it flat on the table by about five whole revolutions, back against \
      the ruler, and leave it for three seconds. Repeat this on two other sides, so that the three \
      axes of rotation are at right angles.
      """)

  @OptionGroup var options: CalibrationOptions

  @Option(
    parsing: .unconditional, help: "The number of turns, about at least three axes. (default: 3)",
    transform: NumberForm.whole("a whole number of turns", 3...100, example: 3))
  var turns = 3

  @Option(
    parsing: .unconditional, help: "The timeout in seconds. (default: 300.0)",
    transform: NumberForm.seconds(example: 300))
  var timeout = 300.0

  private struct Result: Encodable {
    var chip: String
    var turns: Int
    var matrix: [[Double]]
    var residualRad: Double
  }

  func run() throws {
    let task = try CalibrationTask(options, .rotationRate, "gyroscope")
    let before = task.errors
    guard before.accelerationOffset != .zero || before.accelerationMatrix != .identity else {
      throw Failure(
        "the accelerometer of \(task.chip.name) is needed for the vertical: run 'otolith calibrate "
          + "accelerometer' first", Failure.usage)
    }
    var onlyForce = ChipCalibration()
    onlyForce.accelerationOffset = before.accelerationOffset
    onlyForce.accelerationMatrix = before.accelerationMatrix
    let correction = ChipCorrection(onlyForce)
    var collected = GyroScaleFit()
    let source = CalibrationSource(
      task: task, guide: TerminalGuide(), patience: timeout, asked: .still)
    _ = try source.moments { moment in
      guard moment.other == nil else { return true }
      let reading = correction.corrected(moment.reading)
      let seconds = moment.seconds
      let verdict = collected.add(
        specificForce: reading.measuredForce, rotationRate: reading.measuredRate, at: moment.time)
      switch verdict {
      case .taken(let revolutions, _)?:
        Terminal.complain(
          "turn \(collected.count) at \(Int(seconds)) s: \(revolutions) revolutions")
      case .notWhole(let revolutions)?:
        let text = String(format: "%.2f", revolutions)
        Terminal.complain("not used: \(text) revolutions at \(Int(seconds)) s")
      case .tilted?: Terminal.complain("not used: it was not turned flat at \(Int(seconds)) s")
      case nil: break
      }
      return !(collected.count >= turns && collected.fit != nil)
    }
    guard let fit = collected.fit else {
      throw Failure(
        "\(collected.count) turns, but not about three axes at right angles, or with errors too "
          + "large for a working chip; nothing was written", Failure.badData)
    }
    try task.finish(
      CalibrationOutcome(
        lines: [task.title("gyroscope") + ": \(collected.count) turns, chip axes x y z"]
          + CalibrationTask.rows("matrix", fit.matrix) + [
            String(format: "turns are off by %.2f deg after (RMS)", fit.residual * 180 / .pi)
          ],
        json: Result(
          chip: task.chip.name, turns: collected.count,
          matrix: fit.matrix.rows.map(\.components), residualRad: fit.residual),
        changes: [.init(task.chip) { $0.errors.gyroMatrix = fit.matrix }]))
  }
}
