// SPDX-License-Identifier: Apache-2.0
import Fusion
import Quantities
import SeededRandom
import Testing

/// A device at rest for a week, with 100 Hz from each sensor and the noise and bias of a common
/// part: 60 million samples each. Without optimisation, an hour at 12.5 Hz.
@Suite("Long rest")
struct LongRestTests {
  static let bias = Vector3(0.01, -0.02, 0.015)

  @Test(.timeLimit(.minutes(20)))
  func `a week at rest leaves norms of 1, the bias right and the attitude still`() {
    // The noise is drawn once, because drawing costs as much as an update. The three rings have
    // coprime lengths, so no pattern repeats within 10 million samples.
    var random = SplitMix(state: 7)
    let rates = (0..<211).map { _ in Self.bias + random.vector(0.004) }
    let device = IdealDevice(attitude: Quaternion(rotationVector: Vector3(0.4, -0.7, 1.3)))
    let accelerations = (0..<223).map { _ in device.acceleration + random.vector(0.006) }
    let fields = (0..<227).map { _ in device.magneticField + random.vector(0.8) }
    let interval: Int64 = isOptimised ? 10_000_000 : 80_000_000
    let seconds = isOptimised ? 7 * 24 * 3600 : 3600
    let count = seconds * 1_000_000_000 / Int(interval)
    var engine = FusionEngine()
    var worst = (norm: 0.0, bias: 0.0, tilt: 0.0, attitude: 0.0, corrected: 0.0)
    var (restless, unsound) = (0, 0)
    var first: Quaternion?
    for k in 0..<count {
      let time = Timestamp(nanoseconds: Int64(k) * interval)
      engine.update(rotationRate: rates[k % 211], at: time)
      engine.update(acceleration: accelerations[k % 223], at: time)
      engine.update(magneticField: fields[k % 227], at: time)
      // The first minute is for learning. 89 is a prime, so that the checked samples cover the
      // whole rings.
      guard Int64(k) * interval > 60_000_000_000, k % 89 == 0 else { continue }
      if !Outputs(engine).isSound { unsound += 1 }
      if !engine.isAtRest { restless += 1 }
      let start = first ?? engine.attitudeCorrected
      first = start
      for attitude in [engine.attitude6, engine.attitude9, engine.attitudeCorrected] {
        worst.norm = max(worst.norm, abs(attitude.norm - 1))
      }
      worst.bias = max(worst.bias, (engine.gyroBias - Self.bias).norm)
      worst.tilt = max(
        worst.tilt, angle(FusionEngine.gravity(engine.attitude6), device.acceleration))
      worst.attitude = max(worst.attitude, angle(engine.attitude9, device.attitude))
      worst.corrected = max(worst.corrected, angle(engine.attitudeCorrected, start))
    }
    #expect(unsound == 0)
    #expect(restless == 0)
    #expect(worst.norm < 1e-14)
    // A seventh of a sample's noise, which is 0.13 degrees/s per axis, averaged over minutes.
    #expect(worst.bias < rad(0.06))
    #expect(engine.gyroBiasSigma < rad(0.06))
    // Accelerations and fields have noise of 0.2 and 1 degrees, averaged over 3 and 15 seconds: a
    // sixth and a thirteenth remain, and six times that is the maximum of seven million samples.
    // The corrected attitude is compared with its own start, which has such an error too.
    #expect(worst.tilt < 0.2)
    #expect(worst.attitude < 0.5)
    #expect(worst.corrected < 0.6)
  }
}
