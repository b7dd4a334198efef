// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import Simulation
package import Boards
import Foundation
import Otolith
import Fusion
import Sensors

/// A calibration of a gyroscope's bias at rest, and of the bias's slope over temperature.
package struct GyroscopeCalibration: GuidedCalibration {
  private let request: CalibrationRequest
  /// The duration of the measurement at rest in seconds.
  package var duration = 30.0

  package init(_ request: CalibrationRequest = CalibrationRequest()) { self.request = request }

  private struct Result: Encodable {
    var chip: String
    var biasRadS: [Double]
    var sigmaRadS: [Double]
    var slopeRadSK: [Double]
    var temperatureC: Double?
    var temperatureSpanK: Double
    var seconds: Int
    var moved: Int
    var residualRadS: [Double]
    var biasBeforeRadS: [Double]
  }

  package func measure(
    _ guide: any Guide, on board: Board
  ) throws -> (CalibrationTask, CalibrationOutcome) {
    let task = try CalibrationTask(request, .rotationRate, "gyroscope", on: board)
    if request.recording == nil {
      guide.say("\(task.chip.name): do not touch the board for \(Int(duration)) seconds")
    }
    var regression = GyroBiasRegression()
    var moved = 0
    // The timeout is three times the duration plus 10 s. If it expires, the board is not at rest.
    let source = CalibrationSource(
      task: task, guide: guide, timeout: 3 * duration + 10, asked: .still)
    let isComplete = try source.stretches(StationaryDetector.Params()) { stretch, time in
      guide.show {
        GuidedStep(
          instruction: "do not touch the board",
          progress: (
            Double(regression.count) / duration, "\(regression.count) of \(Int(duration)) s"
          ))
      }
      if stretch.isStill, let rate = stretch.rotationRate, regression.add(rate) {
        return Double(regression.count) < duration
      }
      moved += 1
      guide.say("it moved at \(Int(time)) s; that second does not count")
      return true
    }
    guide.clear()
    // A recording may be shorter than the requested duration of the measurement.
    let isEnough = isComplete || request.recording != nil && regression.count >= 2
    guard isEnough, let fit = regression.fit else {
      throw Failure(
        "the board lay still for \(regression.count) s of \(Int(duration)); nothing was written",
        Failure.badData)
    }
    let outcome = CalibrationOutcome(
      lines: lines(task, fit, moved),
      json: Result(
        chip: task.chip.name, biasRadS: fit.bias.components, sigmaRadS: fit.sigma.components,
        slopeRadSK: fit.slope.components, temperatureC: fit.referenceTemperature,
        temperatureSpanK: fit.temperatureSpan, seconds: fit.stretches, moved: moved,
        residualRadS: fit.residual.components,
        biasBeforeRadS: (fit.bias - bias(task.errors, at: fit.referenceTemperature)).components),
      changes: [.init(task.chip) { $0.errors = Self.errors($0.errors, fit) }])
    return (task, outcome)
  }

  /// Returns the gyroscope bias from the previous calibration at `temperature`.
  private func bias(_ errors: ChipCalibration, at temperature: Double?) -> Vector3 {
    guard let temperature, let reference = errors.gyroBiasTemperature else {
      return errors.gyroBias
    }
    return errors.gyroBias + errors.gyroBiasSlope * (temperature - reference)
  }

  private static func errors(_ before: ChipCalibration, _ fit: GyroBiasFit) -> ChipCalibration {
    var errors = before
    errors.gyroBias = fit.bias
    errors.gyroBiasTemperature = fit.referenceTemperature
    // Keep the previous temperature slope if this calibration measured only a bias.
    if fit.slope != .zero || fit.referenceTemperature == nil { errors.gyroBiasSlope = fit.slope }
    return errors
  }

  private func lines(_ task: CalibrationTask, _ fit: GyroBiasFit, _ moved: Int) -> [String] {
    func inDegrees(_ v: Vector3) -> Vector3 { v * (180 / .pi) }
    let left = fit.bias - bias(task.errors, at: fit.referenceTemperature)
    var lines = [
      task.title("gyroscope")
        + ": \(fit.stretches) s of rest, \(moved) s moved, chip axes x y z",
      CalibrationTask.row("bias", inDegrees(fit.bias), digits: 4, "deg/s"),
      CalibrationTask.row("known within", inDegrees(fit.sigma), digits: 4, "deg/s"),
      CalibrationTask.row("off before", inDegrees(left), digits: 4, "deg/s"),
      CalibrationTask.row("scatter after", inDegrees(fit.residual), digits: 4, "deg/s"),
    ]
    guard let temperature = fit.referenceTemperature else {
      return lines + ["the chip reported no temperature"]
    }
    let span = String(format: "%.1f K about %.1f degC", fit.temperatureSpan, temperature)
    if fit.slope == .zero {
      lines.append("temperature: \(span); no dependence found")
    } else {
      lines.append(CalibrationTask.row("slope", inDegrees(fit.slope), digits: 5, "deg/s per K"))
      lines.append("temperature: \(span)")
    }
    return lines
  }
}
