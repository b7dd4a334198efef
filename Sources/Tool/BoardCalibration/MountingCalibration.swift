// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import Simulation
package import Boards
import Foundation
import Otolith
import Fusion
import Sensors

/// A calibration of the chips' orientation in the device, from three gestures.
package struct MountingCalibration: GuidedCalibration {
  private let request: CalibrationRequest
  /// True to use the measured orientation, even if it is close to right angles.
  package var asMeasured = false
  /// The timeout in seconds.
  package var timeout = 120.0

  package init(_ request: CalibrationRequest = CalibrationRequest()) { self.request = request }

  /// The largest permitted angle between a gesture and the requested direction, in radians.
  private static let care = 30 * Double.pi / 180

  private struct Result: Encodable {
    var chip: String
    var mounting: [[Double]]
    var isSquare: Bool
    var offSquareDeg: Double
    var tiltDeg: Double
    var changeDeg: Double
    var magnetometers: [Magnetometer]

    struct Magnetometer: Encodable {
      var chip: String
      /// The mounting matrix; omitted if the rotations did not determine it.
      var mounting: [[Double]]?
      var changeDeg: Double?
      var margin: Double?
    }
  }

  package func measure(
    _ guide: any Guide, on board: Board
  ) throws -> (CalibrationTask, CalibrationOutcome) {
    let task = try CalibrationTask(request, .acceleration, "accelerometer", on: board)
    if let reference = task.chip.alignment?.reference {
      throw Failure(
        "\(task.chip.name) is aligned to \(reference), whose mounting it follows: calibrate that of "
          + "\(reference)", Failure.usage)
    }
    let compasses = task.board.chips.filter {
      $0.name != task.chip.name && $0.measures(.magneticField)
    }
    var follower = MountingFollower(task, compasses: compasses.count, guide: guide)
    let source = CalibrationSource(
      task: task, guide: guide, others: compasses, timeout: timeout, asked: .gestures)
    if request.recording == nil { guide.say(follower.sentence) }
    _ = try source.moments { follower.take($0) }
    guide.clear()
    guard follower.isDone, let fit = follower.fit else {
      throw Failure(
        "the gestures were not recognised; the next was: \(follower.sentence); nothing was written",
        Failure.badData)
    }
    return (task, outcome(task, fit, compasses, follower.alignments.map(\.fit)))
  }

  private func outcome(
    _ task: CalibrationTask, _ fit: MountingFit, _ compasses: [ChipPlacement],
    _ alignments: [FieldAlignment.Fit?]
  ) -> CalibrationOutcome {
    let isSquare = !asMeasured && fit.offSquare <= Self.care
    let mounting = Mounting(isSquare ? fit.square : fit.matrix)
    let change = Self.change(task.chip, mounting)
    var outcome = CalibrationOutcome(
      lines: [
        "mounting of \(task.chip.name), \(task.chip.chip): \(mounting.boardText)",
        String(
          format: "  measured %.1f degrees from right angles (what was up on the table, %.1f): %@",
          fit.offSquare.inDegrees, fit.tilt.inDegrees,
          isSquare ? "the nearest one is used" : "written as measured"),
        Self.sentence(task.chip, change),
      ],
      json: 0, changes: [.init(task.chip) { $0.mounting = mounting }])
    var found: [Result.Magnetometer] = []
    for (compass, alignment) in zip(compasses, alignments) {
      guard let alignment, alignment.isClear else {
        outcome.lines.append(
          "mounting of \(compass.name), \(compass.chip): the turns were not sufficient; it stays "
            + compass.mounting.boardText)
        found.append(Result.Magnetometer(chip: compass.name))
        continue
      }
      let mounting = Mounting(mounting.matrix * alignment.matrix)
      let change = Self.change(compass, mounting)
      outcome.lines += [
        "mounting of \(compass.name), \(compass.chip): \(mounting.boardText)",
        String(
          format: "  it explains the field %.0f times better than any other", alignment.margin),
        Self.sentence(compass, change),
      ]
      outcome.changes.append(.init(compass) { $0.mounting = mounting })
      found.append(
        Result.Magnetometer(
          chip: compass.name, mounting: mounting.matrix.rows.map(\.components),
          changeDeg: change.inDegrees, margin: alignment.margin))
    }
    outcome.json = Result(
      chip: task.chip.name, mounting: mounting.matrix.rows.map(\.components), isSquare: isSquare,
      offSquareDeg: fit.offSquare.inDegrees, tiltDeg: fit.tilt.inDegrees,
      changeDeg: change.inDegrees, magnetometers: found)
    return outcome
  }

  /// Returns the angle between `mounting` and the chip's current mounting, in radians.
  private static func change(_ chip: ChipPlacement, _ mounting: Mounting) -> Double {
    let turn = mounting.matrix.transposed * chip.mounting.matrix
    return acos(min(max((turn.m11 + turn.m22 + turn.m33 - 1) / 2, -1), 1))
  }

  private static func sentence(_ chip: ChipPlacement, _ change: Double) -> String {
    change < 0.5 * .pi / 180
      ? "  as before"
      : String(
        format: "  before it was taken for %@, %.0f degrees from that", chip.mounting.boardText,
        change.inDegrees)
  }
}

extension Double {
  /// The angle in degrees; the value itself is in radians.
  fileprivate var inDegrees: Double { self * 180 / .pi }
}
