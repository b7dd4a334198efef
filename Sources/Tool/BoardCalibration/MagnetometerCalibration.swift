// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import Simulation
package import Boards
import Foundation
import Fusion
import Otolith
import Runtime
import Sensors

/// A guided calibration of a magnetometer for hard and soft iron, during which the user turns the
/// device through all directions.
package struct MagnetometerCalibration: GuidedCalibration {
  private let request: CalibrationRequest
  /// The required coverage of all directions in percent.
  package var coverage = 90.0
  /// The timeout in seconds; when it expires, a coverage of 70 percent is enough.
  package var timeout = 120.0

  package init(_ request: CalibrationRequest = CalibrationRequest()) { self.request = request }

  private static let instruction =
    "turn it slowly through all directions, away from steel and magnets"

  private struct Result: Encodable {
    var chip: String
    var hardIronUt: [Double]
    var softIronMatrix: [[Double]]
    var strengthUt: Double
    var expectedUt: Double?
    var strengthOffBeforeUt: Double
    var strengthOffAfterUt: Double
    var coveragePercent: Double
    var fields: Int
  }

  package func measure(
    _ guide: any Guide, on board: Board
  ) throws -> (CalibrationTask, CalibrationOutcome) {
    let task = try CalibrationTask(request, .magneticField, "magnetometer", on: board)
    var params = MagneticSphere.Params()
    params.expected = TrueNorth(at: task.board.location, on: .today)?.expectedField?.total
    var sphere = MagneticSphere(params)
    if request.recording == nil {
      guide.say("\(task.chip.name): \(Self.instruction)")
    }
    let source = CalibrationSource(task: task, guide: guide, timeout: timeout, asked: .tumble)
    var quarters = 0
    var map = SphereMap()
    _ = try source.moments { moment in
      guard moment.other == nil, let field = moment.reading.measuredField else { return true }
      // The estimated centre moves slowly, so redraw the map only after every eighth new direction.
      if sphere.add(field), sphere.count % 8 == 0 {
        let center = sphere.center
        map = SphereMap(coverage: sphere.coverage(around: center), center: center)
      }
      let percent = Int(map.coverage.share * 100)
      map.newest = field
      guide.show {
        GuidedStep(
          map: map, instruction: Self.instruction,
          progress: (map.coverage.share, "\(percent) %"))
      }
      if percent / 25 > quarters {
        quarters = percent / 25
        guide.say("\(quarters * 25) % of all directions at \(Int(moment.seconds)) s")
      }
      return map.coverage.share * 100 < coverage || sphere.count < params.leastCount
    }
    guide.clear()
    let fit: MagneticFit
    do throws(MagneticSphereError) { fit = try sphere.solve() } catch {
      let hint = if case .uncovered = error, guide.hasOptions { " (--timeout)" } else { "" }
      throw Failure("\(error.localizedDescription)\(hint); nothing was written", Failure.badData)
    }
    return (task, outcome(task, fit, expected: params.expected))
  }

  private func outcome(_ task: CalibrationTask, _ fit: MagneticFit, expected: Double?)
    -> CalibrationOutcome
  {
    let place =
      expected.map { String(format: "; the scale follows from the place's %.1f uT", $0) }
      ?? "; without a position in the board file the scale is unknown"
    return CalibrationOutcome(
      lines: [
        task.title("magnetometer")
          + String(
            format: ": %d fields, %.0f %% of all directions, chip axes x y z", fit.count,
            fit.coverage * 100),
        CalibrationTask.row("hard iron", fit.hardIron, digits: 2, "uT"),
      ] + CalibrationTask.rows("soft iron matrix", fit.softIronMatrix) + [
        String(
          format: "the field's strength varies by %.2f uT before, %.2f uT after (RMS)",
          fit.residualBefore, fit.residual),
        String(format: "it measures %.1f uT%@", fit.measuredStrength, place),
      ],
      json: Result(
        chip: task.chip.name, hardIronUt: fit.hardIron.components,
        softIronMatrix: fit.softIronMatrix.rows.map(\.components), strengthUt: fit.strength,
        expectedUt: expected, strengthOffBeforeUt: fit.residualBefore,
        strengthOffAfterUt: fit.residual, coveragePercent: fit.coverage * 100, fields: fit.count),
      changes: [
        .init(task.chip) {
          $0.errors.hardIron = fit.hardIron
          $0.errors.softIronMatrix = fit.softIronMatrix
        }
      ])
  }
}
