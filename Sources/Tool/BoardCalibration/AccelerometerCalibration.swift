// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import Simulation
package import Boards
import Foundation
import Otolith
import Fusion
import Sensors

/// A calibration of an accelerometer's offset and scale, from positions at rest.
package struct AccelerometerCalibration: GuidedCalibration {
  private let request: CalibrationRequest
  /// The number of positions, including the six faces.
  package var positions = 6
  /// The local gravity in g.
  package var gravity = 1.0
  /// The timeout in seconds.
  package var timeout = 300.0

  package init(_ request: CalibrationRequest = CalibrationRequest()) { self.request = request }

  private struct Result: Encodable {
    var chip: String
    var positions: Int
    var offsetG: [Double]
    var matrix: [[Double]]
    var hasMisalignment: Bool
    var gravityOffBeforeG: Double
    var gravityOffAfterG: Double
  }

  package func measure(
    _ guide: any Guide, on board: Board
  ) throws -> (CalibrationTask, CalibrationOutcome) {
    let task = try CalibrationTask(request, .acceleration, "accelerometer", on: board)
    var params = SixPositions.Params()
    params.gravity = gravity
    var collected = SixPositions(params)
    if request.recording == nil {
      guide.say(
        "lay the board on each of its faces; still to do, facing up, in any order: "
          + "\(collected.missing.words)"
      )
    }
    let source = CalibrationSource(task: task, guide: guide, timeout: timeout, asked: .positions)
    _ = try source.stretches(StationaryDetector.Params()) { stretch, _ in
      guide.show { step(task, collected, isStill: stretch.isStill) }
      guard stretch.isStill, let force = stretch.specificForce else { return true }
      switch collected.add(force) {
      case .taken(let face):
        let left =
          collected.missing.isEmpty
          ? "\(max(0, positions - collected.count)) more on edges or corners"
          : "still to do, facing up: \(collected.missing.words)"
        guide.say(
          "position \(collected.count): \(face?.words ?? "an edge or corner") is up; \(left)")
      case .notGravity(let norm):
        let text = String(format: "%.2f", norm)
        guide.say("not used: \(text) g at rest is not gravity")
      case .moved, .seen, .full: break
      }
      return !(collected.missing.isEmpty && collected.count >= positions)
    }
    guide.clear()
    let fit: AccelerationFit
    do throws(AccelerationFitError) { fit = try collected.solve() } catch {
      throw Failure("\(error.localizedDescription); nothing was written", Failure.badData)
    }
    return (task, outcome(task, fit))
  }

  private func outcome(_ task: CalibrationTask, _ fit: AccelerationFit) -> CalibrationOutcome {
    let off = String(
      format: "gravity is off by %.1f mg before, %.1f mg after (RMS of %d positions)",
      fit.residualBefore * 1000, fit.residual * 1000, fit.positions)
    return CalibrationOutcome(
      lines: [
        task.title("accelerometer") + ", chip axes x y z",
        CalibrationTask.row("offset", fit.offset, digits: 5, "g"),
      ] + CalibrationTask.rows("matrix", fit.matrix) + [
        off,
        fit.model == .offsetAndMatrix
          ? "with misalignment" : "without misalignment: that takes 9 positions, edges among them",
      ],
      json: Result(
        chip: task.chip.name, positions: fit.positions, offsetG: fit.offset.components,
        matrix: fit.matrix.rows.map(\.components),
        hasMisalignment: fit.model == .offsetAndMatrix, gravityOffBeforeG: fit.residualBefore,
        gravityOffAfterG: fit.residual),
      changes: [
        .init(task.chip) {
          $0.errors.accelerationOffset = fit.offset
          $0.errors.accelerationMatrix = fit.matrix
        }
      ])
  }

  /// Returns the next position in which the user must hold the device, and the progress so far.
  private func step(
    _ task: CalibrationTask, _ collected: SixPositions, isStill: Bool
  ) -> GuidedStep {
    var step = GuidedStep(
      instruction: "next: on an edge or a corner",
      progress: (
        Double(collected.count) / Double(positions),
        "\(collected.count) of \(positions)" + (isStill ? ", still" : ", it moves")
      ),
      places: Face.allCases.map { face in
        GuidedStep.Place(
          name: DevicePicture.of(task.chip.mounting.matrix * face.axis).words,
          isTaken: collected.faces.contains(face))
      })
    if let next = Face.allCases.first(where: { collected.missing.contains($0) }) {
      let picture = DevicePicture.of(task.chip.mounting.matrix * next.axis)
      step.up = picture.up
      step.instruction = "next: \(picture.words) (the chip's \(next.words) up)"
    }
    return step
  }
}
