// SPDX-License-Identifier: Apache-2.0
import Boards
import BusTesting
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Simulation
import Testing

// Addresses, bits and times are typed from BST-BMI270-DS000-07, which Bosch's BMI270_SensorAPI and
// Zephyr's driver repeat.
@Suite struct BMI270Tests {
  /// Bytes that differ from one another, unlike any firmware.
  static let firmware = (0..<8192).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8 &* 7) }

  func rig(isSPI: Bool = false) -> Rig {
    let rig = Rig(at: isSPI ? 0 : 0x68, WireFormat(spiDummyBytes: 1), isSPI: isSPI) {
      BMI270Model($0)
    }
    rig.firmware = Self.firmware
    rig.world.held = .inertial(
      Vector3(0.25, -0.5, 0.75), Vector3(-1, 0.5, 1.5), temperature: 18.5)
    return rig
  }

  static func settings(_ acquisition: Acquisition, rate: Double = 100) -> SensorSettings {
    SensorSettings(
      rate: rate, accelerationRange: 4, rotationRateRange: 500 * .pi / 180, acquisition: acquisition
    )
  }

  /// The word address of burst n of 32 bytes is 16 n: 0x5B has its low four bits, 0x5C the others.
  /// 0xA8 and 0xE8 are 100 Hz with the normal filter, 0x01 4 g, 0x02 500 degrees per second, 0x0E
  /// all sensors.
  @Test(arguments: [false, true])
  func `identity, reset, firmware in bursts, configuration, samples`(isSPI: Bool) throws {
    let rig = rig(isSPI: isSPI)
    var driver = BMI270(rig.wire())
    _ = try driver.configure(Self.settings(.polling))
    driver.start()
    let outcome = rig.run(&driver, for: .milliseconds(1500))
    #expect(outcome.errors == [] && outcome.missing == 0)
    #expect(outcome.frames.count > 80)
    var log = rig.log.transactions
    #expect(log[0] == .read(0x00, isSPI ? [0xFF] : [0x24]))
    #expect(
      Array(log[1..<3]) == [.read(0x00, [0x24]), .write(0x7E, 0xB6)])
    #expect(
      Array(log[4..<8]) == [
        .read(0x00, [0x24]), .read(0x21, [0x00]), .write(0x7C, 0x00), .write(0x59, 0x00),
      ])
    log.removeFirst(8)
    var loaded: [UInt8] = []
    for burst in 0..<256 {
      #expect(log[2 * burst] == .writeBlock(0x5B, [0x00, UInt8(burst)]))
      if case .writeBlock(0x5E, let bytes) = log[2 * burst + 1] { loaded += bytes }
    }
    #expect(loaded == Self.firmware)
    log.removeFirst(512)
    let configured: [Transaction] = [
      .write(0x59, 0x01), .read(0x21, [0x01]), .read(0x3C, [0x00]), .write(0x40, 0xA8),
      .write(0x41, 0x01), .write(0x42, 0xE8), .write(0x43, 0x02), .write(0x45, 0x88),
      .write(0x46, 12), .write(0x47, 0x00), .write(0x48, 0x00), .write(0x49, 0x10),
      .write(0x53, 0x0A), .write(0x54, 0x00), .write(0x55, 0x00), .write(0x58, 0x00),
      .write(0x7D, 0x0E), .write(0x7C, 0x02),
    ]
    #expect(Array(log.prefix(18)) == configured)
    let reading = try #require(outcome.frames.last).reading
    #expect((reading.specificForce - Vector3(0.25, -0.5, 0.75)).norm < 1e-3)
    #expect((reading.rotationRate - Vector3(-1, 0.5, 1.5)).norm < 1e-3)
    #expect(abs(reading.temperature - 18.5) < 0.002)
  }

  /// Transactions 8 to 519 load the firmware.
  @Test(arguments: [8..<9, 101..<103, 519..<520])
  func `a burst that fails is repeated`(indices: Range<Int>) throws {
    let rig = rig()
    var driver = BMI270(rig.wire(failingAt: indices))
    _ = try driver.configure(Self.settings(.polling))
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(1))
    let health = driver.health
    #expect(outcome.errors == [] && outcome.frames.count > 40)
    #expect(health.busErrors == UInt64(indices.count) && rig.written(0x7E) == [0xB6])
  }

  @Test func `firmware that cannot be written ends the start after three failures`() throws {
    let rig = rig()
    var driver = BMI270(rig.wire(failingAt: 100..<103))
    driver.start()
    let outcome = rig.run(&driver, for: .milliseconds(200))
    #expect(outcome.errors.count == 1 && rig.written(0x7E).count == 2)
  }

  @Test(arguments: [0, 328, 8191, 8193])
  func `without firmware of 8192 bytes it says so and loads nothing`(size: Int) throws {
    let rig = rig()
    rig.firmware = [UInt8](repeating: 1, count: size)
    var driver = BMI270(rig.wire())
    driver.start()
    let outcome = rig.run(&driver, for: .milliseconds(100))
    #expect(outcome.errors.first == .firmware && outcome.frames.isEmpty)
    #expect(!rig.log.transactions.contains { if case .writeBlock = $0 { true } else { false } })
  }

  /// INTERNAL_STATUS 0x02 is an initialisation error.
  @Test func `firmware that the chip refuses is reported as refused`() throws {
    let clock = VirtualClock()
    let bus = SimulatedBus(clock: clock)
    let format = WireFormat(spiDummyBytes: 1)
    bus.attach(ModelPort(BMI270Model(World()), format: format), at: 0x68)
    let port = TestPort(
      ConnectionPort(
        I2CConnection(SimulatedI2C(bus), address: 0x68, format: format), firmware: Self.firmware))
    port.bend = { register, bytes in
      if register == 0x21, bytes[0] == 0x01 { bytes[0] = 0x02 }
    }
    let entry = try #require(ChipCatalog.entry(named: "bosch,bmi270"))
    let driver = entry.driver(HostConnection(port))
    driver.start()
    var batch = RawBatch()
    var loop = DriverLoop()
    var reported: ChipError?
    for _ in 0..<1000 where reported == nil {
      do throws(ChipError) {
        loop.take(try driver.step(.due, into: &batch), at: driver.now)
      } catch { reported = error }
      clock.advance(to: max(clock.now, loop.due))
    }
    #expect(reported == .firmware)
  }

  /// ODR codes 6 to 12 are 25 to 1600 Hz; bandwidth codes 0, 1, 2 are a quarter, a half and all of
  /// it. In low power bit 7 is clear, the codes are averages of 1, 2 and 4, and 0x7C saves power.
  @Test(
    arguments: [
      (25, 0xA6, 0xE6), (50, 0xA7, 0xE7), (100, 0xA8, 0xE8), (200, 0xA9, 0xE9), (400, 0xAA, 0xEA),
      (800, 0xAB, 0xEB), (1600, 0xAC, 0xEC),
    ] as [(Double, UInt8, UInt8)])
  func `each rate has its code`(rate: Double, accel: UInt8, gyro: UInt8) throws {
    let rig = rig(isSPI: true)
    var driver = BMI270(rig.wire())
    let granted = try driver.configure(Self.settings(.fifo, rate: rate))
    #expect(granted.rate == rate)
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(1))
    #expect(outcome.errors == [] && outcome.missing == 0)
    #expect(rig.written(0x40) == [accel] && rig.written(0x42) == [gyro])
    #expect(rig.written(0x49) == [0xD0] && rig.written(0x58) == [0x02])
  }

  @Test(arguments: [(100, 0x28), (200, 0x29), (400, 0x1A)] as [(Double, UInt8)])
  func `low power is the accelerometer that averages and sleeps`(rate: Double, code: UInt8) throws {
    let rig = rig()
    var driver = BMI270(rig.wire())
    var settings = Self.settings(.fifo, rate: rate)
    settings.power = .low
    let granted = try driver.configure(settings)
    #expect(granted.rate == rate)
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(2))
    #expect(outcome.errors == [] && outcome.missing == 0)
    #expect(outcome.frames.count > Int(rate))
    #expect(rig.written(0x40) == [code] && rig.written(0x7D) == [0x0C])
    #expect(rig.written(0x7C) == [0x00, 0x03] && rig.written(0x49) == [0x50])
    let reading = try #require(outcome.frames.last).reading
    #expect(reading.channels == [.acceleration, .temperature])
    #expect((reading.specificForce - Vector3(0.25, -0.5, 0.75)).norm < 1e-3)
  }

  /// 0.44 of 100 Hz is 44 Hz.
  @Test(arguments: [(50, 0xA8), (30, 0x98), (11, 0x88)] as [(Double, UInt8)])
  func `the filter is the widest within the bandwidth`(bandwidth: Double, code: UInt8) throws {
    let rig = rig()
    var driver = BMI270(rig.wire())
    var settings = Self.settings(.polling)
    settings.bandwidth = bandwidth
    let granted = try driver.configure(settings)
    #expect((granted.bandwidth ?? 0) <= bandwidth)
    driver.start()
    rig.run(&driver, for: .seconds(1))
    #expect(rig.written(0x40) == [code])
  }

  @Test(
    arguments: [(2, 0x00), (4, 0x01), (8, 0x02), (16, 0x03)] as [(Double, UInt8)],
    [(125, 0x04), (250, 0x03), (500, 0x02), (1000, 0x01), (2000, 0x00)] as [(Double, UInt8)])
  func `each range has its code`(accel: (Double, UInt8), gyro: (Double, UInt8)) throws {
    let rig = rig()
    var driver = BMI270(rig.wire())
    var settings = Self.settings(.polling)
    settings.accelerationRange = accel.0
    settings.rotationRateRange = gyro.0 * .pi / 180
    _ = try driver.configure(settings)
    driver.start()
    let outcome = rig.run(&driver, for: .milliseconds(600))
    #expect(rig.written(0x41) == [accel.1] && rig.written(0x43) == [gyro.1])
    let reading = try #require(outcome.frames.last).reading
    #expect((reading.specificForce - Vector3(0.25, -0.5, 0.75)).norm < accel.0 / 16384)
  }

  @Test func `pin 2 and its polarity have their bits`() throws {
    let rig = rig()
    var driver = BMI270(rig.wire())
    var settings = Self.settings(.dataReady)
    settings.interruptPin = InterruptPin(number: 2, isActiveLow: true, isOpenDrain: true)
    _ = try driver.configure(settings)
    driver.start()
    rig.run(&driver, for: .milliseconds(600))
    #expect(rig.written(0x53) == [0x00] && rig.written(0x54) == [0x0C])
    #expect(rig.written(0x58) == [0x40])
  }

  /// A frame from the registers: accelerometer, gyroscope, ..., temperature. 4 g and 500 degrees per
  /// second: 8192 counts per g, 65.536 per degree per second.
  @Test func `a frame of registers has counts at both ends`() {
    var batch = RawBatch()
    (batch.frames, batch.frameSize) = (1, 24)
    batch.format[0] = 1
    batch.format[1] = 2
    batch.format[2] = 1
    let bytes: [UInt8] = [
      0xFF, 0x7F, 0x00, 0x80, 0x00, 0x20, 0x00, 0x80, 0xFF, 0x7F, 0x00, 0x40,
    ]
    for (index, byte) in bytes.enumerated() { batch.bytes[index] = byte }
    (batch.bytes[22], batch.bytes[23]) = (0x00, 0xFE)
    let reading = BMI270Decoder.decode(batch, frame: 0)
    #expect((reading.specificForce - Vector3(32767.0 / 8192, -4, 1)).norm < 1e-12)
    let turn = Vector3(-500, 32767 / 65.536, 250) * (.pi / 180)
    #expect((reading.rotationRate - turn).norm < 1e-12)
    // -512 counts are 1 degree below 23.
    #expect(reading.temperature == 22)
    (batch.bytes[22], batch.bytes[23]) = (0x00, 0x80)
    #expect(!BMI270Decoder.decode(batch, frame: 0).channels.contains(.temperature))
  }

  /// A frame of the queue: header, gyroscope, accelerometer. GYR_CAS 0x7E is -2.
  @Test func `a frame of the queue has the gyroscope first, less what x senses of z`() {
    var batch = RawBatch()
    (batch.frames, batch.frameSize) = (1, 13)
    batch.format[0] = 0
    batch.format[1] = 0
    batch.format[2] = 1
    batch.format[5] = 1
    batch.format[6] = 0x7E
    let bytes: [UInt8] = [
      0x8C, 0x00, 0x10, 0x00, 0x00, 0x00, 0x02, 0x00, 0x40, 0x00, 0x00, 0x00, 0xC0,
    ]
    for (index, byte) in bytes.enumerated() { batch.bytes[index] = byte }
    let reading = BMI270Decoder.decode(batch, frame: 0)
    #expect(reading.specificForce == Vector3(1, 0, -1))
    // 4096 + 2 / 512 * 512 = 4098 counts of 2000 / 32768 degrees per second.
    let turn = Vector3(4098, 0, 512) * (2000.0 / 32768 * .pi / 180)
    #expect((reading.rotationRate - turn).norm < 1e-12)
  }

  @Test func `the driver takes from x what it senses of z`() throws {
    let rig = rig()
    let model = try #require(rig.model as? BMI270Model)
    model.crossSensitivity = 30
    var driver = BMI270(rig.wire())
    _ = try driver.configure(Self.settings(.fifo))
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(1))
    let reading = try #require(outcome.frames.last).reading
    #expect((reading.rotationRate - Vector3(-1, 0.5, 1.5)).norm < 1e-3)
  }

  /// Bosch's limits are 16, -15 and 10 g for the difference of the two deflections, and one bit for
  /// each axis of the gyroscope. 0x0D and 0x09 are the two directions; 0xAC is 1600 Hz.
  @Test func `a sound chip passes its self-test, then samples`() throws {
    let rig = rig()
    var driver = BMI270(rig.wire())
    _ = try driver.configure(Self.settings(.polling))
    try driver.startSelfTest()
    #expect(rig.run(&driver, for: .seconds(3)).errors == [])
    let outcome = driver.selfTest
    let report = try #require(outcome)
    #expect(report.count == 6 && report.isPassed)
    let wanted = [18.0, -17, 12, 1, 1, 1]
    for index in 0..<6 { #expect(abs(report.items[index].response - wanted[index]) < 1e-2) }
    #expect(report.items[0].lowest > 16 && report.items[1].highest < -15)
    #expect(report.items[2].lowest > 10)
    #expect(rig.written(0x6D) == [0x0D, 0x09, 0x00] && rig.written(0x7E) == [0xB6, 0x02, 0xB6])
    #expect(rig.written(0x40) == [0xAC] && rig.written(0x41) == [0x03])
    #expect(rig.written(0x69) == [0x04] && rig.written(0x2F) == [0x01, 0x00])
    #expect(!report.wasMoved)
    // Bits 5:3 of GYR_GAIN_STATUS on page 0, after the result: no error.
    let result = try #require(rig.log.transactions.lastIndex(of: .read(0x6E, [0x0F])))
    #expect(rig.log.transactions[result + 1] == .read(0x38, [0x00]))
    driver.start()
    let samples = rig.run(&driver, for: .seconds(1))
    #expect(samples.errors == [] && samples.frames.count > 40)
  }

  @Test func `a stuck axis fails the self-test`() throws {
    let rig = rig()
    rig.world.changes = { _, _, reading in reading.specificForce = Vector3(20, 0, 0) }
    var driver = BMI270(rig.wire())
    try driver.startSelfTest()
    rig.run(&driver, for: .seconds(3))
    let result = driver.selfTest
    let report = try #require(result)
    #expect(!report.isPassed && !report.items[0].isPassed && report.items[1].isPassed)
  }

  /// Bosch's driver: g_trigger_status 3 is a test that was aborted, by the host or by a motion.
  @Test func `a board that was moved is not called bad`() throws {
    let rig = rig()
    rig.world.changes = { time, _, reading in
      reading.specificForce.x += 3 * time.seconds
    }
    var driver = BMI270(rig.wire())
    try driver.startSelfTest()
    rig.run(&driver, for: .seconds(3))
    let result = driver.selfTest
    let report = try #require(result)
    #expect(!report.isPassed && report.wasMoved && report.items[3].response == 0)
  }

  @Test func `a frame of another kind empties the queue`() throws {
    let rig = rig()
    var driver = BMI270(rig.wire())
    _ = try driver.configure(Self.settings(.fifo))
    driver.start()
    rig.run(&driver, for: .seconds(1))
    // A change of rate puts a frame of another kind into the queue.
    rig.tamper(0x43, 0x02 | 0x08)
    rig.tamper(0x43, 0x02)
    let outcome = rig.run(&driver, for: .seconds(1))
    let health = driver.health
    #expect(outcome.isOrdered && health.overflows > 0 && outcome.missing < 10)
    #expect(outcome.frames.count > 80)
  }
}
