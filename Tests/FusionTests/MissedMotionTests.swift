// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import SeededRandom
import Testing

/// The motion between the samples of a slow accelerometer.
@Suite("Motion between two samples") struct MissedMotionTests {
  /// Returns the fraction of the time from 5 to 60 s in which the truth is in the tilt's 95 percent
  /// region, for a device on a machine that shakes it randomly by 0.3 g from sample to sample.
  static func coverage(hertz: Double, seed: UInt64) -> Double {
    let motion = SimulatedMotion(turning: 0.2)
    var engine = FusionEngine(idealParams(hz: hertz))
    var random = SplitMix(state: seed)
    var (inside, count) = (0.0, 0.0)
    for k in 0..<Int(60 * hertz) {
      let t = Double(k) / hertz
      let time = Timestamp(seconds: t)
      let attitude = motion.attitude(at: t)
      // The half width of a uniform distribution.
      let own = random.vector(0.3 * 3.0.squareRoot())
      engine.update(rotationRate: motion.gyroscope(from: t - 1 / hertz, to: t), at: time)
      engine.update(
        acceleration: attitude.conjugate.rotate(Vector3(0, 0, -1) - own), at: time)
      guard t > 5 else { continue }
      let down = attitude.conjugate.rotate(Vector3(0, 0, -1))
      let error = angle(FusionEngine.gravity(engine.attitude6), down) * degree
      let p = engine.attitudeCovariance
      // Both directions are equivalent; 5.99 is the 95 percent limit of chi-squared with two
      // degrees of freedom.
      if error * error < 5.99 * (p.m11 + p.m22) / 2 { inside += 1 }
      count += 1
    }
    return inside / count
  }

  @Test(arguments: [25.0, 50, 100])
  func `a motion at random from one sample to the next makes the tilt as doubtful as it is`(
    hertz: Double
  ) {
    let shares = (1...4).map { Self.coverage(hertz: hertz, seed: UInt64($0)) }
    #expect(shares.reduce(0, +) / 4 > 0.93, "\(shares)")
  }
}
