// SPDX-License-Identifier: Apache-2.0
import BusTesting
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Testing

/// The transactions of a driver and their results.
struct Doings {
  var transactions: [Transaction]
  var outcome: Outcome

  /// Runs `driver` for 0.7 s: from its reset until every line of its configuration was compared
  /// once.
  init<Driver: SensorDriver & ~Copyable>(_ driver: consuming Driver, on rig: Rig) {
    rig.world.held.specificForce = Vector3(0.25, -0.5, 0.75)
    rig.world.held.rotationRate = Vector3(1, -2, 3)
    rig.world.held.temperature = 31
    driver.start()
    outcome = rig.run(&driver, for: .milliseconds(700))
    transactions = rig.log.transactions
  }

  /// The written bytes, each with its address.
  var written: [[UInt8]] {
    transactions.compactMap {
      if case .write(let register, let value) = $0 { [register, value] } else { nil }
    }
  }
}

/// Expects the same transactions and bytes, and the same frames at the same times.
func expectSame(_ a: Doings, _ b: Doings) {
  #expect(a.transactions == b.transactions)
  #expect(a.outcome.frames.map(\.time) == b.outcome.frames.map(\.time))
  #expect(a.outcome.frames.map(\.reading) == b.outcome.frames.map(\.reading))
  #expect(a.outcome.wakes == b.outcome.wakes)
  #expect(a.outcome.errors == [] && b.outcome.errors == [])
  #expect(!a.outcome.frames.isEmpty)
}

/// The abilities of a firmware that only reads the FIFO.
enum QueueAlone: AbilityChoice {
  static var abilities: DriverAbilities { [.fifo, .verification] }
}
/// The same abilities, configured in physical units.
enum QueueInUnits: AbilityChoice {
  static var abilities: DriverAbilities { [.fifo, .verification, .settings] }
}
enum PollingAlone: AbilityChoice {
  static var abilities: DriverAbilities { [.polling, .verification] }
}
enum PollingOfTheFamily: AbilityChoice {
  static var abilities: DriverAbilities { [.polling, .verification, .relatives] }
}

@Suite struct MPU6050CodesTests {
  struct Row: Sendable {
    var rate: Double
    var g: Double
    var dps: Double
    var acquisition: Acquisition
    var codes: MPU6050Configuration
  }

  /// The rate is 1000 / (1 + divider) Hz with the filter below half of it (register map 4.2, 4.3);
  /// ranges are in 4.4 and 4.5.
  static let rows = [
    Row(
      rate: 100, g: 4, dps: 500, acquisition: .fifo,
      codes: MPU6050Configuration(.fifo) {
        $0.divider = 9
        $0.lowPassFilter = .hz42
        $0.accelFullScale = .g4
        $0.gyroFullScale = .dps500
      }),
    Row(
      rate: 200, g: 16, dps: 2000, acquisition: .dataReady,
      codes: MPU6050Configuration(.dataReady) {
        $0.divider = 4
        $0.lowPassFilter = .hz98
        $0.accelFullScale = .g16
        $0.gyroFullScale = .dps2000
      }),
    Row(
      rate: 50, g: 2, dps: 250, acquisition: .polling,
      codes: MPU6050Configuration(.polling) {
        $0.divider = 19
        $0.lowPassFilter = .hz20
        $0.accelFullScale = .g2
        $0.gyroFullScale = .dps250
      }),
  ]

  static func rig(_ identity: UInt8 = 0x68) -> Rig {
    Rig(at: 0x68, WireFormat()) { MPU6050Model($0, identity: identity) }
  }

  static func settings(_ row: Row) -> SensorSettings {
    SensorSettings(
      rate: row.rate, accelerationRange: row.g, rotationRateRange: radians(fromDegrees: row.dps),
      acquisition: row.acquisition)
  }

  static func configured(_ row: Row, _ identity: UInt8 = 0x68) throws -> Doings {
    let rig = rig(identity)
    var driver = MPU6050(rig.wire())
    _ = try driver.configure(settings(row))
    return Doings(driver, on: rig)
  }

  @Test(arguments: rows) func `codes do what settings do`(row: Row) throws {
    let rig = Self.rig()
    let made = Doings(try MPU6050(rig.wire(), configuration: row.codes), on: rig)
    expectSame(made, try Self.configured(row))
  }

  @Test func `codes are written as the registers and the queue's sources`() throws {
    let rig = Self.rig()
    let written = Doings(try MPU6050(rig.wire(), configuration: Self.rows[0].codes), on: rig)
      .written
    for line: [UInt8] in [[0x19, 9], [0x1A, 3], [0x1B, 0x08], [0x1C, 0x08], [0x23, 0xF8]] {
      #expect(written.contains(line))
    }
  }

  @Test func `a driver that is able to do less does the same`() throws {
    let rig = Self.rig()
    let made = Doings(
      try MPU6050(
        TrimmedConnection(rig.wire(), for: QueueAlone.self), configuration: Self.rows[0].codes),
      on: rig)
    expectSame(made, try Self.configured(Self.rows[0]))
    let polled = Self.rig()
    let other = Doings(
      try MPU6050(
        TrimmedConnection(polled.wire(), for: PollingAlone.self), configuration: Self.rows[2].codes),
      on: polled)
    expectSame(other, try Self.configured(Self.rows[2]))
  }

  @Test func `another part takes over what the codes mean`() throws {
    let rig = Self.rig(0x70)
    let made = Doings(
      try MPU6050(
        TrimmedConnection(rig.wire(), for: PollingOfTheFamily.self),
        configuration: Self.rows[2].codes), on: rig)
    // ACCEL_CONFIG2, which the MPU-6050 lacks, sets the filter of 20 Hz.
    #expect(made.written.contains([0x1D, 4]) && made.outcome.errors == [])
    expectSame(made, try Self.configured(Self.rows[2], 0x70))
  }

  @Test func `a part that is not expected is refused`() throws {
    let rig = Self.rig(0x70)
    let made = Doings(
      try MPU6050(
        TrimmedConnection(rig.wire(), for: PollingAlone.self), configuration: Self.rows[2].codes),
      on: rig)
    #expect(made.outcome.errors.first == .identity(found: 0x70, register: 0x75))
    #expect(made.outcome.frames.isEmpty && made.written.isEmpty)
  }

  @Test func `what is not there is refused`() throws {
    let rig = Self.rig()
    var fixed = try MPU6050(
      TrimmedConnection(rig.wire(), for: QueueAlone.self), configuration: Self.rows[0].codes)
    #expect(throws: ChipError.unsupportedSetting) {
      _ = try fixed.configure(SensorSettings(rate: 50, acquisition: .fifo))
    }
    var driver = try MPU6050(
      TrimmedConnection(rig.wire(), for: QueueInUnits.self), configuration: Self.rows[0].codes)
    #expect(throws: ChipError.unsupportedSetting) { try driver.startSelfTest() }
    var low = SensorSettings(acquisition: .fifo)
    low.power = .low
    for settings in [
      SensorSettings(acquisition: .polling), SensorSettings(acquisition: .dataReady), low,
    ] {
      #expect(throws: ChipError.unsupportedSetting) { _ = try driver.configure(settings) }
    }
    #expect(try driver.configure(SensorSettings(rate: 50, acquisition: .fifo)).rate == 50)
    #expect(throws: ChipError.unsupportedSetting) {
      _ = try MPU6050(
        TrimmedConnection(rig.wire(), for: QueueAlone.self), configuration: Self.rows[2].codes)
    }
  }

  static let impossible: [MPU6050Configuration] = {
    let good = rows[0].codes
    var (fast, second, cycling, moving) = (good, good, good, good)
    fast.lowPassFilter = .hz256
    second.readout.interruptPin.number = 2
    cycling.isAccelOnly = true
    cycling.cycles = true
    moving.motionThreshold = 25
    var silent = good
    silent.readout.acquisition = .detections
    return [fast, second, cycling, moving, silent]
  }()

  @Test(arguments: impossible)
  func `codes that the part does not have are refused`(codes: MPU6050Configuration) {
    #expect(throws: ChipError.unsupportedSetting) {
      _ = try MPU6050(Self.rig().wire(), configuration: codes)
    }
  }
}

@Suite struct LSM6DS3CodesTests {
  struct Row: Sendable {
    var family: LSM6DS3Family
    var settings: SensorSettings
    var codes: LSM6DS3Configuration
  }

  static let rows = [
    // 250 ms at 104 Hz are 26 FIFO sets.
    Row(
      family: .lsm6ds3trc,
      settings: SensorSettings(
        rate: 104, accelerationRange: 4, rotationRateRange: radians(fromDegrees: 500),
        acquisition: .fifo, batchInterval: .milliseconds(250)),
      codes: LSM6DS3Configuration(
        ReadoutMode(.fifo, watermark: 26, batchInterval: .milliseconds(250))
      ) {
        $0.rate = .hz104
        $0.accelFullScale = .g4
        $0.gyroFullScale = .dps500
      }),
    // 833 Hz, at most 250 Hz of bandwidth: the accelerometer filter is a quarter of the rate, the
    // gyroscope's 245 Hz.
    Row(
      family: .lsm6ds3trc,
      settings: SensorSettings(
        rate: 833, accelerationRange: 16, rotationRateRange: radians(fromDegrees: 125),
        bandwidth: 250, acquisition: .dataReady),
      codes: LSM6DS3Configuration(.dataReady) {
        $0.rate = .hz833
        $0.accelFullScale = .g16
        $0.gyroFullScale = .dps125
        $0.filters = LSM6DS3Filters(isQuarter: true, gyroLowPass: .strong)
      }),
    // The older register map has a filter of 50 Hz before the converter.
    Row(
      family: .lsm6ds3,
      settings: SensorSettings(
        rate: 104, accelerationRange: 8, rotationRateRange: radians(fromDegrees: 2000),
        acquisition: .polling),
      codes: LSM6DS3Configuration(.polling) {
        $0.rate = .hz104
        $0.accelFullScale = .g8
        $0.gyroFullScale = .dps2000
        $0.filters = LSM6DS3Filters(antiAlias: .hz50)
        $0.part = .lsm6ds3
      }),
  ]

  static func rig(_ family: LSM6DS3Family) -> Rig {
    Rig(at: 0x6A, WireFormat()) { LSM6DS3Model($0, family: family) }
  }

  static func configured(_ row: Row) throws -> Doings {
    let rig = rig(row.family)
    var driver = LSM6DS3(rig.wire(), expecting: row.family)
    _ = try driver.configure(row.settings)
    return Doings(driver, on: rig)
  }

  @Test(arguments: rows) func `codes do what settings do`(row: Row) throws {
    let rig = Self.rig(row.family)
    let made = Doings(try LSM6DS3(rig.wire(), configuration: row.codes), on: rig)
    expectSame(made, try Self.configured(row))
  }

  @Test func `codes are written as the registers and the watermark of 26 sets`() throws {
    let rig = Self.rig(.lsm6ds3trc)
    let written = Doings(try LSM6DS3(rig.wire(), configuration: Self.rows[0].codes), on: rig)
      .written
    for line: [UInt8] in [[0x10, 0x48], [0x11, 0x44], [0x06, 156], [0x0A, 0x26]] {
      #expect(written.contains(line))
    }
  }

  @Test func `a driver that is able to do less does the same`() throws {
    let rig = Self.rig(.lsm6ds3trc)
    let made = Doings(
      try LSM6DS3(
        TrimmedConnection(rig.wire(), for: QueueAlone.self), configuration: Self.rows[0].codes),
      on: rig)
    expectSame(made, try Self.configured(Self.rows[0]))
    let polled = Self.rig(.lsm6ds3)
    let other = Doings(
      try LSM6DS3(
        TrimmedConnection(polled.wire(), for: PollingAlone.self), configuration: Self.rows[2].codes),
      on: polled)
    expectSame(other, try Self.configured(Self.rows[2]))
  }

  @Test func `the other family takes over what the codes mean`() throws {
    let row = Self.rows[2]
    let rig = Self.rig(.lsm6ds3)
    // Half of 104 Hz corresponds to 50 Hz in the older register map.
    let codes = LSM6DS3Configuration(.polling) {
      $0.rate = .hz104
      $0.accelFullScale = .g8
      $0.gyroFullScale = .dps2000
    }
    let made = Doings(
      try LSM6DS3(
        TrimmedConnection(rig.wire(), for: PollingOfTheFamily.self), configuration: codes), on: rig)
    expectSame(made, try Self.configured(row))
  }

  @Test func `what is not there is refused`() throws {
    let rig = Self.rig(.lsm6ds3)
    var driver = try LSM6DS3(
      TrimmedConnection(rig.wire(), for: QueueAlone.self), configuration: Self.rows[0].codes)
    #expect(throws: ChipError.unsupportedSetting) { try driver.startSelfTest() }
    var stepping = SensorSettings(acquisition: .fifo)
    stepping.detection.kinds = .step
    var low = SensorSettings(acquisition: .fifo)
    low.power = .low
    for settings in [SensorSettings(acquisition: .polling), stepping, low] {
      #expect(throws: ChipError.unsupportedSetting) { _ = try driver.configure(settings) }
    }
    let made = Doings(driver, on: rig)
    #expect(made.outcome.errors.first == .identity(found: 0x69, register: 0x0F))
  }

  static let impossible: [LSM6DS3Configuration] = {
    let good = rows[0].codes
    var (off, fast, full, third, filtered) = (good, good, good, good, good)
    off.rate = .off
    fast.rate = .hz3330
    full.readout.watermark = 171
    third.readout.interruptPin.number = 3
    filtered.filters.gyroLowPass = .light
    return [off, fast, full, third, filtered]
  }()

  @Test(arguments: impossible)
  func `codes that the part does not have are refused`(codes: LSM6DS3Configuration) {
    #expect(throws: ChipError.unsupportedSetting) {
      _ = try LSM6DS3(Self.rig(.lsm6ds3trc).wire(), configuration: codes)
    }
  }
}
