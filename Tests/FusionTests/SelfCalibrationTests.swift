// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import SeededRandom
import Testing

/// A gyroscope with the errors of its data sheet, and with larger ones.
@Suite("Self-calibration") struct SelfCalibrationTests {
  /// Returns rotation about all axes, without moving away.
  static func rate(_ t: Double) -> Vector3 {
    Vector3(2.1 * sin(1.3 * t), 1.7 * sin(0.9 * t + 1), 1.9 * cos(0.7 * t))
  }

  /// Runs `engine` for `seconds` with a gyroscope that reads `matrix` times the truth; `each` gets
  /// the tilt error in rad.
  static func run(
    _ engine: inout FusionEngine, matrix: Matrix3, seconds: Double, each: (Double, Double) -> Void
  ) {
    var random = SplitMix(state: 11)
    var attitude = Quaternion.identity
    let field = Vector3(20, 0, -45)
    for k in 0..<Int(seconds * 200) {
      let t = Double(k) / 200
      let time = Timestamp(seconds: t)
      let turn = rate(t - 0.0025)
      attitude = (attitude * Quaternion(rotationVector: turn * 0.005)).normalized
      engine.update(rotationRate: matrix * turn + random.vector(0.002), at: time)
      let down = attitude.conjugate.rotate(Vector3(0, 0, -1))
      engine.update(acceleration: down + random.vector(0.01), at: time)
      if k % 4 == 0 {
        engine.update(
          magneticField: attitude.conjugate.rotate(field) + random.vector(0.5), at: time)
      }
      each(t, acos(min(1, FusionEngine.gravity(engine.attitude6).dot(down))))
    }
  }

  static var params: FusionEngine.Params {
    var params = FusionEngine.Params()
    params.gyroDelay = 0.0025
    params.accelerationDelay = 0
    params.magneticDelay = 0
    params.calibratesMagnetometer = false
    return params
  }

  @Test func `scale and misalignment are found, with uncertainties no smaller than their errors`() {
    // 2 percent and one degree, as a data sheet allows.
    let error = Matrix3(
      rows: Vector3(1.02, 0.017, -0.010), Vector3(-0.012, 0.985, 0.015),
      Vector3(0.008, -0.017, 1.012))
    var engine = FusionEngine(Self.params)
    var late = (sum: 0.0, count: 0.0)
    Self.run(&engine, matrix: error, seconds: 90) { t, tilt in
      if t > 45 { late = (late.sum + tilt * tilt, late.count + 1) }
    }
    let left = engine.gyroMatrix * error
    let sigma = engine.gyroMatrixSigma
    for (term, (value, sigma)) in zip(terms(left), sigmas(sigma)).enumerated() {
      #expect(abs(value) < (term % 4 == 0 ? 0.002 : rad(0.15)), "\(value)")
      #expect(abs(value) < 4 * sigma + 0.0005, "\(value) \(sigma)")
    }
    #expect((late.sum / late.count).squareRoot() < rad(0.3))
  }

  /// Its scale and cross-axis errors are zero, which gives no information about its mounting.
  @Test func `a gyroscope that is turned as a whole is found out`() {
    let turn = rad(0.9) * Vector3(0.6, -0.48, 0.64)
    let error = Matrix3(
      rows: Vector3(1, -turn.z, turn.y), Vector3(turn.z, 1, -turn.x), Vector3(-turn.y, turn.x, 1))
    var engine = FusionEngine(Self.params)
    Self.run(&engine, matrix: error, seconds: 120) { _, _ in }
    for value in terms(engine.gyroMatrix * error) { #expect(abs(value) < rad(0.1), "\(value)") }
  }

  @Test func `of a gyroscope without error nothing is invented beyond its sigma`() {
    var engine = FusionEngine(Self.params)
    Self.run(&engine, matrix: .identity, seconds: 60) { _, _ in }
    for (value, sigma) in zip(terms(engine.gyroMatrix), sigmas(engine.gyroMatrixSigma)) {
      #expect(abs(value) < 3 * sigma, "\(value) \(sigma)")
    }
  }

  /// With errors beyond all parts on sale, the tilt still follows gravity.
  @Test(arguments: [
    Matrix3(diagonal: 1.3), Matrix3(diagonal: 0.5), Matrix3(diagonal: -1),
    Matrix3(rows: Vector3(0, 1, 0), Vector3(0, 0, 1), Vector3(1, 0, 0)),
  ])
  func `whatever the gyroscope says, the horizon is not lost`(matrix: Matrix3) {
    var engine = FusionEngine(Self.params)
    var (worst, sum, count) = (0.0, 0.0, 0.0)
    Self.run(&engine, matrix: matrix, seconds: 120) { t, tilt in
      guard t > 10 else { return }
      worst = max(worst, tilt)
      sum += tilt * tilt
      count += 1
    }
    #expect(engine.inclinationSigma.isFinite)
    #expect((sum / count).squareRoot() < rad(35))
  }

  private func sigmas(_ m: Matrix3) -> [Double] {
    [m.m11, m.m12, m.m13, m.m21, m.m22, m.m23, m.m31, m.m32, m.m33]
  }

  private func terms(_ m: Matrix3) -> [Double] {
    [m.m11 - 1, m.m12, m.m13, m.m21, m.m22 - 1, m.m23, m.m31, m.m32, m.m33 - 1]
  }
}

extension Matrix3 {
  fileprivate init(diagonal d: Double) {
    self.init(rows: Vector3(d, 0, 0), Vector3(0, d, 0), Vector3(0, 0, d))
  }
}
