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

typealias ICM42688POnRig = ICM42688P<BankedBus<RigBus>>

// Addresses, bits and scales are typed from TDK's DS-000347 revision 1.7, sections 3, 6 and 14, and
// from PX4's driver.
@Suite struct ICM42688PTests {
  func rig(isSPI: Bool = false) -> Rig {
    let rig = Rig(at: 0x68, WireFormat(), isSPI: isSPI) { ICM42688PModel($0) }
    rig.world.held.specificForce = Vector3(0.5, -0.25, 1)
    rig.world.held.rotationRate = Vector3(0.1, -0.2, 0.05)
    rig.world.held.temperature = 30
    return rig
  }

  func driver(_ rig: Rig) -> ICM42688POnRig {
    ICM42688P(BankedBus(rig.wire(), RegisterWindow(selector: 0x76, field: 0x07, 0x00...0x7F)))
  }

  static func settings(
    _ acquisition: Acquisition, rate: Double = 1000, g: Double = 16, degreesPerSecond: Double = 2000
  ) -> SensorSettings {
    SensorSettings(
      rate: rate, accelerationRange: g, rotationRateRange: degreesPerSecond * .pi / 180,
      acquisition: acquisition)
  }

  /// The registers 0x4C to 0x4E, and those for a FIFO with ten packets of 20 bytes, in the driver's
  /// order: 200 bytes are 0x00C8.
  static let table: [(UInt8, UInt8)] = [
    (0x4C, 0x30), (0x14, 0x03), (0x64, 0x00), (0x4F, 0x06), (0x50, 0x06), (0x52, 0x00),
    (0x54, 0x29), (0x5F, 0x1F), (0x60, 0xC8), (0x61, 0x00), (0x65, 0x04), (0x68, 0x00),
    (0x16, 0x40), (0x4E, 0x0F),
  ]

  @Test(arguments: [false, true])
  func `bank, identity, reset, table, 60 ms, and an empty queue`(isSPI: Bool) throws {
    let rig = rig(isSPI: isSPI)
    var driver = driver(rig)
    let taken = try driver.configure(Self.settings(.fifo))
    #expect(taken.batchInterval == .milliseconds(10) && taken.bandwidth == 500)
    driver.start()
    let outcome = rig.run(&driver, for: .milliseconds(200))
    #expect(outcome.errors == [])
    // On SPI the chip's I2C interface is disabled.
    let table = Self.table.map { $0.0 == 0x4C && isSPI ? (0x4C, 0x33) : $0 }
    let expected: [Transaction] =
      [.write(0x76, 0x00), .read(0x75, [0x47]), .write(0x11, 0x01), .read(0x2D, [0x10])]
      + table.map { .write($0.0, $0.1) } + table.map { .read($0.0, [$0.1]) }
      + [.write(0x4B, 0x02)]
    #expect(Array(rig.log.transactions.prefix(expected.count)) == expected)
    let gap = try #require(outcome.deliveries.first)
    #expect(gap.nanoseconds > 60_000_000)
  }

  /// ODR codes: 5, 6, 15, 7 to 11; PWR_MGMT0 0x0F.
  static let rates: [(Double, UInt8)] = [
    (2000, 5), (1000, 6), (500, 15), (200, 7), (100, 8), (50, 9), (25, 10), (12.5, 11),
  ]

  @Test(arguments: rates) func `each rate has its code in both registers`(row: (Double, UInt8))
    throws
  {
    let rig = rig()
    var driver = driver(rig)
    let taken = try driver.configure(Self.settings(.polling, rate: row.0))
    #expect(taken.rate == row.0 && taken.bandwidth == row.0 / 2)
    driver.start()
    let outcome = rig.run(&driver, for: TimeSpan(seconds: 0.1 + 10 / row.0))
    #expect(outcome.frames.count >= 8 && outcome.errors == [])
    #expect(rig.written(0x4F) == [row.1] && rig.written(0x50) == [row.1])
  }

  @Test func `rates and ranges are offered`() {
    let driver = driver(rig())
    #expect((0...8).map { driver.rate(at: $0) } == Self.rates.map { $0.0 } + [nil])
    #expect((0...4).map { driver.range(of: .acceleration, at: $0) } == [2, 4, 8, 16, nil])
    let degrees = (0...7).map { (driver.range(of: .rotationRate, at: $0) ?? 0) * 180 / .pi }
    for (a, b) in zip(degrees, [15.625, 31.25, 62.5, 125, 250, 500, 1000, 2000]) {
      #expect(abs(a - b) < 1e-9)
    }
  }

  /// FS_SEL in bits 7 to 5: 3 is 2 g and 250 degrees per second, 7 is 15.625. Counts: tables 1 and
  /// 2; Zephyr's icm42688 driver has the same.
  static let scales:
    [(g: Double, dps: Double, accel: UInt8, gyro: UInt8, perG: Double, perDps: Double)] = [
      (2, 15.625, 0x66, 0xE6, 16384, 2097.2), (2, 31.25, 0x66, 0xC6, 16384, 1048.6),
      (2, 62.5, 0x66, 0xA6, 16384, 524.3), (2, 125, 0x66, 0x86, 16384, 262),
      (4, 250, 0x46, 0x66, 8192, 131), (8, 1000, 0x26, 0x26, 4096, 32.8),
      (16, 500, 0x06, 0x46, 2048, 65.5),
    ]

  @Test(arguments: scales) func `each range has its code and its scale`(
    row: (g: Double, dps: Double, accel: UInt8, gyro: UInt8, perG: Double, perDps: Double)
  ) throws {
    let rig = rig()
    var driver = driver(rig)
    _ = try driver.configure(Self.settings(.fifo, g: row.g, degreesPerSecond: row.dps))
    driver.start()
    _ = rig.run(&driver, for: .milliseconds(100))
    #expect(rig.written(0x50) == [row.accel] && rig.written(0x4F) == [row.gyro])
    // The FIFO has packets of 16 bytes.
    #expect(rig.written(0x5F) == [0x0F])
    var batch = Self.batch(Self.packet3, format: [row.accel >> 5, row.gyro >> 5, 3])
    let reading = driver.decode(batch, frame: 0)
    let force = reading.specificForce * row.perG
    #expect((force - Vector3(32767, -32766, 256)).norm < 1e-6)
    let turn = reading.rotationRate * (180 / .pi) * row.perDps
    #expect((turn - Vector3(-1, 2, 32767)).norm < 1e-6)
    // 25 + 62 / 2.07
    #expect(abs(reading.temperature - 54.951691) < 1e-5)
    batch = Self.batch(
      Array(Self.packet3[13..<14] + [0] + Self.packet3[1..<13]), format: [0, 0, 0])
    // In the registers 0x3E00 is 15872 / 132.48 degrees above 25.
    #expect(abs(driver.decode(batch, frame: 0).temperature - 144.806763) < 1e-5)
  }

  static let packet3: [UInt8] = [
    0x68, 0x7F, 0xFF, 0x80, 0x02, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x02, 0x7F, 0xFF, 0x3E, 0x12, 0x34,
  ]

  static func batch(_ bytes: [UInt8], format: [UInt8]) -> RawBatch {
    var batch = RawBatch()
    (batch.frames, batch.frameSize) = (1, bytes.count)
    for (index, byte) in bytes.enumerated() { batch.bytes[index] = byte }
    for (index, code) in format.enumerated() { batch.format[index] = code }
    return batch
  }

  /// A word of -32768, in 20 bits -524288, is no measurement: those end at -32766 (section 14.34,
  /// INTF_CONFIG0; PX4's driver drops them, and Zephyr's those of 20 bits).
  @Test func `a sensor without data is left out of the sample`() {
    var bytes = Self.packet3
    let both = ICM42688PDecoder.decode(Self.batch(bytes, format: [0, 1, 3]), frame: 0)
    #expect(both.channels == [.acceleration, .rotationRate, .temperature])
    bytes.replaceSubrange(7..<9, with: [0x80, 0x00])
    let force = ICM42688PDecoder.decode(Self.batch(bytes, format: [0, 1, 3]), frame: 0)
    #expect(force.channels == [.acceleration, .temperature])
    bytes.replaceSubrange(1..<7, with: [0x80, 0x00, 0x80, 0x00, 0x80, 0x00])
    let none = ICM42688PDecoder.decode(Self.batch(bytes, format: [0, 1, 3]), frame: 0)
    #expect(none.channels == [])
    // The registers before the first sample: temperature, accelerometer, gyroscope.
    let registers = Self.batch(
      [UInt8](repeating: 0, count: 2) + [0x80, 0x00, 0x80, 0x00, 0x80, 0x00]
        + [0x80, 0x00, 0x80, 0x00, 0x80, 0x00], format: [0, 0, 0])
    #expect(ICM42688PDecoder.decode(registers, frame: 0).channels == [])
    let wide: [UInt8] = [
      0x78, 0x80, 0x00, 0x80, 0x00, 0x80, 0x00, 0x00, 0x10, 0x00, 0x20, 0x00, 0x30, 0x02, 0x96, 0,
      0, 0, 0, 0,
    ]
    let turn = ICM42688PDecoder.decode(Self.batch(wide, format: [0, 0, 4]), frame: 0)
    #expect(turn.channels == [.rotationRate, .temperature])
  }

  /// Its gyroscope off behind the driver's back for 20 ms: packets with the code of no data.
  @Test func `a gyroscope that stands still gives no rate`() throws {
    let rig = rig()
    var driver = driver(rig)
    _ = try driver.configure(Self.settings(.fifo, rate: 100))
    driver.start()
    _ = rig.run(&driver, for: .milliseconds(500))
    rig.tamper(0x4E, 0x03)
    rig.clock.advance(to: rig.clock.now + .milliseconds(25))
    rig.tamper(0x4E, 0x0F)
    let frames = rig.run(&driver, for: .milliseconds(100)).frames
    #expect(frames.contains { $0.reading.channels == [.acceleration, .temperature] })
    for frame in frames where frame.reading.channels.contains(.rotationRate) {
      #expect((frame.reading.rotationRate - Vector3(0.1, -0.2, 0.05)).norm < 0.001)
    }
  }

  /// 18 bits with 8192 counts per g and 19 bits with 131 per degree per second, in the upper bits
  /// of 20. The lowest bits are in the last three bytes, those of the accelerometer above.
  @Test func `a packet of 20 bytes has 20 bits an axis`() {
    let bytes: [UInt8] = [
      0x78, 0x00, 0x00, 0xFF, 0xFF, 0x7F, 0xFF, 0x00, 0x00, 0xFF, 0xFF, 0x7F, 0xFF, 0x02, 0x96, 0,
      0,
      0x42, 0xCE, 0xCE,
    ]
    let batch = Self.batch(bytes, format: [0, 0, 4])
    let reading = ICM42688PDecoder.decode(batch, frame: 0)
    // 4, -4 and 524284 counts of 32768 per g; 2, -2 and 524286 counts of 262 per degree per second.
    #expect((reading.specificForce * 32768 - Vector3(4, -4, 524284)).norm < 1e-6)
    #expect((reading.rotationRate * (180 / .pi) * 262 - Vector3(2, -2, 524286)).norm < 1e-6)
    // 0x0296 is 662 counts.
    #expect(abs(reading.temperature - 29.996981) < 1e-5)
  }

  @Test func `the widest ranges have finer steps in the queue than in the registers`() throws {
    for (acquisition, limit) in [(Acquisition.fifo, 0.00004), (.polling, 0.0003)] {
      let rig = rig()
      rig.world.held.specificForce = Vector3(0.12345, -0.98765, 0.33333)
      var driver = driver(rig)
      _ = try driver.configure(Self.settings(acquisition))
      driver.start()
      let outcome = rig.run(&driver, for: .milliseconds(200))
      let force = try #require(outcome.frames.last).reading.specificForce
      let error = (force - Vector3(0.12345, -0.98765, 0.33333)).norm
      // The error is at most half a step per axis: 1 / 8192 or 1 / 2048 g.
      #expect(error < limit * 3)
      #expect((error > 0.0001) == (acquisition == .polling))
    }
  }

  /// UI_FILT_BW 0 is half of the rate; 1 to 7 are a 4th, 5th, 8th, 10th, 16th, 20th and 40th of the
  /// rate, or of 400 Hz if that is greater.
  @Test(
    arguments: [
      (1000, 1000, 0x00, 500), (1000, 499, 0x11, 250), (1000, 200, 0x22, 200),
      (1000, 110, 0x44, 100), (1000, 10, 0x77, 25), (100, nil, 0x00, 50), (100, 49, 0x44, 40),
      (100, 12, 0x77, 10), (12.5, 3, 0x00, 6.25),
    ] as [(Double, Double?, UInt8, Double)])
  func `the filter lets no more through than asked`(
    row: (rate: Double, wanted: Double?, code: UInt8, cutoff: Double)
  ) throws {
    let rig = rig()
    var driver = driver(rig)
    var settings = Self.settings(.polling, rate: row.rate)
    settings.bandwidth = row.wanted
    #expect(try driver.configure(settings).bandwidth == row.cutoff)
    driver.start()
    _ = rig.run(&driver, for: .milliseconds(100))
    #expect(rig.written(0x52) == [row.code])
    // A second-order low-pass filter delays by 0.2251 over its bandwidth; the anti-alias filters of
    // 585 and 1163 Hz are added.
    let delays = ICM42688PChip.delays(of: settings)
    #expect(abs(delays.rotationRate - 0.225079 * (1 / row.cutoff + 1.0 / 585)) < 1e-6)
    #expect(abs(delays.acceleration - 0.225079 * (1 / row.cutoff + 1.0 / 1163)) < 1e-6)
  }

  /// INT_CONFIG, INT_SOURCE0 and INT_SOURCE3: data-ready is bit 3, the watermark bit 2.
  @Test(
    arguments: [
      (1, false, false, 0x03, 0x08, 0x00), (1, true, true, 0x00, 0x08, 0x00),
      (2, false, false, 0x18, 0x00, 0x08), (2, true, false, 0x10, 0x00, 0x08),
    ] as [(UInt8, Bool, Bool, UInt8, UInt8, UInt8)])
  func `either pin is driven as its line wants`(
    row: (pin: UInt8, low: Bool, open: Bool, config: UInt8, source0: UInt8, source3: UInt8)
  ) throws {
    let rig = rig()
    var driver = driver(rig)
    var settings = Self.settings(.dataReady, rate: 200)
    settings.interruptPin = InterruptPin(
      number: row.pin, isActiveLow: row.low, isOpenDrain: row.open)
    #expect(try driver.configure(settings).acquisition == .dataReady)
    driver.start()
    _ = rig.run(&driver, for: .milliseconds(100))
    #expect(rig.written(0x14) == [row.config])
    #expect(rig.written(0x65) == [row.source0] && rig.written(0x68) == [row.source3])
    #expect(rig.model.isActiveLow == row.low)
  }

  /// PWR_MGMT0 0x02 is the accelerometer in low power with the gyroscope off. Packets have 8 bytes.
  @Test func `low power is the accelerometer alone`() throws {
    let rig = rig()
    var driver = driver(rig)
    var settings = Self.settings(.fifo, rate: 100)
    settings.power = .low
    _ = try driver.configure(settings)
    #expect(driver.channels == [.acceleration, .temperature])
    driver.start()
    let outcome = rig.run(&driver, for: .milliseconds(300))
    #expect(
      rig.written(0x4E) == [0x02] && rig.written(0x5F) == [0x05] && rig.written(0x52) == [0x11])
    let reading = try #require(outcome.frames.last).reading
    #expect(reading.channels == [.acceleration, .temperature])
    #expect((reading.specificForce - Vector3(0.5, -0.25, 1)).norm < 0.001)
    settings.rate = 1000
    #expect(throws: ChipError.unsupportedSetting) { _ = try driver.configure(settings) }
  }

  @Test func `a full queue is emptied, counted and gone on from`() throws {
    let rig = rig()
    var driver = driver(rig)
    _ = try driver.configure(Self.settings(.fifo))
    driver.start()
    let before = try #require(rig.run(&driver, for: .seconds(1)).frames.last)
    rig.clock.advance(to: rig.clock.now + .milliseconds(300))
    let after = rig.run(&driver, for: .seconds(1))
    let health = driver.health
    #expect(health.overflows == 1 && after.errors == [])
    let last = try #require(after.frames.last)
    let elapsed = ((last.time - before.time).seconds * 1000).rounded()
    #expect(elapsed == Double(after.frames.count + after.missing) && after.missing >= 290)
  }

  @Test func `a chip that lost its supply is found within 200 ms`() throws {
    let rig = rig()
    var driver = driver(rig)
    _ = try driver.configure(Self.settings(.fifo))
    driver.start()
    _ = rig.run(&driver, for: .seconds(1))
    let outcome = try rig.expectRestart(of: &driver)
    #expect(outcome.frames.count > 600)
  }

  /// The header does not belong to a packet with both sensors, 20 bits and a time.
  @Test func `a packet of another kind empties the queue`() throws {
    let rig = rig()
    var driver = driver(rig)
    _ = try driver.configure(Self.settings(.fifo))
    driver.start()
    _ = rig.run(&driver, for: .milliseconds(500))
    // Change the packet format to 16 bytes for 3 ms without the driver.
    rig.tamper(0x5F, 0x0F)
    rig.clock.advance(to: rig.clock.now + .milliseconds(3))
    rig.tamper(0x5F, 0x1F)
    let outcome = rig.run(&driver, for: .milliseconds(500))
    let health = driver.health
    #expect(health.misconfigurations == 1 && outcome.errors == [] && outcome.frames.count > 450)
    #expect(
      outcome.frames.allSatisfy { ($0.reading.specificForce - Vector3(0.5, -0.25, 1)).norm < 0.001 }
    )
  }

  /// Codes 0x95 and 0x80: 2620 x 1.01^148 counts at 131 are 87.22 degrees per second, 2620 x
  /// 1.01^127 counts at 16384 are 0.5659 g.
  @Test(arguments: [(1.0, true), (0.45, false), (1.55, false)] as [(Double, Bool)])
  func `the self-test compares with what the factory saw`(part: Double, passes: Bool) throws {
    let rig = rig()
    rig.world.held.rotationRate = .zero
    rig.world.held.specificForce = Vector3(0, 0, 1)
    try #require(rig.model as? ICM42688PModel).selfTestResponse = part
    var driver = driver(rig)
    try driver.startSelfTest()
    let outcome = rig.run(&driver, for: .seconds(3))
    #expect(outcome.errors == [])
    #expect(rig.written(0x70) == [0x07, 0x78] && rig.written(0x76).contains(2))
    let found = driver.selfTest
    let report = try #require(found)
    #expect(report.count == 6 && report.isPassed == passes)
    let (gyro, accel) = (report.items[0], report.items[4])
    #expect(abs(gyro.response * 180 / .pi - 87.22 * part) < 0.2)
    #expect(
      abs(gyro.lowest * 180 / .pi - 43.55) < 0.1 && abs(gyro.highest * 180 / .pi - 130.6) < 0.3)
    #expect(abs(accel.response - 0.5659 * part) < 0.001)
    #expect(abs(accel.lowest - 0.28292) < 1e-4 && abs(accel.highest - 0.84876) < 1e-4)
  }

  /// Without factory codes the limits are at least 60 degrees per second, and 50 to 1200 mg.
  @Test func `without the factory's codes the limits are fixed`() throws {
    let rig = rig()
    let model = try #require(rig.model as? ICM42688PModel)
    model.selfTestCodes = [0, 0, 0, 0, 0, 0]
    model.powerCycle()
    var driver = driver(rig)
    try driver.startSelfTest()
    _ = rig.run(&driver, for: .seconds(3))
    let found = driver.selfTest
    let report = try #require(found)
    // 2620 counts are 20 degrees per second and 0.16 g.
    #expect(!report.items[0].isPassed && report.items[3].isPassed)
    #expect(abs(report.items[0].lowest * 180 / .pi - 60) < 1e-9)
    #expect(report.items[3].lowest == 0.05 && report.items[3].highest == 1.2)
  }
}
