// SPDX-License-Identifier: Apache-2.0
import Simulation
import BusTesting
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Boards
import Testing

/// A magnetometer read through the I2C master of its IMU. Addresses are typed from RM-MPU-9250A-00
/// and DS-000189.
@Suite struct NineAxisTests {
  /// Returns a field whose x shows the time of measurement: a sawtooth of 0.64 s from -900 to 900
  /// uT.
  static func field(at time: Timestamp) -> Double {
    let phase = Double(time.nanoseconds) * 1e-9 / 0.64
    return (phase - phase.rounded(.down)) * 1800 - 900
  }

  /// Returns the true time of a sample in seconds; the sample's time stamp decides between the
  /// periods of the sawtooth.
  static func truth(_ frame: Outcome.Frame) -> Double {
    let phase = (frame.reading.magneticField.x + 900) / 1800
    let said = Double(frame.time.nanoseconds) * 1e-9 / 0.64
    return 0.64 * (phase + (said - phase).rounded())
  }

  static func mpu(clockError: Double = 0, isSPI: Bool = false) -> Rig {
    Rig(at: 0x68, WireFormat(), isSPI: isSPI) {
      MPU6050Model($0, identity: 0x71, clockError: clockError)
    }
  }

  static func icm(clockError: Double = 0, isSPI: Bool = false) -> Rig {
    Rig(at: 0x68, WireFormat(), isSPI: isSPI) { ICM20948Model($0, clockError: clockError) }
  }

  static func settings(_ acquisition: Acquisition, _ rate: Double) -> SensorSettings {
    var settings = SensorSettings(rate: rate, acquisition: acquisition)
    settings.usesMagnetometer = true
    return settings
  }

  /// Runs for `span`, and compares every time with the true time. The magnetometer's clock has the
  /// opposite error of the IMU's.
  func nineAxes<Driver: SensorDriver & ~Copyable>(
    _ driver: inout Driver, on rig: Rig, clockError: Double, for span: TimeSpan,
    _ settings: SensorSettings
  ) throws {
    rig.world.changes = { time, _, reading in
      reading.magneticField = Vector3(Self.field(at: time), 30, -40)
    }
    let taken = try driver.configure(settings)
    #expect(taken.usesMagnetometer && taken.acquisition == settings.acquisition)
    #expect(driver.channels == [.acceleration, .rotationRate, .temperature, .magneticField])
    driver.start()
    let outcome = rig.run(&driver, for: span)
    #expect(outcome.errors == [] && outcome.missing == 0)
    let missing = driver.health.missing
    #expect(missing == 0)
    let motion = outcome.frames.filter { $0.reading.channels.contains(.acceleration) }
    let field = outcome.frames.filter { $0.reading.channels == .magneticField }
    #expect(motion.count + field.count == outcome.frames.count)
    let seconds = span.seconds - 0.4
    #expect(Double(motion.count) > seconds * taken.rate * (1 + clockError) * 0.999)
    let period = 0.01 / (1 - clockError)
    let (first, last) = (try #require(field.first), try #require(field.last))
    // No sample is missing, and none is delivered twice.
    #expect(Double(field.count - 1) == ((Self.truth(last) - Self.truth(first)) / period).rounded())
    #expect(Double(field.count) > seconds / period)
    #expect(zip(field, field.dropFirst()).allSatisfy { $0.time < $1.time })
    // If both clocks have the same rate, a sample may be anywhere in the IMU's period, a tenth of
    // the magnetometer's. If they differ, the phase sweeps and the time is learned within three
    // seconds.
    let learned = field.drop { $0.time < first.time + .seconds(3) }
    let worst = learned.reduce(0.0) { worst, frame in
      max(worst, abs(Double(frame.time.nanoseconds) * 1e-9 - Self.truth(frame)) / period)
    }
    #expect(worst < 0.05)
    // The field is in the IMU's axes, within one count.
    #expect(abs(last.reading.magneticField.y - 30) < 0.2)
    #expect(abs(last.reading.magneticField.z + 40) < 0.2)
    print(
      "nine axes: \(settings.acquisition) \(taken.rate.rounded()) Hz, clock \(clockError):",
      "\(motion.count) of motion, \(field.count) of field, lost 0, worst time",
      "\((worst * 1000).rounded() / 10) % of its period")
  }

  @Test(.sweep, arguments: [-0.02, 0.003, 0.02])
  func `an MPU-9250 gives nine axes for a minute and loses none`(_ clockError: Double) throws {
    let rig = Self.mpu(clockError: clockError)
    var driver = NineAxis(MPU6050(rig.wire(), expecting: 0x71))
    try nineAxes(
      &driver, on: rig, clockError: clockError, for: .seconds(60), Self.settings(.fifo, 1000))
  }

  @Test(.sweep, arguments: [-0.02, 0.003, 0.02])
  func `an ICM-20948 gives nine axes for a minute and loses none`(_ clockError: Double) throws {
    let rig = Self.icm(clockError: clockError)
    var driver = NineAxis(ICM20948(rig.wire()))
    try nineAxes(
      &driver, on: rig, clockError: clockError, for: .seconds(60), Self.settings(.fifo, 1125))
  }

  @Test(.sweep, arguments: [Acquisition.dataReady, .polling], [false, true])
  func `nine axes come out of the registers as well, on either wire`(
    _ acquisition: Acquisition, _ isSPI: Bool
  ) throws {
    let mpu = Self.mpu(clockError: 0.02, isSPI: isSPI)
    var first = NineAxis(MPU6050(mpu.wire(), expecting: 0x71))
    try nineAxes(
      &first, on: mpu, clockError: 0.02, for: .seconds(10), Self.settings(acquisition, 250))
    let icm = Self.icm(clockError: 0.02, isSPI: isSPI)
    var second = NineAxis(ICM20948(icm.wire()))
    try nineAxes(
      &second, on: icm, clockError: 0.02, for: .seconds(10), Self.settings(acquisition, 225))
  }

  /// The bytes of I2C_SLV4_ADDR, _REG, _DO and _CTRL that configure the AK8963, and those that
  /// slave 0 reads with each sample.
  @Test func `the MPU-9250's master starts the AK8963`() throws {
    let rig = Self.mpu()
    var driver = NineAxis(MPU6050(rig.wire(), expecting: 0x71))
    _ = try driver.configure(Self.settings(.fifo, 500))
    driver.start()
    rig.run(&driver, for: .seconds(1))
    #expect(rig.written(0x31) == [0x8C, 0x0C, 0x0C, 0x8C, 0x8C, 0x8C, 0x0C, 0x0C])
    #expect(rig.written(0x32) == [0x00, 0x0B, 0x0A, 0x10, 0x11, 0x12, 0x0A, 0x0A])
    #expect(rig.written(0x33) == [0x00, 0x01, 0x0F, 0x00, 0x00, 0x00, 0x00, 0x16])
    #expect(rig.written(0x24) == [0x4D] && rig.written(0x25) == [0x8C])
    #expect(rig.written(0x26) == [0x02] && rig.written(0x27) == [0x88])
    #expect(rig.register(0x6A) & 0x20 != 0 && rig.register(0x23) == 0xF9)
    // The bypass would connect the master's lines to the host's bus.
    #expect(rig.written(0x37).allSatisfy { $0 & 0x02 == 0 })
  }

  @Test func `the ICM-20948's master starts the AK09916`() throws {
    let rig = Self.icm()
    var driver = NineAxis(ICM20948(rig.wire()))
    _ = try driver.configure(Self.settings(.fifo, 562.5))
    driver.start()
    rig.run(&driver, for: .seconds(1))
    #expect(rig.written(0x13) == [0x8C, 0x0C, 0x0C])
    #expect(rig.written(0x16) == [0x00, 0x01, 0x08])
    #expect(rig.register(0x03) == 0x60 && rig.register(0x66) == 0x01)
    rig.tamper(0x7F, 0x30)
    #expect([0x01, 0x03, 0x04, 0x05].map { rig.register($0) } == [0x17, 0x8C, 0x10, 0x89])
  }

  @Test func `a slow IMU has its magnetometer run slowly`() throws {
    let rig = Self.mpu()
    rig.world.held.magneticField = Vector3(20, 30, -40)
    var driver = NineAxis(MPU6050(rig.wire(), expecting: 0x71))
    _ = try driver.configure(Self.settings(.fifo, 50))
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(10))
    #expect(rig.written(0x33).last == 0x12)
    let field = outcome.frames.filter { $0.reading.channels == .magneticField }
    #expect((70...82).contains(field.count) && outcome.missing == 0)
  }

  @Test func `an MPU-6500 with the identity of an MPU-9250 is reported`() throws {
    let rig = Rig(at: 0x68, WireFormat()) { MPU6050Model($0, identity: 0x70) }
    var driver = NineAxis(MPU6050(rig.wire(), expecting: 0x71))
    var settings = Self.settings(.fifo, 500)
    settings.assumedIdentity = 0x71
    _ = try driver.configure(settings)
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(1))
    #expect(outcome.frames.isEmpty)
    #expect(!outcome.errors.isEmpty && outcome.errors.allSatisfy { $0 == .unsupportedSetting })
  }

  @Test func `without it the wrapper is the driver`() throws {
    let rig = Self.mpu()
    var driver = NineAxis(MPU6050(rig.wire(), expecting: 0x71))
    var settings = Self.settings(.fifo, 500)
    settings.power = .low
    #expect(try !driver.configure(settings).usesMagnetometer)
    settings.power = .normal
    settings.usesMagnetometer = false
    _ = try driver.configure(settings)
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(1))
    #expect(driver.channels == [.acceleration, .rotationRate, .temperature])
    #expect(outcome.frames.count > 350 && rig.written(0x31) == [])
  }

  @Test func `a brown-out and a queue that ran over are got over, and counted`() throws {
    for rig in [Self.mpu(), Self.icm()] {
      rig.world.changes = { time, _, reading in
        reading.magneticField = Vector3(Self.field(at: time), 30, -40)
      }
      if rig.model is MPU6050Model {
        var driver = NineAxis(MPU6050(rig.wire(), expecting: 0x71))
        try survive(&driver, rig)
      } else {
        var driver = NineAxis(ICM20948(rig.wire()))
        try survive(&driver, rig)
      }
    }
  }

  func survive<Driver: SensorDriver & ~Copyable>(_ driver: inout Driver, _ rig: Rig) throws {
    _ = try driver.configure(Self.settings(.fifo, 500))
    driver.start()
    rig.run(&driver, for: .seconds(3))
    rig.clock.advance(to: rig.clock.now + .milliseconds(300))
    rig.run(&driver, for: .seconds(2))
    rig.model.powerCycle()
    rig.run(&driver, for: .seconds(3))
    let field = rig.takeOutcome().frames.filter { $0.reading.channels == .magneticField }
    let (first, last) = (try #require(field.first), try #require(field.last))
    let missing = field.dropFirst().reduce(0) { $0 + Int($1.missing) }
    // After its reset the magnetometer measures at another phase.
    let taken = (Self.truth(last) - Self.truth(first)) / 0.01 + 1
    #expect(abs(taken - Double(field.count + missing)) <= 1.5)
    #expect(missing > 30)
    #expect(zip(field, field.dropFirst()).allSatisfy { $0.time < $1.time })
  }
}
