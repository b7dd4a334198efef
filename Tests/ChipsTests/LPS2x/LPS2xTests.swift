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

// Addresses and bytes are typed from DocID023722 revision 6 (LPS25H) and DocID027083 revision 6
// (LPS22HB), and from ST's drivers (lps25hb_reg.h, lps22hb_reg.h).
@Suite struct LPS2xTests {
  static func rig(_ part: LPS2xPart, isSPI: Bool = false) -> Rig {
    let format =
      part == .lps25h ? WireFormat(i2cIncrement: 0x80, spiMultiple: 0x40) : WireFormat()
    let rig = Rig(at: 0x5C, format, isSPI: isSPI) { LPS2xModel($0, part: part) }
    rig.world.held = ChipReading(channels: [.pressure, .temperature])
    rig.world.held.pressure = 101.325
    rig.world.held.temperature = 25
    return rig
  }

  static func settings(_ acquisition: Acquisition, rate: Double = 25) -> SensorSettings {
    SensorSettings(rate: rate, acquisition: acquisition)
  }

  /// 1013.25 hPa at 4096 counts; 17.5 degrees below 42.5 at 480 counts, and 25 degrees at 100.
  static let frames: [LPS2xPart: [UInt8]] = [
    .lps25h: [0x00, 0x54, 0x3F, 0x30, 0xDF], .lps22hb: [0x00, 0x54, 0x3F, 0xC4, 0x09],
  ]

  struct Start: Sendable {
    var part: LPS2xPart
    var reset: [Transaction]
    var table: [(UInt8, UInt8)]
  }

  /// LPS25H: high resolution, push-pull, data-ready, active at 25 Hz with block update. LPS22HB:
  /// low noise, increment, data-ready, 25 Hz with block update.
  static let starts = [
    Start(
      part: .lps25h, reset: [.read(0x0F, [0xBD]), .write(0x21, 0x04), .read(0x21, [0x00])],
      table: [(0x10, 0x0F), (0x22, 0x00), (0x23, 0x01), (0x20, 0xC4)]),
    Start(
      part: .lps22hb, reset: [.read(0x0F, [0xB1]), .write(0x11, 0x04), .read(0x11, [0x10])],
      table: [(0x1A, 0x00), (0x11, 0x10), (0x12, 0x04), (0x10, 0x32)]),
  ]

  @Test(arguments: starts) func `it starts, and reads status and outputs at an edge`(start: Start)
    throws
  {
    let frame = try #require(Self.frames[start.part])
    let lines = start.table.map { Transaction.write($0, $1) }
    let polls = start.table.map { Transaction.read($0, [$1]) }
    let script = Script(
      start.reset + lines + polls + [
        .read(0x27, [0, 0, 0, 0, 0, 0]), .read(0x27, [0x03] + frame),
      ]
    ) { Issue.record("\($0)") }
    var driver = LPS2x(script.bus, expecting: start.part)
    _ = try driver.configure(Self.settings(.dataReady))
    driver.start()
    var batch = RawBatch()
    #expect(step(&driver, &batch) == .wake(.after(.milliseconds(5))))
    #expect(step(&driver, &batch) == .wake(.onInterrupt(until: script.now + .milliseconds(100))))
    script.advance(by: .milliseconds(12))
    let edge = script.now - .microseconds(40)
    _ = step(&driver, &batch, Event(edges: 1, edgeTime: edge))
    let (frames, newest) = (batch.frames, batch.newest)
    #expect(frames == 1 && newest == edge)
    let reading = driver.decode(batch, frame: 0)
    #expect(reading.channels == [.pressure, .temperature])
    #expect(abs(reading.pressure - 101.325) < 1e-9 && abs(reading.temperature - 25) < 1e-9)
    #expect(script.finish() == [])
  }

  /// ODR is bits 6:4 of CTRL_REG1 in both. The LPS25H also has bit 7 and BDU in bit 2, the LPS22HB
  /// BDU in bit 1.
  @Test(
    arguments: [
      (.lps25h, 1, 0x94), (.lps25h, 7, 0xA4), (.lps25h, 12.5, 0xB4), (.lps25h, 25, 0xC4),
      (.lps22hb, 1, 0x12), (.lps22hb, 10, 0x22), (.lps22hb, 25, 0x32), (.lps22hb, 50, 0x42),
      (.lps22hb, 75, 0x52),
    ] as [(LPS2xPart, Double, UInt8)])
  func `each rate has its code`(part: LPS2xPart, rate: Double, code: UInt8) throws {
    let rig = Self.rig(part)
    var driver = LPS2x(rig.wire(), expecting: part)
    let slightlyLess = try driver.configure(Self.settings(.polling, rate: rate * 0.95))
    #expect(slightlyLess.rate == rate && slightlyLess.bandwidth == rate / 2)
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(4))
    #expect(outcome.errors == [] && rig.register(part == .lps25h ? 0x20 : 0x10) == code)
    #expect(abs(Double(outcome.frames.count) - rate * 4) <= 2)
    #expect(outcome.frames.allSatisfy { abs($0.reading.pressure - 101.325) < 1 / 40_960 })
    #expect(outcome.frames.allSatisfy { abs($0.reading.temperature - 25) < 0.01 })
  }

  @Test func `rates are offered, fastest first`() {
    let older = LPS2x(Self.rig(.lps25h).wire(), expecting: .lps25h)
    #expect((0...4).map { older.rate(at: $0) } == [25, 12.5, 7, 1, nil])
    let newer = LPS2x(Self.rig(.lps22hb).wire(), expecting: .lps22hb)
    #expect((0...5).map { newer.rate(at: $0) } == [75, 50, 25, 10, 1, nil])
  }

  /// EN_LPFP (bit 3) and LPFP_CFG (bit 2) of CTRL_REG1: ODR/9 and ODR/20.
  @Test(
    arguments: [
      (nil, 0x42, 25), (25, 0x42, 25), (24, 0x4A, 50 / 9.0), (5.6, 0x4A, 50 / 9.0),
      (5, 0x4E, 2.5), (0.1, 0x4E, 2.5),
    ] as [(Double?, UInt8, Double)])
  func `the LPS22HB's filter follows the bandwidth`(
    bandwidth: Double?, code: UInt8, taken: Double
  ) throws {
    let rig = Self.rig(.lps22hb)
    var driver = LPS2x(rig.wire())
    var settings = Self.settings(.polling, rate: 50)
    settings.bandwidth = bandwidth
    let granted = try driver.configure(settings).bandwidth
    #expect(abs(try #require(granted) - taken) < 1e-9)
    driver.start()
    _ = rig.run(&driver, for: .milliseconds(100))
    #expect(rig.register(0x10) == code)
  }

  /// RES_CONF: 8 conversions of each (LPS25H), LC_EN (LPS22HB).
  @Test(arguments: [(.lps25h, 0x10, 0x00), (.lps22hb, 0x1A, 0x01)] as [(LPS2xPart, UInt8, UInt8)])
  func `low power is the resolution register's`(part: LPS2xPart, register: UInt8, value: UInt8)
    throws
  {
    let rig = Self.rig(part)
    var driver = LPS2x(rig.wire(), expecting: part)
    var settings = Self.settings(.polling)
    settings.power = .low
    #expect(try driver.configure(settings).power == .low)
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(2))
    #expect(outcome.errors == [] && outcome.frames.count > 45)
    #expect(rig.register(register) == value)
  }

  /// INT_H_L is bit 7 and PP_OD bit 6 of CTRL_REG3; P1_DRDY bit 0 of CTRL_REG4, DRDY bit 2 of
  /// CTRL_REG3.
  @Test(
    arguments: [
      (.lps25h, false, true, [0x22: 0x40, 0x23: 0x01]),
      (.lps25h, true, false, [0x22: 0x80, 0x23: 0x01]),
      (.lps22hb, false, true, [0x12: 0x44]), (.lps22hb, true, false, [0x12: 0x84]),
    ] as [(LPS2xPart, Bool, Bool, [UInt8: UInt8])])
  func `the pin is driven as its line wants it`(
    part: LPS2xPart, isActiveLow: Bool, isOpenDrain: Bool, registers: [UInt8: UInt8]
  ) throws {
    let rig = Self.rig(part)
    var driver = LPS2x(rig.wire(), expecting: part)
    var settings = Self.settings(.dataReady)
    settings.interruptPin = InterruptPin(isActiveLow: isActiveLow, isOpenDrain: isOpenDrain)
    _ = try driver.configure(settings)
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(2))
    #expect(outcome.errors == [] && outcome.frames.count >= 49)
    #expect(driver.health.missedInterrupts == 0)
    for (register, value) in registers { #expect(rig.register(register) == value) }
    #expect(rig.model.isActiveLow == isActiveLow)
  }

  static let refused: [SensorSettings] = {
    var second = SensorSettings(rate: 10)
    second.interruptPin.number = 2
    return [
      SensorSettings(rate: 0), SensorSettings(rate: .nan), SensorSettings(rate: .infinity),
      SensorSettings(rate: 76), SensorSettings(rate: 1, acquisition: .detections), second,
    ]
  }()

  @Test(arguments: refused) func `what the part does not have is refused`(
    settings: SensorSettings
  ) {
    var driver = LPS2x(Self.rig(.lps22hb).wire())
    #expect(throws: ChipError.unsupportedSetting) { _ = try driver.configure(settings) }
  }

  @Test(arguments: [(.lps25h, 0xB1), (.lps22hb, 0xBD), (.lps22hb, 0xB3)] as [(LPS2xPart, UInt8)])
  func `the other part is reported and not driven`(part: LPS2xPart, identity: UInt8) {
    let script = Script([.read(0x0F, [identity])]) { Issue.record("\($0)") }
    var driver = LPS2x(script.bus, expecting: part)
    driver.start()
    var batch = RawBatch()
    #expect(step(&driver, &batch) == .error(.identity(found: identity, register: 0x0F)))
    #expect(script.finish() == [])
  }

  @Test(arguments: [(.lps25h, 0x20), (.lps22hb, 0x10)] as [(LPS2xPart, UInt8)])
  func `stopping powers down`(part: LPS2xPart, register: UInt8) throws {
    let script = Script([.write(register, 0x00)]) { Issue.record("\($0)") }
    var driver = LPS2x(script.bus, expecting: part)
    try driver.stop()
    #expect(script.finish() == [])
  }

  @Test(
    arguments: [
      (0xBD, [0xFF, 0xFF, 0x7F, 0xFF, 0x7F], 8_388_607 / 40_960.0, 42.5 + 32767 / 480.0),
      (0xBD, [0x00, 0x00, 0x80, 0x00, 0x80], -204.8, 42.5 - 32768 / 480.0),
      (0xB1, [0xFE, 0xFF, 0xFF, 0xFF, 0xFF], -2 / 40_960.0, -0.01),
      (0xB1, [0x01, 0x00, 0x3E, 0x00, 0x80], (62 * 65_536 + 1) / 40_960.0, -327.68),
    ] as [(UInt8, [UInt8], Double, Double)])
  func `a recorded frame decodes without its chip`(
    part: UInt8, bytes: [UInt8], pressure: Double, temperature: Double
  ) {
    var batch = RawBatch()
    batch.frames = 1
    batch.frameSize = 5
    batch.format[0] = part
    for (index, byte) in bytes.enumerated() { batch.bytes[index] = byte }
    let reading = LPS2xDecoder.decode(batch, frame: 0)
    #expect(abs(reading.pressure - pressure) < 1e-9)
    #expect(abs(reading.temperature - temperature) < 1e-9)
  }

  @Test(arguments: LPS2xPart.allCases, [false, true])
  func `a chip that lost its supply is started again within 200 ms`(
    part: LPS2xPart, isSPI: Bool
  ) throws {
    let rig = Self.rig(part, isSPI: isSPI)
    var driver = LPS2x(rig.wire(), expecting: part)
    _ = try driver.configure(Self.settings(.polling, rate: 1))
    driver.start()
    #expect(rig.run(&driver, for: .milliseconds(2300)).frames.count == 2)
    let then = rig.clock.now
    rig.model.powerCycle()
    let outcome = rig.run(&driver, for: .seconds(3))
    #expect(try #require(outcome.errorTimes.first) - then <= .milliseconds(200))
    #expect(outcome.errors.count == 1 && outcome.frames.count == 2)
  }

  static let configurations: [(LPS2xConfiguration, SensorSettings)] = {
    var filtered = settings(.dataReady, rate: 50)
    filtered.bandwidth = 2.5
    filtered.interruptPin = InterruptPin(isActiveLow: true)
    var low = settings(.polling, rate: 12.5)
    low.power = .low
    return [
      (
        LPS2xConfiguration(ReadoutMode(.dataReady, interruptPin: InterruptPin(isActiveLow: true))) {
          $0.part = .lps22hb
          $0.rate = LPS22HBMap.Rate.hz50.rawValue
          $0.filter = .twentieth
        }, filtered
      ),
      (
        LPS2xConfiguration(ReadoutMode(.polling, power: .low)) {
          $0.part = .lps25h
          $0.rate = LPS25HMap.Rate.hz12_5.rawValue
        }, low
      ),
    ]
  }()

  @Test(arguments: configurations.indices) func `codes do what settings do`(index: Int) throws {
    let (codes, settings) = Self.configurations[index]
    let (rig, other) = (Self.rig(codes.part), Self.rig(codes.part))
    let made = Doings(try LPS2x(rig.wire(), configuration: codes), on: rig)
    var driver = LPS2x(other.wire(), expecting: codes.part)
    _ = try driver.configure(settings)
    expectSame(made, Doings(driver, on: other))
  }

  @Test func `codes without samples are refused`() {
    let single = LPS2xConfiguration(.polling) {
      $0.part = .lps25h
      $0.rate = LPS25HMap.Rate.oneShot.rawValue
    }
    let queued = LPS2xConfiguration(.fifo) {
      $0.part = .lps22hb
      $0.rate = LPS22HBMap.Rate.hz10.rawValue
      $0.filter = .half
    }
    for codes in [single, queued] {
      #expect(throws: ChipError.unsupportedSetting) {
        _ = try LPS2x(Self.rig(codes.part).wire(), configuration: codes)
      }
    }
  }
}
