// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import SeededRandom
import Testing

/// External measurements of the motion, and their effect.
@Suite("Aiding") struct AidingTests {
  /// Returns the speed in m/s of a cart on level ground that accelerates along x for eight seconds,
  /// rolls for eight, and brakes.
  static func speed(_ t: Double) -> Double {
    t < 10 ? 0 : t < 18 ? 2.5 * (t - 10) : t < 26 ? 20 : max(0, 20 - 2.5 * (t - 26))
  }

  /// Returns the largest tilt error in radians after ten seconds at rest.
  static func worstTilt(_ engine: FusionEngine, isAided: Bool) -> Double {
    var (engine, worst) = (engine, 0.0)
    for k in 0..<4000 {
      let t = Double(k) / 100
      let time = Timestamp(seconds: t)
      let forward = (speed(t + 0.005) - speed(t - 0.005)) / 0.01 / 9.80665
      engine.update(rotationRate: .zero, at: time)
      // With Core Motion's sign: gravity less the device's acceleration.
      engine.update(acceleration: Vector3(forward, 0, -1), at: time)
      if isAided, k % 20 == 0 {
        let taken = engine.aid(
          velocity: Vector3(-speed(t), 0, 0), in: .device, sigma: 0.1, at: time)
        #expect(taken)
      }
      guard t > 10 else { continue }
      let down = FusionEngine.gravity(engine.attitude6)
      worst = max(worst, acos(min(1, -down.z)))
    }
    return worst
  }

  @Test func `wheels that know their speed hold the horizon while a cart gathers it`() {
    // For a hand the ride on a cart is recognised; a boat is not expected to ride.
    let boat = FusionEngine(FusionEngine.Params(carrier: .water))
    #expect(Self.worstTilt(boat, isAided: false) > rad(3))
    #expect(Self.worstTilt(boat, isAided: true) < rad(0.5))
    #expect(Self.worstTilt(FusionEngine(ideal), isAided: true) < rad(0.5))
  }

  /// Returns the speed in m/s of a cart that accelerates by 1 m/s^2 for ten seconds, rolls for ten,
  /// brakes for ten and stands for ten.
  static func shuttle(_ t: Double) -> Double {
    guard t > 3 else { return 0 }
    let round = (t - 3).truncatingRemainder(dividingBy: 40)
    return round < 10 ? round : round < 20 ? 10 : max(0, 30 - round)
  }

  /// Returns the largest error of pitch in degrees, with an MPU-6050's noise and bias
  /// (PS-MPU-6000A-00, 6.1 and 6.2) and a shaking floor.
  static func worstPitch(_ carrier: Carrier, isAided: Bool) -> Double {
    var params = FusionEngine.Params(carrier: carrier)
    params.expectCalibratedAccelerometer()
    var engine = FusionEngine(params)
    var random = SplitMix(state: 7)
    var worst = 0.0
    for k in 0..<6000 {
      let t = Double(k) / 100
      let time = Timestamp(seconds: t)
      let rolls = shuttle(t) > 0.05
      let forward = (shuttle(t + 0.005) - shuttle(t - 0.005)) / 0.01 / 9.80665
      let bias = Vector3(rad(0.6), rad(-0.4), rad(0.3))
      // A uniform distribution with this half width has a standard deviation of 1.
      let unit = 3.0.squareRoot()
      let shaking = random.vector(rolls ? 0.01 * unit : 0)
      engine.update(rotationRate: bias + random.vector(rad(0.05) * unit) + shaking, at: time)
      engine.update(
        acceleration: Vector3(0, -forward, -1) + random.vector((rolls ? 0.024 : 0.004) * unit),
        at: time)
      if isAided, k % 10 == 0 {
        engine.aid(velocity: Vector3(0, shuttle(t), 0), in: .device, sigma: 0.1, at: time)
      }
      if t > 3 { worst = max(worst, abs(EulerAngles(engine.attitude6).pitch)) }
    }
    return worst * 180 / Double.pi
  }

  /// The table on the page Aiding, with another draw of the noise.
  @Test func `the figures of the page on aiding are those of a cart`() {
    let (nothing, wheels) = (
      Self.worstPitch(.hand, isAided: false), Self.worstPitch(.wheels, isAided: false)
    )
    let reported = Self.worstPitch(.hand, isAided: true)
    #expect((4.0...12).contains(nothing), "\(nothing)")
    #expect((0.5...2).contains(wheels), "\(wheels)")
    #expect(reported < 0.5, "\(reported)")
  }

  @Test func `a carrier on wheels tilts little by itself, said or not`() {
    var params = FusionEngine.Params(carrier: .wheels)
    params.gyroDelay = 0.005
    params.accelerationDelay = 0
    // The push corresponds to 14 degrees of gravity.
    #expect(Self.worstTilt(FusionEngine(params), isAided: false) < rad(3))
    #expect(Self.worstTilt(FusionEngine(ideal), isAided: false) < rad(3))
  }

  @Test func `headings from elsewhere say where north is, and what the gyroscope's bias is`() {
    var bench = Bench(field: nil)
    bench.bias = Vector3(0, 0, rad(0.4))
    bench.attitude = Quaternion(angle: 1, axis: Vector3(0, 0, 1))
    bench.run(1, rate: Vector3(0, 0, rad(30)))
    for _ in 0..<90 {
      bench.run(1, rate: Vector3(0, 0, rad(30)))
      let matrix = bench.attitude.rotationMatrix
      let taken = bench.engine.aid(
        yaw: atan2(matrix.m21, matrix.m11), sigma: rad(1), at: bench.time)
      #expect(taken)
    }
    #expect(bench.engine.hasHeading)
    #expect(separation(bench.engine.attitude9, bench.attitude) < rad(0.5))
    #expect(abs(bench.engine.gyroBias.z - rad(0.4)) < rad(0.05))
    #expect(bench.engine.attitudeCovariance.m33 < rad(1) * rad(1))
  }

  @Test func `a barometer's heights say how fast a lift climbs`() {
    func climb(isAided: Bool) -> Double {
      var engine = FusionEngine(ideal)
      var height = 0.0
      for k in 0..<3000 {
        let t = Double(k) / 100
        let time = Timestamp(seconds: t)
        // From the tenth second the device accelerates upward for two seconds, to 2 m/s.
        let gained = t >= 10 && t < 12 ? 1.0 : 0
        height += (t < 10 ? 0 : min(2, t - 10)) / 100
        engine.update(rotationRate: .zero, at: time)
        engine.update(acceleration: Vector3(0, 0, -1 - gained / 9.80665), at: time)
        if isAided, k % 50 == 0 {
          let taken = engine.aid(altitude: height, sigma: 0.05, at: time)
          #expect(taken)
        }
      }
      return engine.velocity.z
    }
    #expect(abs(climb(isAided: true) - 2) < 0.15)
    #expect(abs(climb(isAided: false) - 2) > 0.5)
  }

  @Test func `what cannot be is refused, and changes nothing`() {
    var bench = Bench()
    bench.run(5)
    let before = bench.engine.state
    let old = Timestamp(nanoseconds: bench.time.nanoseconds - 2_000_000_000)
    let taken1 = bench.engine.aid(
      velocity: Vector3(.nan, 0, 0), in: .device, sigma: 1, at: bench.time)
    #expect(!taken1)
    let taken2 = bench.engine.aid(velocity: .zero, in: .device, sigma: 0, at: bench.time)
    #expect(!taken2)
    let taken3 = bench.engine.aid(velocity: .zero, in: .device, sigma: 1, at: old)
    #expect(!taken3)
    let taken4 = bench.engine.aid(yaw: .infinity, sigma: 1, at: bench.time)
    #expect(!taken4)
    let taken5 = bench.engine.aid(altitude: 1, sigma: -1, at: bench.time)
    #expect(!taken5)
    #expect(bench.engine.state == before)
    var fresh = FusionEngine()
    let taken6 = fresh.aid(velocity: .zero, in: .north, sigma: 1, at: bench.time)
    #expect(!taken6)
  }
}
