// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import Testing

@Suite("Heading and magnetic field")
struct HeadingTests {
  /// In north-west-up the top edge (+y) points west without a rotation, so north is a quarter turn
  /// clockwise.
  static func facing(_ degrees: Double) -> Quaternion {
    Quaternion(angle: -(degrees + 90) * degree, axis: Vector3(0, 0, 1))
  }

  @Test(arguments: [0.0, 45, 90, 180, 270, 359])
  func `the top edge north is 0, east 90, south 180, west 270, tilted too`(_ degrees: Double) {
    for tilt in [0.0, 40] {
      let device = IdealDevice(
        attitude: Self.facing(degrees)
          * Quaternion(angle: tilt * degree, axis: Vector3(1, 0, 0)))
      var engine = FusionEngine()
      engine.update(acceleration: device.acceleration, at: .zero)
      #expect(!engine.hasHeading)
      engine.update(magneticField: device.magneticField, at: .zero)
      #expect(engine.hasHeading && engine.magneticAccuracy == .uncalibrated)
      let off = headingDegrees(of: engine.attitude9) - degrees
      #expect(abs(off) < 1e-6 || abs(abs(off) - 360) < 1e-6)
      #expect(angle(engine.attitude9, device.attitude) < 1e-5)
    }
  }

  @Test func `heading lies from 0 to below 360`() {
    for k in -720...720 {
      let value = headingDegrees(of: Self.facing(Double(k)))
      #expect(value >= 0 && value < 360)
    }
  }

  /// Returns an engine after ten seconds at rest and a minute of rotation about two axes, in which
  /// it learns the local field and that the device has no field of its own. With one axis, a field
  /// along it would stay unknown.
  func learned(_ device: inout IdealDevice) -> (FusionEngine, Double) {
    var engine = FusionEngine(ideal)
    var time = device.turn(.zero, for: 10, from: 0, hz: 50, into: &engine)
    time = device.turn(Vector3(0.3, 0.5, 0.8), for: 30, from: time, hz: 50, into: &engine)
    time = device.turn(Vector3(0.8, -0.5, 0.3), for: 30, from: time, hz: 50, into: &engine)
    return (engine, time)
  }

  @Test func `a magnet is recognised, ignored and forgotten once gone`() {
    var device = IdealDevice()
    var (engine, time) = learned(&device)
    #expect(!engine.isMagneticallyDisturbed && engine.magneticAccuracy == .high)
    #expect(angle(engine.attitude9, device.attitude) < 0.5)
    let clean = device.field
    device.field += Vector3(0, 40, 10)
    time = device.turn(Vector3(0, 0.1, 0.2), for: 15, from: time, hz: 50, into: &engine)
    #expect(engine.isMagneticallyDisturbed && engine.magneticAccuracy == .low)
    #expect(angle(engine.attitude9, device.attitude) < 1)
    device.field = clean
    time = device.turn(Vector3(0, 0.1, 0.2), for: 15, from: time, hz: 50, into: &engine)
    // Whether the magnet is part of the device is decided only after more rotation.
    #expect(!engine.isMagneticallyDisturbed && engine.magneticAccuracy >= .medium)
    #expect(angle(engine.attitude9, device.attitude) < 1)
    _ = device.turn(Vector3(0, 0.1, 0.2), for: 15, from: time, hz: 50, into: &engine)
    #expect(engine.magneticAccuracy == .high)
  }

  @Test func `a magnet that passes before the first turn does not move north`() {
    var device = IdealDevice()
    var engine = FusionEngine(ideal)
    var time = 0.0
    func rock(for seconds: Int) {
      for _ in 0..<seconds {
        // The rotation is too slow to learn a field.
        for rate in [0.2, -0.2] {
          time = device.turn(Vector3(rate, 0, 0), for: 0.5, from: time, hz: 50, into: &engine)
        }
      }
    }
    rock(for: 30)
    let clean = device.field
    device.field += Vector3(0, 30, -20)
    rock(for: 3)
    device.field = clean
    rock(for: 1)
    #expect(angle(engine.attitude9, device.attitude) < 2)
  }

  @Test func `a field whose direction wavers counts less, norm and dip be as they may`() {
    /// Returns the heading's error in degrees, five seconds after a field that varied by
    /// `amplitude` is rotated by `angle` permanently.
    func error(wavering amplitude: Double, turnedBy angle: Double) -> Double {
      var device = IdealDevice()
      var engine = FusionEngine(ideal)
      let place = device.field
      func turnField(_ angle: Double) {
        device.field = Quaternion(angle: angle * degree, axis: Vector3(0, 0, 1)).rotate(place)
      }
      var time = 0.0
      for step in 0..<240 {
        turnField(amplitude * sin(Double(step) * 2.4))
        let rate = step % 16 < 8 ? Vector3(0.3, 0.5, 0.8) : Vector3(0.8, -0.5, 0.3)
        time = device.turn(rate, for: 0.25, from: time, hz: 50, into: &engine)
      }
      turnField(angle)
      _ = device.turn(Vector3(0, 0, 0.8), for: 5, from: time, hz: 50, into: &engine)
      return headingDegrees(of: engine.attitude9) - headingDegrees(of: device.attitude)
    }
    func followed(wavering amplitude: Double) -> Double {
      let (with, without) = (
        error(wavering: amplitude, turnedBy: 10), error(wavering: amplitude, turnedBy: 0)
      )
      return abs(with - without)
    }
    #expect(followed(wavering: 15) < 0.5 * followed(wavering: 0))
  }

  @Test func `another place's field is accepted after turning in it long enough`() {
    var device = IdealDevice()
    var (engine, time) = learned(&device)
    device.field = Vector3(18, 0, -25)
    time = device.turn(Vector3(0.3, 0.5, 0.8), for: 10, from: time, hz: 50, into: &engine)
    #expect(engine.isMagneticallyDisturbed)
    time = device.turn(Vector3(0.3, 0.5, 0.8), for: 30, from: time, hz: 50, into: &engine)
    #expect(!engine.isMagneticallyDisturbed)
  }

  @Test func `at rest near a magnet no field is accepted as new`() {
    var device = IdealDevice()
    var (engine, time) = learned(&device)
    device.field += Vector3(0, 40, 10)
    time = device.turn(.zero, for: 40, from: time, hz: 50, into: &engine)
    #expect(engine.isMagneticallyDisturbed)
    #expect(angle(engine.attitude9, device.attitude) < 1)
  }

  @Test func `the corrected attitude begins as the six-axis one, held to the field`() {
    var device = IdealDevice(attitude: Self.facing(120))
    var engine = FusionEngine(ideal)
    // The bias about the vertical cannot be learned, because the device never rests.
    var params = ideal
    params.learnsBiasAtRest = false
    params.learnsBiasInMotion = false
    engine = FusionEngine(params)
    var time = 0.0
    var before = Quaternion.identity
    var drifted = 0.0
    for step in 0..<240 {
      let rate = Vector3(0, 0, step % 2 == 0 ? 0.8 : -0.8)
      time = device.turn(
        rate, for: 0.5, from: time, hz: 50, bias: Vector3(0, 0, 0.5 * degree), into: &engine)
      if step == 0 { #expect(angle(engine.attitudeCorrected, engine.attitude6) < 1e-9) }
      if step > 0 && step % 2 == 1 {
        // Every second step ends in the same attitude.
        if step > 1 { #expect(angle(before, engine.attitudeCorrected) < 2) }
        before = engine.attitudeCorrected
        drifted = angle(engine.attitude6, engine.attitudeCorrected)
      }
    }
    // 0.5 degrees/s for 120 s, of which the first seconds set the direction of x.
    #expect(drifted > 40)
    let six = EulerAngles(engine.attitudeCorrected).yaw / degree
    #expect(abs(six) < 12)
  }

  @Test func `vertical and vanishing fields are survived`() {
    var engine = FusionEngine()
    engine.update(acceleration: Vector3(0, 0, -1), at: .zero)
    engine.update(magneticField: Vector3(0, 0, -50), at: .zero)
    engine.update(magneticField: .zero, at: .milliseconds(10))
    #expect(!engine.hasHeading && engine.isSound)
  }
}

extension Timestamp {
  static func milliseconds(_ count: Int64) -> Timestamp { .zero + .milliseconds(count) }
}
