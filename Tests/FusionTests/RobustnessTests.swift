// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import SeededRandom
import Testing

@Suite("Robustness")
struct RobustnessTests {
  static let moving: FusionEngine = {
    var device = IdealDevice()
    var engine = FusionEngine()
    _ = device.turn(Vector3(0.3, 0.2, 0.5), for: 20, from: 10, into: &engine)
    return engine
  }()

  @Test func `samples that are not finite, implausible or late change nothing`() {
    let bad = [
      Vector3(.nan, 0, 0), Vector3(0, .infinity, 0), Vector3(0, 0, -.infinity),
      Vector3(0, 1e300, 0),
    ]
    for sample in bad {
      var engine = Self.moving
      let later = Timestamp(seconds: 31)
      #expect(engine.takes(sample, at: later) == [false, false, false])
      #expect(engine.state == Self.moving.state)
    }
    var engine = Self.moving
    let earlier = Timestamp(seconds: 29.9)
    #expect(engine.takes(Vector3(0, 0, -1), at: earlier) == [false, false, false])
    #expect(engine.state == Self.moving.state)
  }

  @Test func `a repeated time stamp is taken without turning twice`() {
    var engine = Self.moving
    let before = engine.attitude6
    let now = Timestamp(seconds: 30)
    for _ in 0..<100 {
      let taken = engine.takes(Vector3(0.3, 0.2, 0.5), at: now)
      #expect(taken == [true, true, true])
    }
    #expect(engine.isSound && angle(engine.attitude6, before) < 5)
  }

  @Test func `after a pause of ten seconds it is right again within a second`() {
    var device = IdealDevice()
    var engine = FusionEngine(ideal)
    let time = device.turn(Vector3(0.3, 0.5, 0.8), for: 60, from: 0, hz: 50, into: &engine)
    let sigma = engine.gyroBiasSigma
    device.attitude = Quaternion(rotationVector: Vector3(1, -2, 0.5))
    device.feed(.zero, at: time + 10, into: &engine)
    #expect(engine.isSound)
    #expect(engine.gyroBiasSigma > sigma)
    _ = device.turn(.zero, for: 1, from: time + 10, hz: 50, into: &engine)
    #expect(angle(engine.attitude9, device.attitude) < 1)
    #expect(angle(FusionEngine.gravity(engine.attitude6), device.acceleration) < 0.1)
  }

  @Test func `a gap of half a second in a steady rotation costs little`() {
    let rate = Vector3(0, 0, 1)
    var device = IdealDevice()
    var engine = FusionEngine(ideal)
    let time = device.turn(rate, for: 5, from: 0, into: &engine)
    device.attitude = Quaternion(rotationVector: rate * (time + 0.5))
    device.feed(rate, at: time + 0.5, into: &engine)
    #expect(angle(engine.attitude9, device.attitude) < 0.2)
  }

  @Test func `streams of different rates and phases agree with equal ones`() {
    let rate = Vector3(0.9, -0.4, 1.4)
    for (gyroscope, accelerometer, magnetometer) in [(416, 104, 10), (100, 800, 50), (52, 52, 75)] {
      var engine = FusionEngine(ideal)
      // The time in nanoseconds when each stream is due next, in its own steps.
      var due = [0, 3_333_333, 7_777_777]
      let steps = [gyroscope, accelerometer, magnetometer].map { 1_000_000_000 / $0 }
      var time = 0
      while time < 40_000_000_000 {
        let stream = due[0] <= due[1] ? (due[0] <= due[2] ? 0 : 2) : (due[1] <= due[2] ? 1 : 2)
        time = due[stream]
        due[stream] += steps[stream]
        let seconds = Double(time) / 1e9
        let device = IdealDevice(attitude: Quaternion(rotationVector: rate * seconds))
        let stamp = Timestamp(nanoseconds: Int64(time))
        switch stream {
        case 0: engine.update(rotationRate: rate, at: stamp)
        case 1: engine.update(acceleration: device.acceleration, at: stamp)
        default: engine.update(magneticField: device.magneticField, at: stamp)
        }
      }
      let now = Double(due[0] - steps[0]) / 1e9
      let truth = Quaternion(rotationVector: rate * now)
      #expect(angle(engine.attitude9, truth) < 0.7, "\(gyroscope) \(accelerometer) \(magnetometer)")
    }
  }

  @Test func `a restored state continues bit by bit`() {
    var noise = Noise(seed: 3)
    var engine = Self.moving
    var other = FusionEngine()
    other.state = engine.state
    for k in 1...500 {
      let time = Timestamp(seconds: 30 + Double(k) * 0.0117)
      let (rate, acceleration, field) = (noise.vector(3), noise.vector(2), noise.vector(60))
      for update in 0..<2 {
        var one = update == 0 ? engine : other
        one.update(rotationRate: rate, at: time)
        one.update(acceleration: acceleration, at: time)
        one.update(magneticField: field, at: time)
        if update == 0 { engine = one } else { other = one }
      }
    }
    #expect(engine.state == other.state)
    #expect(engine.attitude9 == other.attitude9)
    engine.reset()
    #expect(engine.state == FusionEngine().state)
    #expect(!engine.hasAttitude)
  }

  @Test func `a hundred thousand random samples leave every number finite`() {
    var noise = Noise(seed: 2026)
    var engine = FusionEngine()
    var time = Timestamp.zero
    for k in 0..<100_000 {
      let size = [0, 1e-9, 1, 30, 999][k / 200 % 5]
      let pause = k % 997 == 0 ? 5.0 : k % 5 == 0 ? 0 : 0.02
      time = time + TimeSpan(seconds: abs(noise.next()) * pause)
      switch k % 3 {
      case 0: engine.update(rotationRate: noise.vector(size), at: time)
      case 1: engine.update(acceleration: noise.vector(size), at: time)
      default: engine.update(magneticField: noise.vector(size * 50), at: time)
      }
      if k % 10 < 3 { #expect(engine.isSound) }
    }
    #expect(engine.isSound)
  }

  /// Ten seconds at rest, then 170 degrees within 0.8 s at up to 334 degrees/s, of which the
  /// gyroscope reports 250, and then a hand that stays in its place.
  @Test func `a gyroscope at its end leaves doubt, and gravity puts it right`() {
    func angle(_ t: Double) -> Double {
      let turn = rad(85) * (1 - cos(.pi * max(0, min(t - 10, 0.8)) / 0.8))
      return turn + rad(8) * sin(2 * max(0, t - 10.8))
    }
    var engine = FusionEngine()
    var worst = 0.0
    var mean = (sum: 0.0, count: 0.0)
    for k in 0..<2500 {
      let t = Double(k) / 100
      let time = Timestamp(seconds: t)
      let rate = (angle(t) - angle(t - 0.01)) / 0.01
      engine.update(rotationRate: Vector3(min(rad(250), rate), 0, 0), at: time)
      let shown = Quaternion(angle: angle(t - 0.005), axis: Vector3(1, 0, 0)).conjugate
      engine.update(acceleration: shown.rotate(Vector3(0, 0, -1)), at: time)
      guard t > 10.8 else { continue }
      let now = Quaternion(angle: angle(t), axis: Vector3(1, 0, 0)).conjugate
      let off = separation(FusionEngine.gravity(engine.attitude6), now.rotate(Vector3(0, 0, -1)))
      worst = max(worst, off / engine.inclinationSigma)
      if t > 15 { mean = (mean.sum + off * off, mean.count + 1) }
    }
    #expect(worst < 3, "\(worst) standard deviations")
    #expect((mean.sum / mean.count).squareRoot() < rad(0.5), "\(mean)")
  }

  @Test func `the ends of the clock leave every number finite`() {
    var engine = FusionEngine()
    for time in [Timestamp(nanoseconds: .min), .zero, .distantFuture] {
      engine.update(rotationRate: Vector3(1, 2, 3), at: time)
      engine.update(acceleration: Vector3(0, 0.6, -0.8), at: time)
      engine.update(magneticField: Vector3(20, 0, -40), at: time)
      #expect(engine.isSound)
    }
  }
}

extension FusionEngine {
  /// Returns which of the three updates accept `sample`.
  mutating func takes(_ sample: Vector3, at time: Timestamp) -> [Bool] {
    [
      update(rotationRate: sample, at: time), update(acceleration: sample, at: time),
      update(magneticField: sample, at: time),
    ]
  }

  /// The bias is then uncertain along the vertical alone, so strongly that inverting the covariance
  /// by cofactors loses all digits.
  @Test(arguments: [1.5, 2, 3, 3.5, 5.5, 6.5])
  func `a field that turns about a device at rest takes nothing of what was learned`(
    degreesPerSecond: Double
  ) {
    let motion = SimulatedMotion(turning: 0.8)
    for seed in 0..<8 {
      var engine = FusionEngine(idealParams(hz: 100))
      var random = SplitMix(state: UInt64(seed))
      let end = 3000 + seed * 83
      func feed(_ attitude: Quaternion, _ rate: Vector3, _ field: Vector3, at t: Double) {
        let time = Timestamp(seconds: t)
        engine.update(rotationRate: rate, at: time)
        let down = attitude.conjugate.rotate(Vector3(0, 0, -1))
        engine.update(acceleration: down + random.vector(0.003), at: time)
        engine.update(magneticField: attitude.conjugate.rotate(field), at: time)
      }
      for k in 0..<end {
        let t = Double(k) / 100
        let rate = motion.gyroscope(from: t - 0.01, to: t) + random.vector(0.001)
        feed(motion.attitude(at: t), rate, motion.field, at: t)
      }
      let known = engine.gyroMatrixSigma.m11
      let still = motion.attitude(at: Double(end - 1) / 100)
      for k in 0..<1500 {
        let turn = Quaternion(
          angle: degreesPerSecond * degree * Double(k) / 100, axis: Vector3(0, 0, 1))
        let t = Double(end + k) / 100
        feed(still, random.vector(0.0005), turn.rotate(motion.field), at: t)
      }
      #expect(engine.gyroMatrixSigma.m11 < 1.01 * known, "seed \(seed)")
    }
  }
}
