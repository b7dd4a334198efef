// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import Testing

@Suite("Attitude")
struct AttitudeTests {
  @Test func `the first acceleration gives gravity in all 24 mountings, and yaw zero`() {
    #expect(mountings.count == 24)
    for mounting in mountings {
      let device = IdealDevice(attitude: mounting)
      var engine = FusionEngine()
      #expect(!engine.hasAttitude && !engine.hasHeading && engine.magneticAccuracy == .uncalibrated)
      #expect(engine.attitude6 == .identity)
      engine.update(acceleration: device.acceleration, at: .zero)
      #expect(engine.hasAttitude)
      #expect(angle(FusionEngine.gravity(engine.attitude6), device.acceleration) < 1e-6)
      let upright = abs(device.acceleration.y) > 0.99
      if !upright { #expect(abs(EulerAngles(engine.attitude6).yaw) < 1e-9) }
    }
  }

  @Test func `flat, face down, upright and on edge have Core Motion's angles`() {
    for down in [Vector3(0, 0, -1), Vector3(0, 0, 1), Vector3(0, -1, 0), Vector3(-1, 0, 0)] {
      var engine = FusionEngine()
      engine.update(acceleration: down, at: .zero)
      #expect(angle(FusionEngine.gravity(engine.attitude6), down) < 1e-6)
    }
    var engine = FusionEngine()
    engine.update(acceleration: Vector3(0, 0, -1), at: .zero)
    #expect(engine.attitude6 == .identity)
  }

  @Test func `rest keeps the attitude in all 24 mountings, with and without a magnetometer`() {
    for mounting in mountings {
      var device = IdealDevice(attitude: mounting)
      var engine = FusionEngine()
      _ = device.turn(.zero, for: 4, from: 0, hz: 50, into: &engine)
      #expect(engine.isAtRest)
      #expect(angle(FusionEngine.gravity(engine.attitude6), device.acceleration) < 1e-6)
      #expect(angle(engine.attitude9, mounting) < 1e-5)
    }
  }

  @Test func `a quarter turn counter-clockwise seen from above is yaw +90`() {
    var device = IdealDevice()
    var engine = FusionEngine(ideal)
    var time = device.turn(.zero, for: 2, from: 0, magnetometer: false, into: &engine)
    time = device.turn(
      Vector3(0, 0, 90 * degree), for: 1, from: time, magnetometer: false, into: &engine)
    #expect(abs(EulerAngles(engine.attitude6).yaw / degree - 90) < 0.05)
    #expect(abs(EulerAngles(engine.attitude6).pitch) < 1e-6)
  }

  @Test func `half turns about each axis are followed, gyroscope and gravity agreeing`() {
    for axis in [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1), Vector3(0.6, 0, 0.8)] {
      var device = IdealDevice()
      var engine = FusionEngine(ideal)
      let time = device.turn(.zero, for: 2, from: 0, into: &engine)
      _ = device.turn(axis * Double.pi, for: 1, from: time, into: &engine)
      #expect(angle(engine.attitude6, device.attitude) < 0.05)
      #expect(angle(engine.attitude9, device.attitude) < 0.05)
    }
  }

  @Test func `a minute of rotation about a slanted axis is followed`() {
    let rate = Vector3(1.1, -0.7, 2.3)
    var engine = FusionEngine(ideal)
    var device = IdealDevice()
    var noise = Noise(seed: 1)
    var time = device.turn(.zero, for: 3, from: 0, into: &engine)
    let start = time
    while time < start + 60 {
      time += 0.01 * (1 + 0.8 * noise.next())
      device.attitude = Quaternion(rotationVector: rate * (time - start))
      device.feed(rate, at: time, into: &engine)
    }
    #expect(angle(engine.attitude9, device.attitude) < 0.5)
    #expect(angle(FusionEngine.gravity(engine.attitude6), device.acceleration) < 0.2)
  }

  @Test func `a delay of the gyroscope is made good by looking ahead`() {
    var params = FusionEngine.Params()
    // Half an interval, and 10 ms more.
    params.gyroDelay = 0.015
    var engine = FusionEngine(params)
    var device = IdealDevice()
    let time = device.turn(.zero, for: 2, from: 0, into: &engine)
    let rate = Vector3(0, 0, 2)
    _ = device.turn(rate, for: 1, from: time, into: &engine)
    #expect(angle(engine.attitude6, Quaternion(rotationVector: rate * 1.01)) < 0.05)
  }

  @Test func `acceleration alone gives gravity that follows within a second`() {
    var engine = FusionEngine()
    for k in 0..<100 {
      let down = k < 50 ? Vector3(0, 0, -1) : Vector3(0, -1, 0)
      engine.update(acceleration: down, at: .zero + .milliseconds(Int64(k) * 20))
    }
    #expect(angle(FusionEngine.gravity(engine.attitude6), Vector3(0, -1, 0)) < 1)
    #expect(!engine.isAtRest)
  }

  @Test func `gravity is the transposed attitude's turn of down`() {
    var noise = Noise(seed: 7)
    for _ in 0..<100 {
      let q = Quaternion(w: noise.next(), x: noise.next(), y: noise.next(), z: noise.next())
        .normalized
      let expected = q.conjugate.rotate(Vector3(0, 0, -1))
      #expect((FusionEngine.gravity(q) - expected).norm < 1e-12)
    }
  }

  @Test func `short accelerations move the inclination little`() {
    var engine = FusionEngine()
    let device = IdealDevice()
    var worst = 0.0
    for k in 0..<2000 {
      let t = Double(k) / 100
      let shaking = t > 5 ? Vector3(sin(t * 90), 0, 0) : .zero
      let time = Timestamp(seconds: t)
      engine.update(rotationRate: .zero, at: time)
      engine.update(acceleration: device.acceleration + shaking, at: time)
      worst = max(worst, angle(FusionEngine.gravity(engine.attitude6), Vector3(0, 0, -1)))
    }
    #expect(worst > 0 && worst < 0.5)
  }
}
