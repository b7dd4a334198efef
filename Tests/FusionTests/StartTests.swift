// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Quantities
import SeededRandom
import Testing

/// The two directions along each of the three axes.
private let directions = [
  Vector3(1, 0, 0), Vector3(-1, 0, 0), Vector3(0, 1, 0), Vector3(0, -1, 0), Vector3(0, 0, 1),
  Vector3(0, 0, -1),
]

@Suite struct StartTests {
  /// Down and north along device axes: 24 ways to hold a device.
  @Test func `rest is seen in every mount along the axes`() throws {
    var mounts = 0
    for down in directions {
      for north in directions where down.dot(north) == 0 {
        mounts += 1
        var estimator = MotionEstimator(channels: [.acceleration, .rotationRate, .magneticField])
        var last: MotionSample?
        for k in 0..<200 {
          var sample = Sample(
            timestamp: Timestamp(nanoseconds: Int64(k) * 10_000_000),
            channels: [.acceleration, .rotationRate, .magneticField])
          sample.acceleration = down
          sample.magneticField = 20 * north + 45 * down
          let motionUpdate = estimator.update(sample)
          let motion = try #require(motionUpdate)
          // The values are right from the first sample on.
          #expect((motion.gravity - down).norm < 1e-12)
          #expect(motion.userAcceleration.norm < 1e-12)
          last = motion
        }
        // North, west and up in device axes are the rows of the attitude's matrix.
        let motion = try #require(last)
        let attitude = try #require(motion.attitude(in: .xMagneticNorthZVertical))
        #expect((attitude.rotate(north) - Vector3(1, 0, 0)).norm < 1e-12)
        #expect((attitude.rotate(north.cross(down)) - Vector3(0, 1, 0)).norm < 1e-12)
        #expect((attitude.rotate(down) - Vector3(0, 0, -1)).norm < 1e-12)
        #expect(motion.isAtRest)
      }
    }
    #expect(mounts == 24)
  }

  /// An arm of 0.5 m swings 1.5 times per second while the plane of its swing turns slowly about
  /// the vertical. The first force is up to 3 g with a wrong direction, so the field, 60 degrees
  /// steep, gives a wrong north.
  @Test(arguments: [0.0, 0.6, 2.5, 4.0])
  func `a heading that was seen through a wrong tilt is forgotten with it`(phase: Double) {
    func attitude(_ t: Double) -> Quaternion {
      Quaternion(angle: 0.5 * sin(0.7 * t), axis: Vector3(0, 0, 1))
        * Quaternion(angle: 0.8 * sin(3 * .pi * t + phase), axis: Vector3(1, 0, 0))
    }
    func place(_ t: Double) -> Vector3 { attitude(t).rotate(Vector3(0, 0, -0.5)) }
    var engine = FusionEngine()
    var (bias, heading) = (0.0, 0.0)
    for k in 1...1500 {
      let (t, step) = (Double(k) / 100, 0.01)
      let time = Timestamp(seconds: t)
      let turn = attitude(t - step).conjugate * attitude(t)
      let rate = Vector3(turn.x, turn.y, turn.z) * (2 / step)
      let seen = t - step / 2
      let own =
        (place(seen + step) - place(seen) * 2 + place(seen - step)) / (step * step * 9.80665)
      engine.update(rotationRate: rate, at: time)
      engine.update(
        acceleration: attitude(seen).conjugate.rotate(Vector3(0, 0, -1) - own), at: time)
      engine.update(
        magneticField: attitude(seen).conjugate.rotate(Vector3(25, 0, -43.3)), at: time)
      bias = max(bias, engine.gyroBias.norm)
      guard t > 10 else { continue }
      heading = max(heading, separation(engine.attitude9, attitude(t)))
    }
    #expect(bias < rad(1.5), "\(bias / rad(1)) degrees/s")
    #expect(heading < rad(5), "\(heading / rad(1)) degrees")
  }

  @Test func `a device that starts upside down has yaw zero, nearly so too`() {
    var engine = FusionEngine(ideal)
    let accepted = engine.update(acceleration: Vector3(0, 0, 1), at: .zero)
    #expect(accepted)
    #expect((FusionEngine.gravity(engine.attitude6) - Vector3(0, 0, 1)).norm < 1e-15)
    #expect(abs(EulerAngles(engine.attitude6).yaw) < 1e-12)
    // Nearly opposite directions all the way around lose no digits by cancellation.
    for k in 0..<360 {
      for tilt in [1e-3, 1e-5, 1e-6, 1e-7, 1e-9, 1e-12] {
        let a = rad(Double(k))
        let down = Vector3(tilt * cos(a), tilt * sin(a), (1 - tilt * tilt).squareRoot())
        var engine = FusionEngine(ideal)
        engine.update(acceleration: down, at: .zero)
        #expect(separation(FusionEngine.gravity(engine.attitude6), down) < 3e-6)
      }
    }
  }

  @Test func `the first attitude has no yaw`() {
    var random = SplitMix(state: 1)
    for _ in 0..<500 {
      let down = random.vector(1)
      guard down.norm > 0.1 else { continue }
      var engine = FusionEngine(ideal)
      engine.update(acceleration: down, at: .zero)
      #expect(abs(EulerAngles(engine.attitude6).yaw) < 1e-9)
      #expect(separation(FusionEngine.gravity(engine.attitude6), down) < 1e-9)
    }
  }

  /// Rotation before the first acceleration does not count as yaw.
  @Test func `turning before the first acceleration is no yaw`() {
    var engine = FusionEngine(ideal)
    for k in 0..<100 {
      engine.update(
        rotationRate: Vector3(1, 2, 3), at: Timestamp(nanoseconds: Int64(k) * 10_000_000))
    }
    #expect(!engine.hasAttitude)
    engine.update(acceleration: Vector3(0, 0.6, -0.8), at: Timestamp(nanoseconds: 1_000_000_000))
    #expect(engine.hasAttitude)
    #expect(abs(EulerAngles(engine.attitude6).yaw) < 1e-12)
    #expect(separation(FusionEngine.gravity(engine.attitude6), Vector3(0, 0.6, -0.8)) < 1e-12)
  }

  @Test func `nothing is known before the first acceleration`() {
    var engine = FusionEngine(ideal)
    engine.update(magneticField: Vector3(20, 0, -45), at: .zero)
    engine.update(rotationRate: .zero, at: .zero)
    #expect(!engine.hasAttitude)
    #expect(!engine.hasHeading)
    #expect(engine.magneticAccuracy == .uncalibrated)
    #expect(!engine.isMagneticallyDisturbed)
  }

  /// Free fall does not show where up is, so the first attitude waits.
  @Test func `free fall gives no first attitude`() {
    var engine = FusionEngine(ideal)
    engine.update(acceleration: .zero, at: .zero)
    #expect(!engine.hasAttitude)
    engine.update(acceleration: Vector3(0, -1, 0), at: Timestamp(nanoseconds: 10_000_000))
    #expect(engine.hasAttitude)
    #expect((FusionEngine.gravity(engine.attitude6) - Vector3(0, -1, 0)).norm < 1e-12)
  }

  @Test func `an accelerometer alone follows the pitch`() {
    var engine = FusionEngine(ideal)
    var time = Timestamp.zero
    // Flat, then pitched up by 30 degrees about x: sin 30 = 0.5, cos 30 = 0.8660254037844386.
    for k in 0..<200 {
      time = time + .milliseconds(20)
      let down = k < 50 ? Vector3(0, 0, -1) : Vector3(0, -0.5, -0.8660254037844386)
      engine.update(acceleration: down, at: time)
    }
    let angles = EulerAngles(engine.attitude6)
    #expect(abs(angles.pitch - rad(30)) < 1e-3)
    #expect(abs(angles.roll) < 1e-3)
    #expect(abs(angles.yaw) < 1e-3)
    #expect(engine.gyroBias == .zero)
  }

  /// The attitude settles within 0.5 s, and not with the time constant for a gyroscope.
  @Test func `an accelerometer alone settles quickly`() {
    var engine = FusionEngine(ideal)
    var time = Timestamp.zero
    for k in 0..<75 {
      time = time + .milliseconds(20)
      engine.update(acceleration: k < 50 ? Vector3(0, 0, -1) : Vector3(0, -1, 0), at: time)
    }
    #expect(separation(FusionEngine.gravity(engine.attitude6), Vector3(0, -1, 0)) < rad(2))
  }

  /// A gyroscope that starts seconds after the accelerometer must not disturb what is known.
  @Test(arguments: [12, 50, 100, 400] as [Int64])
  func `a gyroscope may join later`(hertz: Int64) {
    var engine = FusionEngine(ideal)
    var time = Timestamp.zero
    let down = Vector3(0.48, -0.6, -0.64)
    for k in 0..<(20 * hertz) {
      time = time + TimeSpan(nanoseconds: 1_000_000_000 / hertz)
      if k > 2 * hertz { engine.update(rotationRate: .zero, at: time) }
      engine.update(acceleration: down, at: time)
      #expect(separation(FusionEngine.gravity(engine.attitude6), down) < 1e-6)
      #expect(engine.gyroBias.norm < 1e-6)
    }
  }

  /// A push just before the gyroscope starts is forgotten like any other.
  @Test func `a gyroscope may join during a push`() {
    var engine = FusionEngine(ideal)
    var time = Timestamp.zero
    for k in 0..<1200 {
      time = time + .milliseconds(10)
      if k >= 200 { engine.update(rotationRate: .zero, at: time) }
      let isPushed = (180..<200).contains(k)
      engine.update(acceleration: Vector3(isPushed ? 0.3 : 0, 0, -1), at: time)
    }
    // Ten seconds later, which are three time constants.
    #expect(separation(FusionEngine.gravity(engine.attitude6), Vector3(0, 0, -1)) < rad(1))
    #expect(engine.gyroBias.norm < rad(0.3))
  }

  /// The accelerometer may be first, and a time stamp may repeat: rotation still begins with the
  /// newest rate.
  @Test(arguments: [false, true])
  func `a steady turn is whole from its first rate on`(isStampRepeated: Bool) {
    var params = idealParams(hz: 10)
    params.gyroDelay = 0
    var engine = FusionEngine(params)
    let turn = Vector3(0, 0, 2)
    let start = Timestamp(nanoseconds: 0)
    engine.update(acceleration: Vector3(0, 0, -1), at: start)
    if isStampRepeated { engine.update(rotationRate: .zero, at: start) }
    for k in 0..<10 {
      let time = start + .milliseconds(Int64(k) * 100)
      engine.update(rotationRate: turn, at: time)
      let yaw = Quaternion(angle: 2 * 0.1 * Double(k), axis: Vector3(0, 0, 1))
      #expect(angle(engine.attitude6, yaw) < 1e-6, "\(k)")
    }
  }

  /// Tilting moves a steep field by more than its angle. This must not count as rotation about the
  /// vertical, which would change the bias: 6 degrees of roll in 12 s and 3 of pitch in 7 s, from
  /// the first sample on.
  @Test func `a ship that rolls is not turning`() {
    var random = SplitMix(state: 9)
    var worst = 0.0
    for _ in 0..<256 {
      let phase = random.vector(.pi)
      let mount = Quaternion(rotationVector: random.vector(rad(15)))
      func attitude(_ t: Double) -> Quaternion {
        Quaternion(angle: rad(3) * sin(2 * .pi * t / 7 + phase.x), axis: Vector3(0, 1, 0))
          * Quaternion(angle: rad(6) * sin(2 * .pi * t / 12 + phase.y), axis: Vector3(1, 0, 0))
          * mount
      }
      let field = Vector3(20 * cos(phase.z), 20 * sin(phase.z), -45)
      var engine = FusionEngine()
      for k in 0..<300 {
        let t = Double(k) / 100
        let time = Timestamp(seconds: t)
        let turn = attitude(t - 0.0122).conjugate * attitude(t - 0.0022)
        engine.update(rotationRate: Vector3(turn.x, turn.y, turn.z) * (2 / 0.01), at: time)
        let down = attitude(t - 0.007).conjugate.rotate(Vector3(0, 0, -1))
        engine.update(acceleration: down, at: time)
        engine.update(magneticField: attitude(t - 0.011).conjugate.rotate(field), at: time)
        worst = max(worst, abs(mount.rotate(engine.gyroBias).z))
      }
    }
    #expect(worst < rad(1), "\(worst / rad(1)) degrees/s")
  }
}
