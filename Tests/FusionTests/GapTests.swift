// SPDX-License-Identifier: Apache-2.0
import Fusion
import Quantities
import Testing

/// Ten seconds without one, two or all streams, during an exactly known motion.
@Suite("Gaps")
struct GapTests {
  static let gap = 30.0..<40.0

  struct Errors {
    /// The largest angle errors of the nine-axis attitude and of gravity in degrees: in the gap,
    /// and in the last ten of the twenty seconds after it.
    var inGap = 0.0
    var inclinationInGap = 0.0
    var after = 0.0
    var inclinationAfter = 0.0
    /// The change of the bias during the gap in rad/s.
    var biasChange = 0.0
    var finite = true
  }

  static func errors(without silent: Set<Stream>) -> Errors {
    let motion = SimulatedMotion(turning: 0.7, shaking: 0.05)
    var engine = FusionEngine(ideal)
    var errors = Errors()
    var biasBefore = Vector3.zero
    for k in 1...6000 {
      let t = Double(k) / 100
      let isGap = gap.contains(t)
      for stream in Stream.allCases where !(isGap && silent.contains(stream)) {
        motion.feed(stream, at: t, into: &engine)
      }
      errors.finite = errors.finite && Outputs(engine).isSound
      let truth = motion.attitude(at: t)
      let off = angle(engine.attitude9, truth)
      let down = truth.conjugate.rotate(Vector3(0, 0, -1))
      let tilt = angle(FusionEngine.gravity(engine.attitude6), down)
      if t < gap.lowerBound { biasBefore = engine.gyroBias }
      if isGap {
        errors.biasChange = (engine.gyroBias - biasBefore).norm
        errors.inGap = max(errors.inGap, off)
        errors.inclinationInGap = max(errors.inclinationInGap, tilt)
      } else if t >= 50 {
        errors.after = max(errors.after, off)
        errors.inclinationAfter = max(errors.inclinationAfter, tilt)
      }
    }
    return errors
  }

  static let uninterrupted = errors(without: [])

  /// The gyroscope maintains the attitude for ten seconds. It has no bias, which is known to 0.01
  /// degrees/s after thirty seconds: a tenth of a degree in ten seconds.
  @Test(arguments: [
    [Stream.acceleration], [.magneticField], [.acceleration, .magneticField],
  ])
  func `the gyroscope bridges a gap of the other streams`(silent: [Stream]) {
    let errors = Self.errors(without: Set(silent))
    #expect(errors.finite)
    #expect(errors.inGap < Self.uninterrupted.inGap + 0.1)
    #expect(errors.inclinationInGap < Self.uninterrupted.inclinationInGap + 0.1)
    #expect(errors.after < Self.uninterrupted.after + 0.1)
  }

  /// Without the gyroscope, gravity comes from the accelerometer: with a filter of 0.1 s and at
  /// most 170 degrees/s it is late by some 17 degrees, and shaking adds 3.
  @Test func `gravity goes on in a gap of the gyroscope`() {
    let errors = Self.errors(without: [.rotationRate])
    #expect(errors.finite)
    #expect(errors.inclinationInGap < 25)
    #expect(errors.inclinationAfter < Self.uninterrupted.inclinationAfter + 0.25)
  }

  @Test(arguments: [
    [Stream.rotationRate], [.rotationRate, .acceleration], [.rotationRate, .magneticField],
    Stream.allCases,
  ])
  func `after a gap of the gyroscope the attitude is found again`(silent: [Stream]) {
    let errors = Self.errors(without: Set(silent))
    #expect(errors.finite)
    #expect(errors.inclinationAfter < Self.uninterrupted.inclinationAfter + 0.25)
    #expect(errors.after < Self.uninterrupted.after + 0.5)
  }

  /// Without samples nothing can be learned about the gyroscope's bias. The accelerations between
  /// its last sample and the end of its interval may add 0.01 degrees/s.
  @Test(arguments: [
    [Stream.rotationRate], [.rotationRate, .acceleration], [.rotationRate, .magneticField],
    Stream.allCases,
  ])
  func `in a gap of the gyroscope no bias is learned`(silent: [Stream]) {
    let errors = Self.errors(without: Set(silent))
    #expect(errors.biasChange < rad(0.01))
  }

  /// The errors without a gap must be small, because the limits above add to them.
  @Test func `without a gap errors are small`() {
    #expect(Self.uninterrupted.finite)
    #expect(Self.uninterrupted.inGap < 0.1)
    #expect(Self.uninterrupted.inclinationInGap < 0.1)
  }
}
