// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import Testing

@Suite struct RotationTests {
  /// 40 deg/s for 4.5 s about x: pitch reaches 180 degrees through the pole.
  @Test func `half a turn about x is followed, through the pole`() {
    var bench = Bench(field: nil)
    bench.sample()
    var turned = 0.0
    bench.run(4.5, rate: Vector3(rad(40), 0, 0)) { bench in
      turned += rad(0.4)
      let expected = Quaternion(w: cos(turned / 2), x: sin(turned / 2), y: 0, z: 0)
      #expect(separation(bench.engine.attitude6, expected) < 1e-3)
    }
    #expect(abs(turned - Double.pi) < 1e-9)
  }

  @Test func `a turn back about y is followed`() {
    var bench = Bench(field: nil)
    bench.sample()
    var turned = 0.0
    bench.run(9, rate: Vector3(0, rad(-40), 0)) { bench in
      turned -= rad(0.4)
      let expected = Quaternion(w: cos(turned / 2), x: 0, y: sin(turned / 2), z: 0)
      #expect(separation(bench.engine.attitude6, expected) < 1e-3)
    }
  }

  @Test func `two turns about z are followed`() {
    var bench = Bench(field: nil)
    bench.sample()
    var turned = 0.0
    bench.run(18, rate: Vector3(0, 0, rad(40))) { bench in
      turned += rad(0.4)
      let expected = Quaternion(w: cos(turned / 2), x: 0, y: 0, z: sin(turned / 2))
      #expect(separation(bench.engine.attitude6, expected) < 1e-3)
    }
  }

  /// Face up, rotated counter-clockwise seen from above: yaw is +90 degrees, the other angles are
  /// 0.
  @Test func `a quarter turn seen from above is yaw +90 and nothing else`() {
    var bench = Bench(field: nil)
    bench.run(2)
    bench.run(3, rate: Vector3(0, 0, rad(30)))
    let angles = EulerAngles(bench.engine.attitude6)
    #expect(abs(angles.yaw - 1.5707963267948966) < 1e-3)
    #expect(abs(angles.pitch) < 1e-6)
    #expect(abs(angles.roll) < 1e-6)
    let q = bench.engine.attitude6
    #expect(
      separation(q, Quaternion(w: 0.7071067811865476, x: 0, y: 0, z: 0.7071067811865476)) < 1e-3)
    // The top edge, which pointed along y, points along -x.
    #expect((q.rotate(Vector3(0, 1, 0)) - Vector3(-1, 0, 0)).norm < 1e-3)
  }

  /// Pitch of exactly +90 and -90 degrees: at rest, in passing, and turning about the pole.
  @Test(arguments: [1.0, -1.0])
  func `at, through and about the poles the attitude is right`(sign: Double) {
    var bench = Bench()
    bench.run(1)
    bench.run(3, rate: Vector3(sign * rad(30), 0, 0))
    bench.run(2)
    #expect(bench.inclinationError < 1e-6)
    bench.run(5, rate: Vector3(0, rad(45), 0)) { bench in
      #expect(Outputs(bench.engine).isSound)
      let angles = EulerAngles(bench.engine.attitude9)
      #expect(angles.roll.isFinite && angles.pitch.isFinite && angles.yaw.isFinite)
      #expect(abs(angles.pitch - sign * rad(90)) < 1e-3)
      #expect(headingDegrees(of: bench.engine.attitude9).isFinite)
    }
    #expect(separation(bench.engine.attitude9, bench.attitude) < 1e-3)
  }

  /// The accelerometer has 12.5 Hz, the gyroscope 400 Hz.
  @Test func `a slow accelerometer and a fast gyroscope agree`() {
    var engine = FusionEngine(ideal)
    var attitude = Quaternion.identity
    let rate = Vector3(0.7, -0.4, 0.5)
    var worst = 0.0
    for k in 0..<(400 * 20) {
      let time = Timestamp(nanoseconds: Int64(k) * 2_500_000)
      if k > 0 { attitude = attitude * Quaternion(rotationVector: rate * 0.0025) }
      engine.update(rotationRate: rate, at: time)
      if k % 32 == 0 {
        engine.update(acceleration: attitude.conjugate.rotate(Vector3(0, 0, -1)), at: time)
      }
      worst = max(worst, separation(engine.attitude6, attitude))
    }
    #expect(worst < 1e-3)
    #expect(engine.gyroBias.norm < rad(0.05))
  }

  /// The reverse, with times that never coincide.
  @Test func `a fast accelerometer and a slow gyroscope agree`() {
    var engine = FusionEngine(ideal)
    let rate = Vector3(0.3, 0.2, -0.6)
    func attitude(_ nanoseconds: Int64) -> Quaternion {
      Quaternion(rotationVector: rate * (Double(nanoseconds) / 1e9))
    }
    engine.update(rotationRate: rate, at: .zero)
    engine.update(acceleration: Vector3(0, 0, -1), at: .zero)
    for k in 1...(104 * 20) {
      let gyro = Int64(k) * 9_615_385
      for part in 0..<4 {
        let time = gyro - 9_615_385 + 1_000 + Int64(part) * 2_400_000
        engine.update(
          acceleration: attitude(time).conjugate.rotate(Vector3(0, 0, -1)),
          at: Timestamp(nanoseconds: time))
      }
      engine.update(rotationRate: rate, at: Timestamp(nanoseconds: gyro))
      #expect(separation(engine.attitude6, attitude(gyro)) < rad(0.5))
    }
  }

  /// No samples for ten seconds, during which the device is laid down differently.
  @Test func `after ten seconds of silence the attitude is found at once`() {
    var bench = Bench()
    bench.run(10, rate: Vector3(0.3, 0.1, -0.2))
    bench.time = bench.time + .seconds(10)
    bench.attitude = Quaternion(angle: 2, axis: Vector3(0.6, 0, 0.8)) * bench.attitude
    bench.sample()
    #expect(Outputs(bench.engine).isSound)
    bench.run(5, rate: Vector3(0.1, -0.3, 0.2)) { #expect(Outputs($0.engine).isSound) }
    #expect(bench.inclinationError < rad(0.5))
    #expect(separation(bench.engine.attitude9, bench.attitude) < rad(2))
    #expect(bench.engine.gyroBias.norm < rad(0.1))
  }

  /// The accelerometer is silent: the gyroscope maintains the attitude, and one sample taken during
  /// a push does not tilt it.
  @Test func `the gyroscope carries the attitude over the accelerometer's gap`() {
    var bench = Bench(field: nil)
    bench.run(10)
    let start = bench.time
    for k in 1...500 {
      bench.time = start + .milliseconds(Int64(k) * 10)
      bench.engine.update(rotationRate: .zero, at: bench.time)
    }
    bench.engine.update(acceleration: Vector3(0.5, 0, -1), at: bench.time)
    #expect(bench.inclinationError < rad(1))
    #expect(!bench.engine.isAtRest)
    bench.run(5)
    #expect(bench.inclinationError < rad(0.5))
  }

  /// An accelerometer with intervals above the longest gap, together with a fast gyroscope.
  @Test func `an accelerometer every two seconds holds the attitude`() {
    var bench = Bench(field: nil)
    bench.hertz = 50
    var params = ideal
    params.gyroDelay = 0.01
    bench.engine = FusionEngine(params)
    let rate = Vector3(0, 0, rad(20))
    bench.sample()
    for k in 1...(50 * 20) {
      bench.time = bench.time + .milliseconds(20)
      bench.attitude = (bench.attitude * Quaternion(rotationVector: rate * 0.02)).normalized
      bench.engine.update(rotationRate: rate, at: bench.time)
      if k % 100 == 0 { bench.engine.update(acceleration: Vector3(0, 0, -1), at: bench.time) }
    }
    #expect(separation(bench.engine.attitude6, bench.attitude) < 1e-3)
  }

  /// A board that changes its rate while running keeps attitude and bias.
  @Test func `a change of rate keeps attitude and bias`() {
    var bench = Bench()
    bench.engine = FusionEngine(ideal.calibrated)
    bench.run(10, rate: Vector3(0, rad(20), 0))
    for hertz in [25, 200, 50, 400, 10, 100] as [Int64] {
      bench.hertz = hertz
      bench.run(4, rate: Vector3(0, rad(20), rad(20))) { bench in
        #expect(bench.inclinationError < rad(0.2))
      }
    }
    #expect(bench.engine.gyroBias.norm < rad(0.02))
  }

  /// A change of rate does not look like motion or like a magnet.
  @Test func `a change of rate at rest is neither motion nor a magnet`() {
    var bench = Bench()
    bench.run(20, rate: Vector3(rad(10), rad(20), rad(30)))
    bench.run(5)
    for hertz in [25, 200, 50, 400, 10, 100] as [Int64] {
      bench.hertz = hertz
      bench.run(4) { bench in
        #expect(bench.engine.isAtRest)
        #expect(!bench.engine.isMagneticallyDisturbed)
      }
    }
  }
}
