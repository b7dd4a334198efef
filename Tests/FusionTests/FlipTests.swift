// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import SeededRandom
import Testing

/// Attitudes at which formulas fail: half turns, where two quaternions are one attitude, and the
/// poles, where yaw and roll are one angle.
@Suite("Flips and poles")
struct FlipTests {
  static let axes = [
    Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1), Vector3(-1, 0, 0), Vector3(0, -1, 0),
    Vector3(0.6, 0, 0.8), Vector3(0.48, -0.6, 0.64),
  ]

  @Test func `half a turn in quarters and back is followed from every mount`() {
    for start in Mount.all {
      for axis in Self.axes {
        var device = IdealDevice(attitude: start.rotation)
        var engine = FusionEngine(idealParams(hz: 50))
        var time = device.turn(.zero, for: 1, from: 0, hz: 50, into: &engine)
        for direction in [1.0, 1, -1, -1] {
          let rate = axis * (direction * Double.pi)
          time = device.turn(rate, for: 0.5, from: time, hz: 50, into: &engine)
          time = device.turn(.zero, for: 0.2, from: time, hz: 50, into: &engine)
          // An ideal gyroscope integrates a quarter turn exactly. The remaining error is that of
          // the accelerometer's filter, which holds each sample over the preceding interval: 2
          // degrees per step, weighted by its time constant.
          #expect(angle(engine.attitude9, device.attitude) < 0.1, "\(start) \(axis)")
        }
      }
    }
  }

  @Test func `an engine that starts upside down or on edge follows a turn over`() {
    for off in [0, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3] {
      for start in Mount.all {
        let tilt = Quaternion(rotationVector: Vector3(off, -off / 2, 0))
        var device = IdealDevice(attitude: (tilt * start.rotation).normalized)
        var engine = FusionEngine(ideal)
        device.feed(.zero, at: 0, into: &engine)
        #expect(angle(engine.attitude9, device.attitude) < 1e-3, "\(start) \(off)")
        _ = device.turn(Vector3(0, 2 * Double.pi, 0), for: 0.5, from: 0, into: &engine)
        #expect(angle(engine.attitude9, device.attitude) < 0.1, "\(start) \(off)")
      }
    }
  }

  /// A first acceleration during a knock is one of many: after a second at 100 Hz the mean has it
  /// with a weight of 1 in 100, and an arc of 1/99 is 0.58 degrees.
  @Test func `a first acceleration that is wrong by any angle is forgotten within a second`() {
    for knock in Mount.all.map({ $0(Vector3(0, 0, -1)) }) + [Vector3(0.6, 0, 0.8)] {
      var engine = FusionEngine(ideal)
      let device = IdealDevice()
      engine.update(acceleration: knock, at: .zero)
      for k in 1...400 {
        device.feed(.zero, at: Double(k) / 100, into: &engine)
        #expect(engine.isSound, "\(knock) \(k)")
        let off = angle(FusionEngine.gravity(engine.attitude6), device.acceleration)
        if k >= 100 { #expect(off < 0.6, "\(knock) \(k)") }
      }
    }
  }

  /// The accelerometer turns over while the gyroscope does not: it is mounted differently from the
  /// board file, or the gyroscope reads zero.
  @Test func `up turned over against the gyroscope is followed, in finite numbers`() {
    for axis in Self.axes where abs(axis.z) < 1 {
      var device = IdealDevice()
      var engine = FusionEngine(ideal)
      let time = device.turn(.zero, for: 5, from: 0, into: &engine)
      device.attitude = Quaternion(angle: .pi, axis: Vector3(axis.x, axis.y, 0).normalized ?? axis)
      for k in 1...3000 {
        device.feed(.zero, at: time + Double(k) / 100, into: &engine)
        #expect(engine.isSound)
      }
      #expect(angle(FusionEngine.gravity(engine.attitude6), device.acceleration) < 1)
    }
  }

  /// Through the pole and past it at various distances. A sample turns the device by 0.9 degrees,
  /// so an attitude that changes by another angle has jumped.
  @Test(arguments: [1.0, -1.0])
  func `pitch through +-90 degrees makes no attitude jump`(sign: Double) {
    for off in [0, 1e-12, 1e-8, 1e-6, 1e-4, 1e-2] {
      var device = IdealDevice(attitude: Quaternion(rotationVector: Vector3(0, off, 0)))
      var engine = FusionEngine(ideal)
      var time = device.turn(.zero, for: 2, from: 0, into: &engine)
      let start = device.attitude
      let rate = Vector3(sign * rad(90), 0, 0)
      var last = engine
      for k in 1...200 {
        time += 0.01
        device.attitude = start * Quaternion(rotationVector: rate * (Double(k) / 100))
        device.feed(rate, at: time, into: &engine)
        let steps = [
          separation(last.attitude6, engine.attitude6),
          separation(last.attitude9, engine.attitude9),
          separation(last.attitudeCorrected, engine.attitudeCorrected),
        ]
        for step in steps { #expect(abs(step - rad(0.9)) < rad(0.05), "\(off) \(k)") }
        #expect(engine.isSound)
        let angles = EulerAngles(engine.attitude9)
        #expect(angles.yaw.isFinite && angles.pitch.isFinite && angles.roll.isFinite)
        #expect((0..<360).contains(headingDegrees(of: engine.attitude9)))
        last = engine
      }
      #expect(angle(engine.attitude9, device.attitude) < 0.05)
    }
  }

  /// Held at the pole with a sensor's noise, so that pitch crosses it repeatedly.
  @Test(arguments: [1.0, -1.0])
  func `a minute at the pole, with noise, keeps the attitude`(sign: Double) {
    var noise = SplitMix(state: 90)
    let device = IdealDevice(
      attitude: Quaternion(angle: sign * .pi / 2, axis: Vector3(1, 0, 0)))
    var engine = FusionEngine(ideal)
    for k in 0..<6000 {
      let time = Timestamp(seconds: Double(k) / 100)
      engine.update(rotationRate: noise.vector(0.005), at: time)
      engine.update(acceleration: device.acceleration + noise.vector(0.005), at: time)
      engine.update(magneticField: device.magneticField + noise.vector(0.5), at: time)
      #expect(engine.isSound)
      // An acceleration error of 0.005 g and a field error of 0.5 of 25 microtesla are at most 0.4
      // and 2 degrees.
      #expect(angle(engine.attitude9, device.attitude) < 2.5)
    }
    #expect(angle(engine.attitude9, device.attitude) < 0.3)
  }
}
