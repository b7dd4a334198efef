// SPDX-License-Identifier: Apache-2.0
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
    abstract: "The gyroscope's scale and misalignment, from whole turns on a table.",
    discussion: """
      Calibrate the accelerometer first. Lay the board on a side, against a ruler; leave it for \
      three seconds; turn it flat on the table by whole revolutions, five or so, back against the \
      ruler; leave it for three seconds. The same on two other sides, three at right angles in all.
      """)

  @OptionGroup var options: CalibrationOptions

  @Option(
    parsing: .unconditional, help: "Turns, about three directions at least. (default: 3)",
    transform: NumberForm.whole("a whole number of turns", 3...100, example: 3))
  var turns = 3

  @Option(
    parsing: .unconditional, help: "Give up after so many seconds. (default: 300.0)",
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
        "the accelerometer of \(task.chip.name) has to say what is vertical: run "
          + "'otolith calibrate accelerometer' first", Failure.usage)
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
        Terminal.complain("not taken: \(text) revolutions at \(Int(seconds)) s")
      case .tilted?: Terminal.complain("not taken: it was not turned flat at \(Int(seconds)) s")
      case nil: break
      }
      return !(collected.count >= turns && collected.fit != nil)
    }
    guard let fit = collected.fit else {
      throw Failure(
        "\(collected.count) turns, and not about three directions at right angles, or off by more "
          + "than a working chip; nothing was written", Failure.badData)
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
