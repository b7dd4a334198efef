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

typealias ICM45686OnRig = ICM45686<IndirectBus<RigBus>>

// Addresses, bits and scales are typed from TDK's DS-000489 revision 1.1, sections 3, 5 and 13 to
// 21.
@Suite struct ICM45686Tests {
  func rig(isSPI: Bool = false) -> Rig {
    let rig = Rig(at: 0x68, WireFormat(), isSPI: isSPI) { ICM45686Model($0) }
    rig.world.held.specificForce = Vector3(0.5, -0.25, 1)
    rig.world.held.rotationRate = Vector3(0.1, -0.2, 0.05)
    rig.world.held.temperature = 30
    return rig
  }

  func driver(_ rig: Rig) -> ICM45686OnRig {
    ICM45686(
      IndirectBus(rig.wire(), IndirectWindow(first: 0x7C, page: 0xA0, status: 0x7F, ready: 0x01)))
  }

  static func settings(
    _ acquisition: Acquisition, rate: Double = 1600, g: Double = 32, degreesPerSecond: Double = 4000
  ) -> SensorSettings {
    SensorSettings(
      rate: rate, accelerationRange: g, rotationRateRange: degreesPerSecond * .pi / 180,
      acquisition: acquisition)
  }

  /// The configuration for a FIFO with 16 packets of 20 bytes, in the driver's order; addresses
  /// above 0xFF are inner registers.
  static let table: [(UInt16, UInt8)] = [
    (0xA267, 0x02), (0xA258, 0x61), (0x18, 0x01), (0x1C, 0x05), (0x1B, 0x05), (0xA4AC, 0x80),
    (0xA583, 0x00), (0xA4A6, 0x5B), (0xA57B, 0x16), (0xA581, 0x02), (0x1E, 0x10), (0x1F, 0x00),
    (0x22, 0x02), (0x20, 0x28), (0x16, 0x02), (0x56, 0x00), (0x1D, 0x87), (0x21, 0x0F),
    (0x10, 0x0F),
  ]

  private static func write(_ row: (UInt16, UInt8)) -> [Transaction] {
    let (high, low) = (UInt8(row.0 >> 8), UInt8(truncatingIfNeeded: row.0))
    return high == 0
      ? [.write(low, row.1)] : [.read(0x7F, [0x01]), .writeBlock(0x7C, [high, low, row.1])]
  }

  private static func read(_ row: (UInt16, UInt8)) -> [Transaction] {
    let (high, low) = (UInt8(row.0 >> 8), UInt8(truncatingIfNeeded: row.0))
    return high == 0
      ? [.read(low, [row.1])]
      : [
        .read(0x7F, [0x01]), .writeBlock(0x7C, [high, low]), .read(0x7F, [0x01]),
        .read(0x7E, [row.1]),
      ]
  }

  /// Linux and Zephyr set the edges of SPI before the first read and after the reset. FIFO_CONFIG3
  /// 0x21 first selects the packets, and enables their flow after the FIFO (section 16.32). TDK's
  /// driver waits until bit 7 of FIFO_CONFIG2 is clear.
  @Test(arguments: [false, true])
  func `identity, reset, pins off, table, 70 ms, and an empty queue`(isSPI: Bool) throws {
    let rig = rig(isSPI: isSPI)
    var driver = driver(rig)
    let taken = try driver.configure(Self.settings(.fifo))
    #expect(taken.batchInterval == .milliseconds(10) && taken.bandwidth == 800)
    driver.start()
    let outcome = rig.run(&driver, for: .milliseconds(200))
    #expect(outcome.errors == [])
    let edges: [Transaction] = isSPI ? [.write(0x32, 0x64)] : []
    let expected: [Transaction] =
      edges + [.read(0x72, [0xE9]), .write(0x7F, 0x02)] + edges
      + [.read(0x19, [0x80]), .write(0x16, 0x00), .write(0x56, 0x00), .write(0x21, 0x0E)]
      + Self.table.flatMap(Self.write) + Self.table.flatMap(Self.read)
      + [.write(0x20, 0xA8)] + (isSPI ? [.read(0x20, [0xA8])] : []) + [.read(0x20, [0x28])]
    #expect(Array(rig.log.transactions.prefix(expected.count)) == expected)
    let gap = try #require(outcome.deliveries.first)
    #expect(gap.nanoseconds > 70_000_000)
  }

  /// ODR codes 5 to 12; PWR_MGMT0 0x0F; data ready in bit 2 of INT1_CONFIG0, also for polling.
  static let rates: [(Double, UInt8)] = [
    (1600, 5), (800, 6), (400, 7), (200, 8), (100, 9), (50, 10), (25, 11), (12.5, 12),
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
    #expect(rig.written(0x1B) == [row.1] && rig.written(0x1C) == [row.1])
    #expect(rig.written(0x16) == [0x00, 0x04] && rig.written(0x1D) == [0x07])
    let last = try #require(outcome.frames.last).reading
    #expect((last.specificForce - Vector3(0.5, -0.25, 1)).norm < 0.001)
    #expect((last.rotationRate - Vector3(0.1, -0.2, 0.05)).norm < 0.002)
    #expect(abs(last.temperature - 30) < 0.005)
  }

  @Test func `rates and ranges are offered`() {
    let driver = driver(rig())
    #expect((0...8).map { driver.rate(at: $0) } == Self.rates.map { $0.0 } + [nil])
    #expect((0...5).map { driver.range(of: .acceleration, at: $0) } == [2, 4, 8, 16, 32, nil])
    let degrees = (0...8).map { (driver.range(of: .rotationRate, at: $0) ?? 0) * 180 / .pi }
    for (a, b) in zip(degrees, [15.625, 31.25, 62.5, 125, 250, 500, 1000, 2000, 4000]) {
      #expect(abs(a - b) < 1e-9)
    }
  }

  /// UI_FS_SEL in the upper four bits. The sheet's counts per degree per second (table 1) are
  /// rounded; Linux's inv_icm45600 has 4000 degrees per second as 0.002130529 rad/s a count.
  static let scales:
    [(g: Double, dps: Double, accel: UInt8, gyro: UInt8, perG: Double, sheet: Double, by: Double)] =
      [
        (2, 15.625, 0x45, 0x85, 16384, 2097.2, 0.1), (2, 31.25, 0x45, 0x75, 16384, 1048.6, 0.1),
        (4, 62.5, 0x35, 0x65, 8192, 524.3, 0.1), (4, 125, 0x35, 0x55, 8192, 262, 1),
        (8, 250, 0x25, 0x45, 4096, 131, 1), (8, 500, 0x25, 0x35, 4096, 65.5, 0.1),
        (16, 1000, 0x15, 0x25, 2048, 32.8, 0.1), (16, 2000, 0x15, 0x15, 2048, 16.4, 0.1),
        (16, 4000, 0x15, 0x05, 2048, 8.2, 0.1),
      ]

  @Test(arguments: scales) func `each range has its code and its scale`(
    row: (
      g: Double, dps: Double, accel: UInt8, gyro: UInt8, perG: Double, sheet: Double, by: Double
    )
  ) throws {
    let rig = rig()
    var driver = driver(rig)
    _ = try driver.configure(Self.settings(.fifo, g: row.g, degreesPerSecond: row.dps))
    driver.start()
    _ = rig.run(&driver, for: .milliseconds(100))
    #expect(rig.written(0x1B) == [row.accel] && rig.written(0x1C) == [row.gyro])
    // The FIFO has packets of 16 bytes.
    #expect(rig.written(0x21) == [0x06, 0x07])
    let batch = Self.batch(Self.packet3, format: [row.accel >> 4, row.gyro >> 4, 3])
    let reading = driver.decode(batch, frame: 0)
    #expect((reading.specificForce * row.perG - Vector3(32767, -32766, 256)).norm < 1e-6)
    let turn = reading.rotationRate * (180 / .pi) * (32768 / row.dps)
    #expect((turn - Vector3(-1, 2, 32767)).norm < 1e-6)
    #expect(abs(32768 / row.dps - row.sheet) < row.by)
    // 25 + 62 / 2
    #expect(reading.temperature == 56)
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

  static func decoded(_ bytes: [UInt8], _ format: [UInt8]) -> (ChipReading, invalid: Int) {
    let batch = batch(bytes, format: format)
    return (
      ICM45686Decoder.decode(batch, frame: 0), ICM45686Decoder(batch).invalidFrames(batch)
    )
  }

  /// Registers 0x00 to 0x0D: accelerometer, gyroscope, temperature; 0x0280 is 640 / 128 degrees
  /// above 25. At 32 g and 4000 degrees per second a count is 1/1024 g and 1/8.192 degree per
  /// second.
  @Test func `the registers have the temperature last`() {
    let registers: [UInt8] = [
      0x04, 0x00, 0xFC, 0x00, 0x00, 0x01, 0x20, 0x00, 0xFF, 0xFF, 0x00, 0x00, 0x02, 0x80,
    ]
    let (reading, invalid) = Self.decoded(registers, [0, 0, 5])
    #expect((reading.specificForce - Vector3(1, -1, 1.0 / 1024)).norm < 1e-9)
    let degrees = reading.rotationRate * (180 / .pi)
    #expect((degrees - Vector3(1000, -1 / 8.192, 0)).norm < 1e-9)
    #expect(reading.temperature == 30 && invalid == 0)
    let (accel, none) = Self.decoded(registers, [0, 0, 6])
    #expect(accel.channels == [.acceleration, .temperature] && none == 0)
  }

  /// TDK's driver: INVALID_VALUE_FIFO 0x8000, and 0x80 for a temperature of one byte. Table 4: the
  /// thermometer measures -40 to 85 degrees.
  @Test func `codes that are no measurement are left out`() {
    var bytes = Self.packet3
    #expect(
      Self.decoded(bytes, [0, 1, 3]).0.channels == [.acceleration, .rotationRate, .temperature])
    #expect(Self.decoded(bytes, [0, 1, 3]).invalid == 0)
    bytes[13] = 0x80
    let cold = Self.decoded(bytes, [0, 1, 3])
    #expect(cold.0.channels == [.acceleration, .rotationRate] && cold.invalid == 1)
    #expect(cold.0.fault == .noData)
    for (code, isIn) in [(0x81, true), (0x78, true), (0x79, false)] as [(UInt8, Bool)] {
      bytes[13] = code
      let row = Self.decoded(bytes, [0, 1, 3])
      #expect(row.0.channels.contains(.temperature) == isIn && row.invalid == (isIn ? 0 : 1))
    }
    bytes[13] = 0x00
    bytes.replaceSubrange(7..<9, with: [0x80, 0x00])
    #expect(Self.decoded(bytes, [0, 1, 3]).0.channels == [.acceleration, .temperature])
    #expect(Self.decoded(bytes, [0, 1, 3]).invalid == 1)
    // 0x1E00 is 60 degrees above 25, 0xDF80 is 65 below, 0x8000 is no temperature.
    let rest: [UInt8] = [0x04, 0, 0xFC, 0, 0, 1, 0x20, 0, 0xFF, 0xFF, 0, 0]
    for (code, isIn) in [
      ([0x1E, 0x00], true), ([0x1E, 0x01], false), ([0xDF, 0x80], true), ([0xDF, 0x7F], false),
      ([0x80, 0x00], false),
    ] as [([UInt8], Bool)] {
      let row = Self.decoded(rest + code, [0, 0, 5])
      #expect(row.0.channels.contains(.temperature) == isIn && row.invalid == (isIn ? 0 : 1))
    }
    #expect(Self.decoded([UInt8](repeating: 0xFF, count: 14), [0, 0, 5]).0.channels == [])
  }

  /// 16384 counts per g and 131.072 per degree per second (section 5: 131.1), whatever the range.
  /// The lowest bits are in the last three bytes, those of the accelerometer above.
  @Test func `a packet of 20 bytes has 20 bits an axis`() {
    let bytes: [UInt8] = [
      0x78, 0x00, 0x00, 0xFF, 0xFF, 0x7F, 0xFF, 0x00, 0x00, 0xFF, 0xFF, 0x7F, 0xFF, 0x02, 0x80, 0,
      0, 0x21, 0xEF, 0xEF,
    ]
    let (reading, invalid) = Self.decoded(bytes, [0, 0, 4])
    #expect((reading.specificForce * 16384 - Vector3(2, -2, 524286)).norm < 1e-6)
    #expect((reading.rotationRate * (180 / .pi) * 131.072 - Vector3(1, -1, 524287)).norm < 1e-6)
    #expect(reading.temperature == 30 && invalid == 0)
  }

  @Test func `the widest ranges have finer steps in the queue than in the registers`() throws {
    for (acquisition, limit) in [(Acquisition.fifo, 0.5 / 16384), (.polling, 0.5 / 1024)] {
      let rig = rig()
      rig.world.held.specificForce = Vector3(0.12345, -0.98765, 0.33333)
      var driver = driver(rig)
      _ = try driver.configure(Self.settings(acquisition))
      driver.start()
      let outcome = rig.run(&driver, for: .milliseconds(200))
      let force = try #require(outcome.frames.last).reading.specificForce
      let error = force - Vector3(0.12345, -0.98765, 0.33333)
      #expect(max(abs(error.x), max(abs(error.y), abs(error.z))) < limit * 1.001)
      #expect((error.norm > 0.0001) == (acquisition == .polling))
    }
  }

  /// UI_LPFBW_SEL in bits 2 to 0 of IPREG_SYS1_REG_172 and IPREG_SYS2_REG_131: 0 is off, 1 to 6
  /// are a 4th to a 128th of the rate.
  @Test(
    arguments: [
      (1600, 1600, 0, 800), (1600, 799, 1, 400), (1600, 200, 2, 200), (1600, 110, 3, 100),
      (1600, 10, 6, 12.5), (100, nil, 0, 50), (100, 2, 5, 1.5625),
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
    let blocks = rig.log.transactions
    #expect(blocks.contains(.writeBlock(0x7C, [0xA4, 0xAC, 0x80 | row.code])))
    #expect(blocks.contains(.writeBlock(0x7C, [0xA5, 0x83, row.code])))
    // A second-order low-pass filter delays by 0.2251 over its bandwidth.
    let delays = ICM45686Chip.delays(of: settings)
    #expect(abs(delays.rotationRate - 0.225079 / row.cutoff) < 1e-6)
    #expect(delays.acceleration == delays.rotationRate)
  }

  /// INT1_CONFIG2 or INT2_CONFIG2, INT1_CONFIG0 and INT2_CONFIG0: data-ready is bit 2.
  @Test(
    arguments: [
      (1, false, false, 0x01, 0x04, 0x00), (1, true, true, 0x04, 0x04, 0x00),
      (2, false, false, 0x01, 0x00, 0x04), (2, true, false, 0x00, 0x00, 0x04),
    ] as [(UInt8, Bool, Bool, UInt8, UInt8, UInt8)])
  func `either pin is driven as its line wants`(
    row: (pin: UInt8, low: Bool, open: Bool, config: UInt8, source1: UInt8, source2: UInt8)
  ) throws {
    let rig = rig()
    var driver = driver(rig)
    var settings = Self.settings(.dataReady, rate: 200)
    settings.keepsLateSamples = true
    settings.interruptPin = InterruptPin(
      number: row.pin, isActiveLow: row.low, isOpenDrain: row.open)
    let taken = try driver.configure(settings)
    #expect(taken.acquisition == .dataReady && !taken.keepsLateSamples)
    driver.start()
    let outcome = rig.run(&driver, for: .milliseconds(200))
    #expect(outcome.errors == [] && outcome.frames.count > 5)
    #expect(rig.written(row.pin == 2 ? 0x58 : 0x18) == [row.config])
    #expect(rig.written(row.pin == 2 ? 0x18 : 0x58) == [])
    #expect(rig.written(0x16) == [0x00, row.source1] && rig.written(0x56) == [0x00, row.source2])
    #expect(rig.model.isActiveLow == row.low)
  }

  /// PWR_MGMT0 0x02 is the accelerometer in low power with the gyroscope off, SMC_CONTROL_0 bit 4
  /// its clock. Packets have 8 bytes. ACCEL_LP_AVG_SEL: 0x02 is the mean of 4, at 400 Hz 0 as in
  /// Linux's inv_icm45600.
  @Test(arguments: [(100, 0x02), (400, 0x00)] as [(Double, UInt8)])
  func `low power is the accelerometer alone`(rate: Double, average: UInt8) throws {
    for acquisition in [Acquisition.fifo, .dataReady, .polling] {
      let rig = rig()
      var driver = driver(rig)
      var settings = Self.settings(acquisition, rate: rate)
      settings.power = .low
      _ = try driver.configure(settings)
      #expect(driver.channels == [.acceleration, .temperature])
      driver.start()
      let outcome = rig.run(&driver, for: .milliseconds(300))
      #expect(rig.written(0x10) == [0x02] && outcome.errors == [])
      #expect(rig.written(0x21) == (acquisition == .fifo ? [0x02, 0x03] : [0x00]))
      // TMST_EN and TMST_FSYNC_EN are off, as in TDK's driver.
      #expect(rig.log.transactions.contains(.writeBlock(0x7C, [0xA2, 0x58, 0x70])))
      #expect(rig.written(0x22) == [0x00])
      #expect(rig.log.transactions.contains(.writeBlock(0x7C, [0xA5, 0x81, average])))
      let reading = try #require(outcome.frames.last).reading
      #expect(reading.channels == [.acceleration, .temperature])
      #expect((reading.specificForce - Vector3(0.5, -0.25, 1)).norm < 0.001)
      settings.rate = 800
      #expect(throws: ChipError.unsupportedSetting) { _ = try driver.configure(settings) }
    }
  }

  /// AN-000364, section 2.2: the first read of FIFO_COUNT can show an old count. The model's does
  /// so each fifth time.
  @Test func `the queue's count is read twice`() throws {
    let rig = rig()
    // The host is up to 2 ms late, so that the counts differ.
    rig.latency = { .milliseconds($0.nanoseconds / 1_000_000 % 3) }
    var driver = driver(rig)
    _ = try driver.configure(Self.settings(.fifo))
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(2))
    let counts: [[UInt8]] = rig.log.transactions.compactMap {
      if case .read(0x12, let bytes) = $0 { bytes } else { nil }
    }
    #expect(counts.count > 300 && counts.count % 2 == 0)
    let pairs = stride(from: 0, to: counts.count, by: 2).map { (counts[$0], counts[$0 + 1]) }
    #expect(pairs.contains { $0.0 != $0.1 })
    let health = driver.health
    #expect(health.misconfigurations == 0 && health.missing == 0 && outcome.errors == [])
    // 1.94 s at 1600 Hz.
    #expect((3050...3110).contains(outcome.frames.count))
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
    let elapsed = ((last.time - before.time).seconds * 1600).rounded()
    #expect(elapsed == Double(after.frames.count + after.missing) && after.missing >= 470)
  }

  @Test func `a chip that lost its supply is found within 200 ms`() throws {
    let rig = rig()
    var driver = driver(rig)
    _ = try driver.configure(Self.settings(.fifo))
    driver.start()
    _ = rig.run(&driver, for: .seconds(1))
    let outcome = try rig.expectRestart(of: &driver)
    #expect(outcome.frames.count > 1000)
  }

  /// SREG_CTRL back at little-endian: the comparison of the inner register finds it.
  @Test func `an inner register that changed is found`() throws {
    let rig = rig()
    var driver = driver(rig)
    _ = try driver.configure(Self.settings(.fifo))
    driver.start()
    _ = rig.run(&driver, for: .seconds(1))
    for (register, value) in [(0x7C, 0xA4), (0x7D, 0xAC), (0x7E, 0x83)] as [(UInt8, UInt8)] {
      rig.tamper(register, value)
    }
    let outcome = rig.run(&driver, for: .seconds(5))
    #expect(
      outcome.errors.first
        == .rejectedWord(FlatAddress(bank: 4, 0xAC), wrote: 0x80, readBack: 0x83))
  }

  /// The header does not belong to a packet with both sensors, 20 bits and a time.
  @Test func `a packet of another kind empties the queue`() throws {
    let rig = rig()
    var driver = driver(rig)
    _ = try driver.configure(Self.settings(.fifo))
    driver.start()
    _ = rig.run(&driver, for: .milliseconds(500))
    // Change the packet format to 16 bytes for 3 ms without the driver.
    rig.tamper(0x21, 0x07)
    rig.clock.advance(to: rig.clock.now + .milliseconds(3))
    rig.tamper(0x21, 0x0F)
    let outcome = rig.run(&driver, for: .milliseconds(500))
    let health = driver.health
    #expect(health.misconfigurations == 1 && outcome.errors == [] && outcome.frames.count > 700)
    #expect(
      outcome.frames.allSatisfy { ($0.reading.specificForce - Vector3(0.5, -0.25, 1)).norm < 0.001 }
    )
  }
}
