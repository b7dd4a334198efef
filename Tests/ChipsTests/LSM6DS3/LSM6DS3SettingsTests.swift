// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Testing

/// Filters, power, pins and the auxiliary bus, byte by byte according to ST's data sheets.
@Suite struct LSM6DS3SettingsTests {
  typealias Row = (rate: Double, wanted: Double?, bandwidth: Double, bytes: [UInt8: UInt8])

  /// Checks 0x10, 0x13, 0x15 and 0x17 of a chip started with these settings at 4 g.
  static func check(_ family: LSM6DS3Family, _ rows: [Row], power: PowerMode = .normal) throws {
    for row in rows {
      let bench = LSM6DS3Bench(family)
      var settings = LSM6DS3Tests.settings(.polling, rate: row.rate)
      settings.bandwidth = row.wanted
      settings.power = power
      let run = try LSM6DS3Run(bench, settings)
      run.start()
      #expect(run.errors.isEmpty && !run.readings.isEmpty)
      let bandwidth = try #require(run.taken.bandwidth)
      #expect(abs(bandwidth - row.bandwidth) < 0.01, "\(row)")
      for (register, byte) in row.bytes {
        #expect(bench.model.read(register) == byte, "\(row), register \(register)")
      }
    }
  }

  @Test func `a 0x69 part has the analogue filter, then a part of the rate`() throws {
    try Self.check(
      .lsm6ds3,
      [
        // The analogue filter is at most half of the rate; bit 7 of 0x13 means that 0x10 selects
        // it.
        (1660, nil, 400, [0x10: 0x88, 0x13: 0x80, 0x17: 0x00]),
        (833, nil, 400, [0x10: 0x78, 0x17: 0x00]),
        (416, nil, 200, [0x10: 0x69, 0x17: 0x00]),
        (208, nil, 100, [0x10: 0x5A, 0x17: 0x00]),
        (104, nil, 50, [0x10: 0x4B, 0x17: 0x00]),
        (52, nil, 26, [0x10: 0x3B, 0x17: 0x00]),
        (12.5, nil, 6.25, [0x10: 0x1B, 0x17: 0x00]),
        (1660, 250, 200, [0x10: 0x89, 0x17: 0x00]),
        (1660, 50, 50, [0x10: 0x8B, 0x17: 0x00]),
        // 0x17: bit 7, and in bits 6:5 a 50th, a 100th, a 9th or a 400th of the rate: 0, 1, 2, 3.
        (208, 45, 23.11, [0x10: 0x5B, 0x17: 0xC0]),
        (208, 5, 4.16, [0x10: 0x5B, 0x17: 0x80]),
        (208, 2.5, 2.08, [0x10: 0x5B, 0x17: 0xA0]),
        (208, 0.1, 0.52, [0x10: 0x5B, 0x17: 0xE0]),
      ])
  }

  @Test func `a 0x6A part has a half or a quarter of the rate, then less`() throws {
    try Self.check(
      .lsm6ds3trc,
      [
        (208, nil, 104, [0x10: 0x58, 0x13: 0x00, 0x15: 0x00, 0x17: 0x00]),
        (1660, nil, 830, [0x10: 0x88, 0x13: 0x00, 0x15: 0x00, 0x17: 0x00]),
        // LPF1_BW_SEL is bit 1; the gyroscope has no such filter at 208 Hz.
        (208, 60, 52, [0x10: 0x5A, 0x13: 0x00, 0x15: 0x00, 0x17: 0x00]),
        // BW0_XL, bit 0, is 400 Hz. LPF1_SEL_G is bit 1 of 0x13, for 505, 315, 224 and 168 Hz (3,
        // 0, 1, 2).
        (1660, 600, 400, [0x10: 0x8B, 0x13: 0x02, 0x15: 0x03, 0x17: 0x00]),
        (1660, 400, 400, [0x10: 0x8B, 0x13: 0x02, 0x15: 0x00]),
        (1660, 250, 184.44, [0x10: 0x88, 0x13: 0x02, 0x15: 0x01, 0x17: 0xC0]),
        // At 833 Hz the filters are 293, 245, 195 and 155 Hz.
        (833, 300, 208.25, [0x10: 0x7A, 0x13: 0x02, 0x15: 0x03, 0x17: 0x00]),
        (833, 245, 208.25, [0x10: 0x7A, 0x15: 0x00]),
        (833, 200, 92.56, [0x10: 0x78, 0x15: 0x01, 0x17: 0xC0]),
        (833, 10, 8.33, [0x10: 0x78, 0x15: 0x02, 0x17: 0xA0]),
      ])
  }

  @Test(arguments: LSM6DS3Family.allCases)
  func `low power is the accelerometer alone, up to 208 Hz`(_ family: LSM6DS3Family) throws {
    // Without filters the bandwidth is half of the rate; the older part's analogue filter, 0x10
    // bits 1:0, keeps its reset code. XL_HM_MODE is bit 4 of 0x15, G_HM_MODE bit 7 of 0x16; 0x11
    // powers the gyroscope down.
    try Self.check(
      family, [(52, nil, 26, [0x10: 0x38, 0x11: 0x04, 0x15: 0x10, 0x16: 0x80, 0x17: 0x00])],
      power: .low)
    for acquisition in [Acquisition.dataReady, .fifo, .polling] {
      let world = World.counting()
      let bench = LSM6DS3Bench(family, in: world)
      var settings = LSM6DS3Tests.settings(acquisition, rate: 1660, g: 2)
      settings.power = .low
      let run = try LSM6DS3Run(bench, settings, isWired: acquisition != .polling)
      #expect(run.taken.rate == 208)
      run.run(.seconds(3))
      let numbers = LSM6DS3StreamTests.numbers(run)
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 })
      #expect(numbers.count > 590 && run.missing == 0 && run.errors.isEmpty)
      #expect(run.channels == .acceleration)
      #expect(run.readings.allSatisfy { $0.channels == .acceleration && $0.rotationRate == .zero })
      #expect(run.readings.allSatisfy { abs($0.specificForce.y - 0.5) < 0.0001 })
      // Frames have the accelerometer's 6 bytes, from its registers or from a FIFO without the
      // gyroscope.
      if acquisition == .fifo {
        #expect(bench.model.read(0x08) == 0x01)
        #expect(bench.model.read(0x06) == 30)  // 10 sets of 3 words
      } else {
        #expect(bench.log.contains(.read(0x28, 6)) && !bench.log.contains(.read(0x20, 14)))
      }
      if acquisition == .dataReady { #expect(bench.model.read(0x0D) == 0x01) }
    }
  }

  @Test(
    .sweep,
    arguments: LSM6DS3Family.allCases,
    [Acquisition.dataReady, .fifo])
  func `either pin has either level, pushed or pulled`(
    _ family: LSM6DS3Family, _ acquisition: Acquisition
  ) throws {
    for number in UInt8(1)...2 {
      for (isLow, isOpen, byte) in [
        (false, false, UInt8(0x44)), (true, false, 0x64), (false, true, 0x54), (true, true, 0x74),
      ] {
        let bench = LSM6DS3Bench(family)
        var settings = LSM6DS3Tests.settings(acquisition)
        settings.interruptPin = InterruptPin(
          number: number, isActiveLow: isLow, isOpenDrain: isOpen)
        let run = try LSM6DS3Run(bench, settings, isWired: true)
        run.run(.seconds(1))
        #expect(bench.model.read(0x12) == byte && bench.model.isActiveLow == isLow)
        let route: UInt8 = acquisition == .fifo ? 0x08 : 0x02
        #expect(bench.model.read(0x0D) == (number == 1 ? route : 0))
        #expect(bench.model.read(0x0E) == (number == 2 ? route : 0))
        #expect(
          bench.model.read(0x0B) == (acquisition == .dataReady && family == .lsm6ds3trc ? 0x80 : 0))
        #expect(run.readings.count > 150 && run.health.missedInterrupts == 0)
        // The other pin has no edges.
        #expect(bench.model.takeEdges(of: 3 - number).count == 0)
      }
    }
    var driver = LSM6DS3(LSM6DS3Bus(bench: LSM6DS3Bench(family)))
    var settings = LSM6DS3Tests.settings(acquisition)
    settings.interruptPin.number = 3
    #expect(throws: ChipError.unsupportedSetting) { try driver.configure(settings) }
  }

  @Test(.sweep, arguments: LSM6DS3Family.allCases)
  func `pass-through is bit 2 of 0x1A, in the main bank`(_ family: LSM6DS3Family) throws {
    for passes in [false, true] {
      let bench = LSM6DS3Bench(family)
      var settings = LSM6DS3Tests.settings(.polling)
      settings.passesThrough = passes
      let run = try LSM6DS3Run(bench, settings)
      run.start()
      #expect(bench.model.read(0x1A) == (passes ? 0x04 : 0x00))
      #expect(bench.model.passesThrough == passes)
      #expect(run.errors.isEmpty)
      // A chip that lost this setting is configured again.
      bench.model.write(0x00, to: 0x1A)
      run.run(.seconds(4))
      #expect(run.health.misconfigurations == (passes ? 1 : 0))
      #expect(bench.model.passesThrough == passes)
    }
  }

  @Test
  func `a part that turns out to be of the other family is configured by its own map`() throws {
    let bench = LSM6DS3Bench(.lsm6ds3)
    var settings = LSM6DS3Tests.settings(.polling)
    settings.bandwidth = 100
    var driver = LSM6DS3(LSM6DS3Bus(bench: bench), expecting: .lsm6ds3trc)
    // The bandwidth is a quarter of 208 Hz.
    #expect(try driver.configure(settings).bandwidth == 52)
    driver.start()
    var batch = RawBatch()
    for _ in 0..<6 {
      bench.now = bench.now + .milliseconds(100)
      bench.model.advance(to: bench.now)
      batch.removeAll()
      _ = try driver.step(.due, into: &batch)
    }
    #expect(driver.family == .lsm6ds3 && bench.model.read(0x10) == 0x5A)
    #expect(bench.model.read(0x19) == 0x38)
  }

  @Test func `a clone with an identity of its own is taken for what the board says`() throws {
    for (assumed, byte) in [(UInt8(0x69), UInt8(0x5A)), (0x6A, 0x58)] {
      let bench = LSM6DS3Bench(assumed == 0x69 ? .lsm6ds3 : .lsm6ds3trc)
      bench.identity = 0x6B
      var settings = LSM6DS3Tests.settings(.polling)
      let stranger = try LSM6DS3Run(bench, settings)
      stranger.turn()
      #expect(stranger.errors == [.identity(found: 0x6B, register: 0x0F)])
      settings.assumedIdentity = assumed
      let run = try LSM6DS3Run(bench, settings)
      run.start()
      #expect(run.errors.isEmpty && run.family.rawValue == assumed)
      #expect(bench.model.read(0x10) == byte)
    }
  }
}
