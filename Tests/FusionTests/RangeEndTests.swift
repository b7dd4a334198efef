// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import Testing

/// The ends of a sensor's range, if they are known and if they are detected in the samples.
@Suite("Ends of the range") struct RangeEndTests {
  private static func cut(_ v: Vector3, _ end: Double) -> Vector3 {
    func cut(_ x: Double) -> Double { min(end, max(-end, x)) }
    return Vector3(cut(v.x), cut(v.y), cut(v.z))
  }

  /// The device is shaken by up to 3 g, and the range is 2 g. With 1 percent of scale and
  /// cross-axis errors no value repeats exactly.
  @Test func `a plateau behind a calibration is the end of a range`() {
    let matrix = Matrix3(
      rows: Vector3(0.99, 0.01, -0.008), Vector3(-0.006, 1.01, 0.009),
      Vector3(0.01, -0.01, 0.995))
    let shaken = SimulatedMotion(turning: 0.5, shaking: 3)
    let course = FaultCourse(shaken, after: 5) { _, sample in
      sample.acceleration = matrix * Self.cut(sample.acceleration, 2)
    }
    #expect(course.faults == .accelerometerAtRangeEnd)
    // It is clipped in nearly each second, which is detected after two clipped peaks at each end.
    #expect(course.faulty > 0.6)
  }

  /// The same motion in a sufficient range, with the noise of a common part.
  @Test func `peaks of a motion are no end of a range`() {
    var noise = Noise(seed: 7)
    let shaken = SimulatedMotion(turning: 1.5, shaking: 3)
    let course = FaultCourse(shaken, after: 5) { _, sample in
      sample.acceleration += noise.vector(0.005)
      sample.rotationRate += noise.vector(rad(0.2))
    }
    #expect(!course.faults.contains(.accelerometerAtRangeEnd))
    #expect(!course.faults.contains(.gyroscopeAtRangeEnd))
  }

  /// An arm of 0.5 m swings 1.25 times per second: 80 samples repeat bit by bit, with up to 6 rad/s
  /// and 3 g.
  @Test func `peaks that repeat to the digit are no end of a range`() {
    let course = FaultCourse(after: 5) { t, sample in
      let phase = 2 * Double.pi * Double(Int((t * 100).rounded()) % 80) / 80
      let (angle, pulsation) = (0.8 * sin(phase), 2.5 * Double.pi)
      let rate = 0.8 * pulsation * cos(phase)
      let across = -pulsation * pulsation * angle * 0.5 / 9.80665
      let along = rate * rate * 0.5 / 9.80665
      sample.rotationRate = Vector3(rate, 0, 0)
      sample.acceleration = Vector3(0, across - sin(angle), -cos(angle) - along)
    }
    #expect(!course.faults.contains(.gyroscopeAtRangeEnd))
    #expect(!course.faults.contains(.accelerometerAtRangeEnd))
  }

  /// Steps of 1 degree/s and 1/64 g, detected in two calm seconds; near its peak a smooth motion
  /// stays on one step.
  @Test func `peaks of a coarse part are no end of its range`() {
    func round(_ v: Vector3, to step: Double) -> Vector3 {
      func round(_ x: Double) -> Double { (x / step).rounded() * step }
      return Vector3(round(v.x), round(v.y), round(v.z))
    }
    let (calm, shaken) = (
      SimulatedMotion(turning: 0.2, shaking: 0.05), SimulatedMotion(turning: 1.5, shaking: 3)
    )
    let course = FaultCourse(after: 5) { t, sample in
      let motion = t < 2 ? calm : shaken
      sample.rotationRate = round(motion.sample(.rotationRate, at: t), to: rad(1))
      sample.acceleration = round(motion.sample(.acceleration, at: t), to: 1.0 / 64)
    }
    #expect(!course.faults.contains(.gyroscopeAtRangeEnd))
    #expect(!course.faults.contains(.accelerometerAtRangeEnd))
  }

  /// A chip that is mounted askew and calibrated: the ends are exact only in chip axes. The first
  /// sample is at one.
  @Test func `a known range ends where the chip's does`() throws {
    let mounting = Quaternion(rotationVector: Vector3(0.3, -0.5, 0.8)).rotationMatrix
    let (matrix, offset) = (
      Matrix3(rows: Vector3(1.02, 0.01, 0), Vector3(0, 0.98, 0), Vector3(-0.02, 0, 1)),
      Vector3(0.05, -0.03, 0.04)
    )
    func sample(_ raw: Vector3) -> Vector3 { mounting * (matrix * (raw - offset)) }
    var params = idealParams(hz: 100)
    params.rotationRateRange = SensorRange(
      end: 4, matrix: try #require(matrix.inverse) * mounting.transposed, offset: offset)
    for (raw, isAtEnd) in [
      (Vector3(4, 0.1, -3), true), (Vector3(0, -3.99, 0), true), (Vector3(3.9, 3.9, -3.9), false),
      (Vector3(0.1, 0.2, 0), false),
    ] {
      var engine = FusionEngine(params)
      for (k, rate) in [.zero, sample(raw)].enumerated() {
        let time = Timestamp(seconds: Double(k) / 100)
        engine.update(rotationRate: rate, at: time)
        engine.update(acceleration: Vector3(0, 0, -1), at: time)
      }
      #expect(engine.faults.contains(.gyroscopeAtRangeEnd) == isAtEnd, "\(raw)")
    }
  }

  @Test func `a range without a length is nil`() {
    #expect(SensorRange(end: 0) == nil)
    #expect(SensorRange(end: .nan) == nil)
    #expect(SensorRange(end: 1, offset: Vector3(.infinity, 0, 0)) == nil)
  }

  /// A gyroscope clipped at 60 degrees/s repeats its value on all three axes, but it has not hung.
  @Test func `a gyroscope that clips on all axes is not hung`() {
    let quick = SimulatedMotion(turning: 1, shaking: 0.05)
    var params = idealParams(hz: 100)
    params.rotationRateRange = SensorRange(end: rad(60))
    let course = FaultCourse(quick, params: params, after: 5) { _, sample in
      sample.rotationRate = Self.cut(sample.rotationRate * 5, rad(60))
    }
    #expect(course.faults.contains(.gyroscopeAtRangeEnd))
    #expect(!course.faults.contains(.gyroscopeHung))
  }

  /// A part with 1 degree/s per count and a bias of 0.4 always reads zero, and the bias stays
  /// unknown.
  @Test func `what a coarse gyroscope hides at rest stays unknown`() {
    func sigma(step: Double) -> (off: Double, sigma: Double) {
      var engine = FusionEngine(ideal)
      for k in 0..<6000 {
        let t = Double(k) / 100
        // The device is turned first, so that the gyroscope's steps are detected.
        let truth = t < 5 ? Vector3(0, 0, 0.3 * sin(3 * t)) : .zero
        let rate = truth + Vector3(rad(0.4), 0, 0)
        func round(_ x: Double) -> Double { (x / step).rounded() * step }
        engine.update(
          rotationRate: Vector3(round(rate.x), round(rate.y), round(rate.z)),
          at: Timestamp(seconds: t))
        engine.update(acceleration: Vector3(0, 0, -1), at: Timestamp(seconds: t))
      }
      return ((engine.gyroBias - Vector3(rad(0.4), 0, 0)).norm, engine.gyroBiasSigma)
    }
    let (coarse, fine) = (sigma(step: rad(1)), sigma(step: rad(0.001)))
    #expect(coarse.off < 3 * coarse.sigma)
    #expect(coarse.sigma > rad(0.1))
    #expect(fine.sigma < rad(0.05))
  }
}
