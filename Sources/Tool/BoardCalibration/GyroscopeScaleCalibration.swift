// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import Simulation
package import Boards
import Foundation
import Otolith
import Fusion
import Sensors

/// A calibration of a gyroscope's scale and misalignment, from whole turns on a table.
package struct GyroscopeScaleCalibration: GuidedCalibration {
  private let request: CalibrationRequest
  /// The number of turns, about at least three axes.
  package var turns = 3
  /// The timeout in seconds.
  package var timeout = 300.0

  package init(_ request: CalibrationRequest = CalibrationRequest()) { self.request = request }

  private struct Result: Encodable {
    var chip: String
    var turns: Int
    var matrix: [[Double]]
    var residualRad: Double
  }

  package func measure(
    _ guide: any Guide, on board: Board
  ) throws -> (CalibrationTask, CalibrationOutcome) {
    let task = try CalibrationTask(request, .rotationRate, "gyroscope", on: board)
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
      task: task, guide: guide, timeout: timeout, asked: .still)
    _ = try source.moments { moment in
      guard moment.other == nil else { return true }
      let reading = correction.corrected(moment.reading)
      let seconds = moment.seconds
      let verdict = collected.add(
        specificForce: reading.measuredForce, rotationRate: reading.measuredRate, at: moment.time)
      switch verdict {
      case .taken(let revolutions, _)?:
        guide.say(
          "turn \(collected.count) at \(Int(seconds)) s: \(revolutions) revolutions")
      case .notWhole(let revolutions)?:
        let text = String(format: "%.2f", revolutions)
        guide.say("not used: \(text) revolutions at \(Int(seconds)) s")
      case .tilted?: guide.say("not used: it was not turned flat at \(Int(seconds)) s")
      case nil: break
      }
      return !(collected.count >= turns && collected.fit != nil)
    }
    guard let fit = collected.fit else {
      throw Failure(
        "\(collected.count) turns, but not about three axes at right angles, or with errors too "
          + "large for a working chip; nothing was written", Failure.badData)
    }
    let outcome = CalibrationOutcome(
      lines: [task.title("gyroscope") + ": \(collected.count) turns, chip axes x y z"]
        + CalibrationTask.rows("matrix", fit.matrix) + [
          String(format: "turns are off by %.2f deg after (RMS)", fit.residual * 180 / .pi)
        ],
      json: Result(
        chip: task.chip.name, turns: collected.count,
        matrix: fit.matrix.rows.map(\.components), residualRad: fit.residual),
      changes: [.init(task.chip) { $0.errors.gyroMatrix = fit.matrix }])
    return (task, outcome)
  }
}
