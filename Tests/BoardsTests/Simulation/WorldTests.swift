// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Foundation
import Quantities
import Recordings
import Sensors
import Simulation
import Boards
import Testing

@Suite struct WorldTests {
  let text = """
    timestamp,acceleration.x,acceleration.y,acceleration.z,pressure
    10.0,0,0,-1,100
    10.1,1,-2,-1,
    10.2,1,2,-1,
    10.4,0,0,0,102

    """

  /// Returns the world recorded in `text`, which is written to a file.
  func world(_ text: String, origin: Timestamp) throws -> RecordedWorld {
    let directory = FileManager.default.temporaryDirectory
    let file = directory.appendingPathComponent("otolith-world-\(UUID().uuidString).csv")
    try text.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    return try RecordedWorld(path: file.path, origin: origin)
  }

  func near(_ a: Vector3, _ b: Vector3) -> Bool { (a - b).norm < 1e-9 }

  @Test func `values between rows are interpolated linearly`() throws {
    let origin = Timestamp(nanoseconds: 77_000_000_000)
    let world = try world(text, origin: origin)
    func at(_ milliseconds: Int64) -> Sample {
      world.sample(at: origin + .milliseconds(milliseconds))
    }
    #expect(near(at(0).acceleration, Vector3(0, 0, -1)))
    #expect(near(at(50).acceleration, Vector3(0.5, -1, -1)))
    #expect(near(at(100).acceleration, Vector3(1, -2, -1)))
    #expect(near(at(125).acceleration, Vector3(1, -1, -1)))
    #expect(near(at(300).acceleration, Vector3(0.5, 1, -0.5)))
    // The pressure has rows of its own, over the whole 0.4 s.
    #expect(abs(at(200).pressure - 101) < 1e-9)
    #expect(at(200).channels == [.acceleration, .pressure])
    #expect(at(200).timestamp == origin + .milliseconds(200))
    #expect(at(200).temperature == 25)
  }

  @Test func `a recording is repeated forwards and backwards`() throws {
    let origin = Timestamp(nanoseconds: 1_000_000_000)
    let world = try world(text, origin: origin)
    for offset in stride(from: 0, to: 400, by: 7) as StrideTo<Int64> {
      let once = world.sample(at: origin + .milliseconds(offset))
      for turn: Int64 in [1, 2, 1000, -1, -3] {
        let again = world.sample(at: origin + .milliseconds(offset + 400 * turn))
        #expect(near(again.acceleration, once.acceleration))
        #expect(abs(again.pressure - once.pressure) < 1e-9)
      }
    }
  }

  @Test func `a recording of a single moment is refused`() throws {
    do {
      _ = try world("timestamp,pressure\n1,100\n", origin: .zero)
      Issue.record("read")
    } catch let error as RecordingError { #expect(error.kind == .malformed) }
  }

  @Test func `a world that is held does not move`() {
    var held = Sample(timestamp: .zero, channels: .acceleration)
    held.acceleration = Vector3(1, 2, 3)
    let sample = HeldWorld(held).sample(at: Timestamp(nanoseconds: 5))
    #expect(sample.acceleration == Vector3(1, 2, 3))
    #expect(sample.timestamp == Timestamp(nanoseconds: 5))
  }

  /// The device lies flat with its top edge to the north: gravity points down, the field to +y and
  /// down.
  @Test func `a still world lies face up, top edge to the north`() {
    let world = MovingWorld(.still, origin: .zero)
    let sample = world.sample(at: Timestamp(nanoseconds: 3_000_000_000))
    #expect(near(sample.acceleration, Vector3(0, 0, -1)))
    #expect(near(sample.rotationRate, .zero))
    #expect(near(sample.magneticField, Vector3(0, 20, -45)))
  }

  /// The integral of the rate is the attitude.
  @Test func `the sway turns at its stated rate`() {
    let world = MovingWorld(.sway, origin: .zero)
    var attitude = world.attitude(at: 0)
    let step = 0.001
    for index in 0..<5000 {
      let rate = world.sample(at: Timestamp(seconds: (Double(index) + 0.5) * step)).rotationRate
      let angle = rate.norm * step
      if let axis = rate.normalized {
        attitude = attitude * Quaternion(angle: angle, axis: axis)
      }
    }
    let apart = attitude.conjugate * world.attitude(at: 5)
    #expect(Vector3(apart.x, apart.y, apart.z).norm < 1e-5)
    let sample = world.sample(at: Timestamp(seconds: 2.5))
    #expect(abs(sample.acceleration.norm - 1) < 1e-9)
    #expect(abs(sample.magneticField.norm - Vector3(20, 0, -45).norm) < 1e-9)
  }

  /// The axis that points up in the middle of each pose, typed by hand. A pose ends smoothly: 10 ms
  /// after its end the device has hardly turned, and no turn exceeds 500 degrees/s.
  @Test(arguments: [
    (MovingWorld.Motion.gestures, 2.0, (0, 0, 1)), (.gestures, 6.5, (0, 1, 0)),
    (.gestures, 10.5, (0, 0, 1)), (.gestures, 14.5, (-1, 0, 0)), (.gestures, 19, (0, 0, 1)),
    (.gestures, 23.5, (0, 1, 0)), (.positions, 1.5, (0, 0, 1)), (.positions, 5.5, (0, 1, 0)),
    (.positions, 9.5, (-1, 0, 0)), (.positions, 13.5, (0, 0, -1)), (.positions, 17.5, (0, -1, 0)),
    (.positions, 21.5, (1, 0, 0)), (.positions, 73.5, (0, 0, 1)),
  ]) func `each pose is held for its time`(
    _ motion: MovingWorld.Motion, _ t: Double, _ up: (Double, Double, Double)
  ) {
    let sample = MovingWorld(motion, origin: .zero).sample(at: Timestamp(seconds: t))
    #expect((sample.acceleration + Vector3(up.0, up.1, up.2)).norm < 1e-6)
    #expect(sample.rotationRate.norm < 1e-6)
  }

  /// The integral of the rates is the attitude, for every motion.
  @Test(arguments: [MovingWorld.Motion.gestures, .positions, .tumble, .handling])
  func `each turn has its stated rate`(_ motion: MovingWorld.Motion) {
    let world = MovingWorld(motion, origin: .zero)
    var attitude = world.attitude(at: 0)
    let step = 0.01
    var fastest = 0.0
    for index in 0..<800 {
      let rate = world.sample(at: Timestamp(seconds: (Double(index) + 0.5) * step)).rotationRate
      fastest = max(fastest, rate.norm)
      attitude = attitude * Quaternion(rotationVector: rate * step)
    }
    let apart = attitude.conjugate * world.attitude(at: 8)
    #expect(Vector3(apart.x, apart.y, apart.z).norm < 2e-3)
    #expect(fastest > 1 && fastest < radians(fromDegrees: 400))
  }

  /// Typed by hand: 20 s of standing, 20 s of walking with 36 heel strikes, and the pressure of
  /// stairs 3.1 m high. The hand swings by 0.5 and 0.7 rad; it turns the device by a tenth of that,
  /// plus 0.04 and 0.05 rad of the gait.
  @Test func `a swaying hand holds the device still while its owner walks`() {
    let world = MovingWorld(.sway, origin: .zero)
    func sample(_ t: Double) -> Sample { world.sample(at: Timestamp(seconds: t)) }
    func tilt(_ t: Double) -> Double {
      acos(max(-1, min(1, world.attitude(at: t).rotate(Vector3(0, 0, 1)).z)))
    }
    let walk = stride(from: 21.5, to: 38.5, by: 0.01).map { $0 }
    #expect(walk.map(tilt).max().map { $0 < 0.16 } ?? false)
    #expect((0..<2000).map { tilt(Double($0) / 100) }.max().map { $0 > 0.6 } ?? false)
    var rises = 0
    for (before, after) in zip(walk, walk.dropFirst())
    where sample(before).acceleration.norm < 1.15 && sample(after).acceleration.norm >= 1.15 {
      rises += 1
    }
    #expect(rises >= 30, "\(rises) strikes")
    let mean = walk.reduce(0) { $0 + sample($1).acceleration.norm } / Double(walk.count)
    #expect(abs(mean - 1) < 0.03)
    // The pressure falls by 12 Pa per metre at sea level.
    for (time, metres) in [(10.0, 0.0), (39, 3.1), (60, 3.1), (79, 0), (119, 3.1)] {
      #expect(abs((101.325 - sample(time).pressure) / 0.012 - metres) < 0.05)
    }
    #expect(MovingWorld(.walk, origin: .zero).sample(at: .zero).pressure == 101.325)
  }

  /// Within 20 s the field points along each of the six axes and into each of the eight octants.
  @Test func `tumbling shows gravity from all sides`() {
    let world = MovingWorld(.tumble, origin: .zero)
    var octants: Set<Int> = []
    var axes: Set<Int> = []
    for index in 0..<400 {
      let field = world.sample(at: Timestamp(seconds: Double(index) / 20)).magneticField
      let unit = field / field.norm
      octants.insert((unit.x < 0 ? 1 : 0) + (unit.y < 0 ? 2 : 0) + (unit.z < 0 ? 4 : 0))
      for (axis, part) in [unit.x, unit.y, unit.z].enumerated() where abs(part) > 0.9 {
        axes.insert(part < 0 ? axis + 3 : axis)
      }
    }
    #expect(octants.count == 8 && axes.count == 6)
  }

  /// Computed by hand: 1 g on z, divided by a scale of 0.5, plus an offset of 0.1 is 2.1 g. A
  /// soft-iron factor of 0.8 on x makes the field there 1.25 times as strong.
  @Test func `errors of a chip are those by hand`() {
    let world = MovingWorld(.still, origin: .zero)
    var errors = ChipCalibration()
    errors.accelerationMatrix.m33 = 0.5
    errors.accelerationOffset = Vector3(0, 0, 0.1)
    errors.gyroBias = Vector3(0.01, 0, 0)
    errors.gyroBiasTemperature = 20
    errors.gyroBiasSlope = Vector3(0, 0.001, 0)
    errors.hardIron = Vector3(30, 0, 0)
    errors.softIronMatrix.m22 = 0.8
    let chip = ChipInput(world, mounting: Mounting(), errors: errors)
    let reading = chip.reading(at: .zero)
    #expect(near(reading.specificForce, Vector3(0, 0, 2.1)))
    #expect(near(reading.rotationRate, Vector3(0.01, 0.005, 0)))
    #expect(near(reading.magneticField, Vector3(30, 25, -45)))
  }

  /// A calibration with the same errors removes them completely.
  @Test func `a calibration removes the errors that were added`() {
    let world = MovingWorld(.sway, origin: .zero)
    let errors = ChipCalibration(
      gyroBias: Vector3(0.01, -0.02, 0.03), gyroBiasSlope: Vector3(0.001, 0, 0),
      gyroBiasTemperature: 20,
      gyroMatrix: Matrix3(rows: Vector3(1.02, 0.01, 0), Vector3(0, 0.97, 0), Vector3(0.01, 0, 1)),
      accelerationOffset: Vector3(0.05, 0, -0.04),
      accelerationMatrix: Matrix3(
        rows: Vector3(1.01, 0.01, 0), Vector3(0.01, 0.99, 0), Vector3(0, 0, 1.03)),
      hardIron: Vector3(20, -30, 40),
      softIronMatrix: Matrix3(
        rows: Vector3(1.05, 0.02, 0), Vector3(0.02, 0.95, 0), Vector3(0, 0, 1)))
    let plain = ChipInput(world, mounting: Mounting())
    let off = ChipInput(world, mounting: Mounting(), errors: errors)
    let correction = ChipCorrection(errors)
    for second in 0..<30 {
      let time = Timestamp(seconds: Double(second) * 1.7)
      let (truth, back) = (plain.reading(at: time), correction.corrected(off.reading(at: time)))
      #expect(near(truth.specificForce, back.specificForce))
      #expect(near(truth.rotationRate, back.rotationRate))
      #expect(near(truth.magneticField, back.magneticField))
      #expect(!near(truth.magneticField, off.reading(at: time).magneticField))
    }
  }

  /// The MPU-6050's noise densities are 400 ug and 0.005 degrees/s per root hertz (PS-MPU-6000A-00,
  /// 6.1 and 6.2). At 100 samples per second the bandwidth is 50 Hz.
  @Test func `imperfections are added, the same in each run`() throws {
    let chip = try #require(ChipCatalog.entry(named: "invensense,mpu6050")).description
    let imperfection = Imperfection(of: chip, with: SensorSettings(rate: 100))
    let world = MovingWorld(.still, origin: .zero)
    func readings(_ seed: UInt64) -> [ChipReading] {
      let chip = ChipInput(
        world, mounting: Mounting(), imperfection: imperfection, seed: seed)
      return (0..<4000).map { chip.reading(at: Timestamp(nanoseconds: $0)) }
    }
    let first = readings(1)
    #expect(first == readings(1))
    #expect(first != readings(2))
    let mean = first.reduce(Vector3.zero) { $0 + $1.rotationRate } / 4000
    let bias = Vector3(0.6, -0.4, 0.3) * (Double.pi / 180)
    #expect((mean - bias).norm < 6 * radians(fromDegrees: 0.0354) / 4000.0.squareRoot())
    let spread = first.reduce(0.0) { $0 + ($1.specificForce.x * $1.specificForce.x) } / 4000
    #expect(abs(spread.squareRoot() / 0.00283 - 1) < 0.05)
  }

  /// The noise of each chip at 200 samples per second, typed from the data sheets: densities in ug
  /// and in 0.1 millidegrees/s per root hertz, or the deviation of a sample; a filter of 25 Hz
  /// halves it.
  @Test(arguments: [
    ("invensense,mpu6500", 4.0, 3000.0, 100.0, 0.0, 0.0, 0.0),
    ("bosch,bmi160", 4, 1800, 70, 0, 0, 0), ("st,lsm6ds3", 2, 900, 70, 0, 0, 0),
    ("st,lsm6ds3tr-c", 16, 1800, 50, 0, 0, 0), ("st,lis3mdl", 4, 0, 0, 0.32, 0, 0),
    ("bosch,bmp280", 4, 0, 0, 0, 1.3, 0), ("bosch,bme280", 4, 0, 0, 0, 1.3, 0.02),
  ])
  func `each chip has the noise of its data sheet`(
    name: String, range: Double, force: Double, turn: Double, field: Double, pascal: Double,
    percent: Double
  ) throws {
    let chip = try #require(ChipCatalog.entry(named: name)).description
    var settings = SensorSettings(rate: 200, accelerationRange: range)
    let wide = Imperfection(of: chip, with: settings)
    #expect(abs(wide.accelerationNoise * 1e6 - force) < 1e-6)
    #expect(abs(degrees(fromRadians: wide.rotationRateNoise) * 1e3 - turn) < 1e-6)
    #expect(wide.magneticFieldNoise == field && wide.scalarNoise[.humidity] == percent)
    #expect(abs(wide.scalarNoise[.pressure] * 1e3 - pascal) < 1e-9)
    settings.bandwidth = 25
    let narrow = Imperfection(of: chip, with: settings)
    #expect(abs(narrow.accelerationNoise * 2 - wide.accelerationNoise) < 1e-12)
    #expect(narrow.magneticFieldNoise == wide.magneticFieldNoise)
  }
}
