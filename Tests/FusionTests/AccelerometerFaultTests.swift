// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import Testing

/// The attitude if gravity or the field is no longer measured.
@Suite("Faults of accelerometer and magnetometer") struct AccelerometerFaultTests {
  private static let motion = FaultCourse.hand

  /// The device turns by 60 degrees meanwhile, so the repeated value is far from gravity.
  @Test func `an accelerometer that repeats a value while the device turns is not used`() {
    let course = FaultCourse(after: 5) { t, sample in
      if t >= 30, t < 32 { sample.acceleration = Self.motion.sample(.acceleration, at: 30) }
    }
    #expect(course.faults == .accelerometerHung)
    #expect(course.worst < 0.5)
    #expect(course.inSigmas < 4)
    // Nothing that was learned is discarded because of the fault.
    let sound = FaultCourse(after: 5) { _, _ in }
    #expect(course.engine.gyroBiasSigma < 1.1 * sound.engine.gyroBiasSigma)
  }

  @Test func `while an accelerometer is silent the gyroscope carries the attitude on`() {
    let course = FaultCourse(after: 5) { t, sample in
      if t >= 30.05, t < 31.5 { sample.channels.remove(.acceleration) }
    }
    #expect(course.faults == .accelerometerSilent)
    #expect(course.worst < 0.5)
    #expect(course.inSigmas < 4)
  }

  /// At rest a coarse part with 1/64 g per count repeats its value, whatever the gyroscope's bias.
  @Test func `coarse sensors that repeat their values at rest are sound`() {
    var engine = FusionEngine()
    for k in 0..<3000 {
      let time = Timestamp(seconds: Double(k) / 100)
      let taken = [
        engine.update(rotationRate: Vector3(rad(3), 0, rad(-1)), at: time),
        engine.update(acceleration: Vector3(1.0 / 64, 0, -1), at: time),
        engine.update(magneticField: Vector3(20, 0, -45), at: time),
      ]
      #expect(taken == [true, true, true])
    }
    #expect(engine.faults == [])
    #expect(!engine.isCoasting)
  }

  /// 1 degree/s, 1/64 g and 1 microtesla per count: values often repeat while a hand changes
  /// direction.
  @Test func `coarse sensors in motion are sound`() {
    func round(_ v: Vector3, to step: Double) -> Vector3 {
      func round(_ x: Double) -> Double { (x / step).rounded() * step }
      return Vector3(round(v.x), round(v.y), round(v.z))
    }
    let slow = SimulatedMotion(turning: 0.1, shaking: 0.05)
    let course = FaultCourse(slow, magnetometer: true, after: 5) { _, sample in
      sample.rotationRate = round(sample.rotationRate, to: rad(1))
      sample.acceleration = round(sample.acceleration, to: 1.0 / 64)
      sample.magneticField = round(sample.magneticField, to: 1)
    }
    #expect(course.faults == [])
  }

  /// A chip at 8 Hz that is read with each sample of the other sensors.
  @Test func `a slow magnetometer that is read more often is sound`() {
    let course = FaultCourse(magnetometer: true, after: 5) { t, sample in
      let read = (t * 8).rounded(.down) / 8
      sample.magneticField = Self.motion.sample(.magneticField, at: read)
    }
    #expect(course.faults == [])
  }

  @Test func `a magnetometer that repeats a value while the device turns is not used`() {
    let course = FaultCourse(magnetometer: true, after: 5) { t, sample in
      if t >= 30, t < 32 { sample.magneticField = Self.motion.sample(.magneticField, at: 30) }
    }
    #expect(course.faults == .magnetometerHung)
    #expect(course.worstHeading < 1)
  }

  /// The device is at rest, so no velocity may be estimated, and no tilt from it.
  @Test func `an epoch that the accelerometer leaves half done gains no velocity`() {
    var engine = FusionEngine(ideal)
    var fastest = 0.0
    for k in 0..<3000 {
      let t = Double(k) / 100
      engine.update(rotationRate: .zero, at: Timestamp(seconds: t))
      // Half of an epoch of 0.12 s has samples, then there are none for 0.5 s.
      if t < 10 || t.truncatingRemainder(dividingBy: 1) < 0.42 {
        engine.update(acceleration: Vector3(0, 0, -1), at: Timestamp(seconds: t))
      }
      fastest = max(fastest, engine.velocity.norm)
    }
    #expect(engine.faults.contains(.accelerometerSilent))
    #expect(fastest < 0.01)
  }
}
