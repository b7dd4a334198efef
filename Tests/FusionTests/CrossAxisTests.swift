// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import SeededRandom
import Testing

/// An accelerometer whose axes are not orthogonal.
@Suite("Accelerometers with crossed axes") struct CrossAxisTests {
  /// Returns the fraction of parts whose tilt at rest is in the 95 percent region. Each axis is
  /// tilted towards the others by up to `limit`; the engine expects `sigma`.
  static func coverage(limit: Double, sigma: Double) -> Double {
    var random = SplitMix(state: 19)
    let hertz = 50.0
    var inside = 0.0
    for _ in 0..<200 {
      let (upper, lower) = (random.vector(limit), random.vector(limit))
      let crossed = Matrix3(
        rows: Vector3(1, upper.x, upper.y), Vector3(lower.x, 1, upper.z),
        Vector3(lower.y, lower.z, 1))
      let down = random.vector(1).normalized ?? Vector3(0, 0, -1)
      var params = idealParams(hz: hertz)
      params.accelerationCrossAxisSigma = sigma
      var engine = FusionEngine(params)
      for k in 0..<Int(5 * hertz) {
        let time = Timestamp(seconds: Double(k) / hertz)
        engine.update(rotationRate: random.vector(0.001), at: time)
        engine.update(acceleration: crossed * down, at: time)
      }
      let error = angle(FusionEngine.gravity(engine.attitude6), down) * degree
      let p = engine.attitudeCovariance
      // Both directions are equivalent; 5.99 is the 95 percent limit of chi-squared with two
      // degrees of freedom.
      if error * error < 5.99 * (p.m11 + p.m22) / 2 { inside += 1 }
      #expect(engine.inclinationSigma >= sigma)
    }
    return inside / 200
  }

  /// The data sheet gives 2 percent (PS-MPU-6000A-00 rev. 3.4, 6.2).
  @Test func `a tilt by crossed axes is within what is known of it`() {
    let limit = 0.02
    #expect(Self.coverage(limit: limit, sigma: limit / 3.0.squareRoot()) > 0.93)
    #expect(Self.coverage(limit: limit, sigma: 0) < 0.5)
  }
}
