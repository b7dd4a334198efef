// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import SeededRandom
import Testing

/// A device that turns about a point outside of it, like one held by a swinging arm.
@Suite("Lever arm") struct LeverArmTests {
  static let motion = SimulatedMotion(turning: 0.6)

  /// Returns the root mean square error of the inclination from 10 s to 60 s in degrees, for a
  /// device at `arm` metres (device axes) from the pivot.
  static func error(arm: Vector3) -> Double {
    var engine = FusionEngine(idealParams(hz: 200))
    var random = SplitMix(state: 3)
    let h = 1e-3
    func place(_ t: Double) -> Vector3 { motion.attitude(at: t).rotate(arm) }
    var (sum, count) = (0.0, 0.0)
    for k in 0..<12_000 {
      let t = Double(k) / 200
      let time = Timestamp(seconds: t)
      let rate = motion.gyroscope(from: t - 0.005, to: t)
      engine.update(rotationRate: rate + random.vector(0.002), at: time)
      let attitude = motion.attitude(at: t)
      let own = (place(t + h) + place(t - h) - place(t) * 2) / (h * h * 9.80665)
      let force = attitude.conjugate.rotate(Vector3(0, 0, -1) - own)
      engine.update(acceleration: force + random.vector(0.005), at: time)
      guard t > 10 else { continue }
      let down = attitude.conjugate.rotate(Vector3(0, 0, -1))
      sum += pow(angle(FusionEngine.gravity(engine.attitude6), down), 2)
      count += 1
    }
    return (sum / count).squareRoot()
  }

  /// An engine that treats the swing as random velocity has errors of 0.42 and 0.61 degrees.
  @Test(arguments: [(Vector3(0.4, 0.05, -0.03), 0.3), (Vector3(-0.1, 0.5, 0.2), 0.45)])
  func `the swing of an arm is not taken for gravity`(arm: Vector3, most: Double) {
    let error = Self.error(arm: arm)
    #expect(error < most, "\(error)")
  }
}
