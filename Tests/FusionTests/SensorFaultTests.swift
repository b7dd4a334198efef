// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import Testing

/// Failures of a sensor, and the attitude during them.
@Suite("Faults of sensors") struct SensorFaultTests {
  private static let motion = FaultCourse.hand

  @Test func `sound sensors have no faults`() {
    let course = FaultCourse(after: 5) { _, _ in }
    #expect(course.faults == [])
    #expect(course.worst < 0.3)
  }

  /// The device turns by up to 125 degrees/s, and by 125 degrees in a second.
  @Test func `while a gyroscope is silent the attitude goes on by the accelerometer`() {
    let course = FaultCourse(after: 41) { t, sample in
      if t >= 30, t < 31 { sample.channels.remove(.rotationRate) }
    }
    #expect(course.faults == .gyroscopeSilent)
    // There is a motion for each sample, except during the 0.1 s until the failure is detected.
    #expect(course.motions >= 5500 - 11)
    #expect(course.worst < 10)
    #expect(course.inSigmas < 4)
    #expect(course.worstAfter < 0.3)
  }

  @Test func `a gyroscope that repeats a value while the device turns is not used`() {
    let course = FaultCourse(after: 41) { t, sample in
      if t >= 30, t < 31 { sample.rotationRate = Self.motion.sample(.rotationRate, at: 30) }
    }
    #expect(course.faults == .gyroscopeHung)
    #expect(course.worst < 20)
    #expect(course.worstAfter < 0.3)
  }

  /// A coarse part with 0.06 degrees/s per count repeats its value at rest.
  @Test func `a gyroscope that repeats a value at rest is sound`() {
    var engine = FusionEngine(ideal)
    for k in 0..<1000 {
      let time = Timestamp(seconds: Double(k) / 100)
      let taken = engine.update(rotationRate: Vector3(0.001, 0, 0), at: time)
      #expect(taken)
      engine.update(acceleration: Vector3(0.001 * Double(k % 3), 0, -1), at: time)
    }
    #expect(engine.faults == [])
    #expect(!engine.isCoasting)
  }

  @Test func `single rates that are off by 20 rad a second turn nothing`() {
    let course = FaultCourse(after: 5) { t, sample in
      let k = Int((t * 100).rounded())
      if k % 500 == 250 { sample.rotationRate.x += k % 1000 == 250 ? 20 : -20 }
    }
    #expect(course.faults == .gyroscopeGlitch)
    #expect(course.worst < 1)
  }

  /// A blow turns the device by 12 rad/s from one sample to the next, and the rotation continues.
  @Test func `a rate that the next sample confirms is turned, from its own time on`() {
    var bench = Bench(field: nil)
    bench.run(5)
    bench.run(0.1, rate: Vector3(12, 0, 0))
    bench.run(2)
    #expect(bench.inclinationError < rad(0.5))
    #expect(bench.engine.faults == [])
  }

  /// The device is shaken by 3 g with a range of 2 g, so that the mean of the clipped values is
  /// tilted.
  @Test func `an accelerometer at the end of its range is a fault, and the tilt stays`() {
    var engine = FusionEngine(ideal)
    var (worst, faults) = (0.0, SensorFaults())
    for k in 0..<3000 {
      let t = Double(k) / 100
      let time = Timestamp(seconds: t)
      let own = t < 10 ? 0 : 3 * sin(2 * .pi * 3.1 * t)
      // The motion is along an axis between x and z, so that both are clipped.
      func cut(_ x: Double) -> Double { min(2, max(-2, x)) }
      engine.update(rotationRate: .zero, at: time)
      engine.update(acceleration: Vector3(cut(own), 0, cut(-1 + own)), at: time)
      faults.formUnion(engine.faults)
      worst = max(worst, angle(FusionEngine.gravity(engine.attitude6), Vector3(0, 0, -1)))
    }
    #expect(faults == .accelerometerAtRangeEnd)
    #expect(worst < 3)
  }

  /// An arm of 0.6 m swings by 1 rad at 0.8 Hz about the shoulder from the first sample on: the
  /// first accelerations have errors of 1.5 g.
  @Test func `an arm that swings from the first sample on is upright within three seconds`() {
    var engine = FusionEngine()
    var (worst, sum) = (0.0, 0.0)
    for k in 0..<1500 {
      let t = Double(k) / 50
      let w = 2 * .pi * 0.8
      let (tilt, rate, change) = (sin(w * t), w * cos(w * t), -w * w * sin(w * t))
      let time = Timestamp(seconds: t)
      let up = Vector3(0, sin(tilt), cos(tilt))
      let own = Vector3(0, change, rate * rate) * (0.6 / 9.80665)
      engine.update(rotationRate: Vector3(rate, 0, 0), at: time)
      engine.update(acceleration: (up + own) * -1, at: time)
      guard t > 3 else { continue }
      let off = angle(FusionEngine.gravity(engine.attitude6), up * -1)
      worst = max(worst, off)
      sum += off * off
    }
    #expect(worst < 7)
    #expect((sum / 1350).squareRoot() < 4)
  }

  /// Turned and shaken by 0.2 g, with a gyroscope that reads half of the truth or another axis.
  @Test(arguments: [
    Matrix3(rows: Vector3(0.5, 0, 0), Vector3(0, 0.5, 0), Vector3(0, 0, 0.5)),
    Matrix3(rows: Vector3(0, 1, 0), Vector3(0, 0, 1), Vector3(1, 0, 0)),
  ])
  func `a gyroscope that gravity contradicts again and again is reported`(matrix: Matrix3) {
    let motion = SimulatedMotion(turning: 1, shaking: 0.2)
    let course = FaultCourse(motion, after: 60) { _, sample in
      sample.rotationRate = matrix * sample.rotationRate
    }
    #expect(course.faults.contains(.gyroscopeRefuted))
  }
}
