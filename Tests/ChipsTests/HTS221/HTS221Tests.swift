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

// Addresses and bytes are typed from DocID026333 revision 4, sections 5 to 8.
@Suite struct HTS221Tests {
  static func rig() -> Rig {
    let rig = Rig(at: 0x5F, WireFormat(i2cIncrement: 0x80)) { HTS221Model($0) }
    rig.world.held = ChipReading(channels: [.humidity, .temperature])
    rig.world.held.humidity = 47.5
    rig.world.held.temperature = 21.25
    return rig
  }

  /// The calibration points of a real part: 26.5 percent at 9 counts and 66 percent at -10540
  /// (0x0009, 0xD6D4); 22.5 degrees at 11 (180 eighths) and 40.125 at 700 (321 eighths, whose ninth
  /// bit is in 0x35).
  static let points: [UInt8] = [
    0x35, 0x84, 0xB4, 0x41, 0xEE, 0x04, 0x09, 0x00, 0xEE, 0xEE, 0xD4, 0xD6, 0x0B, 0x00, 0xBC, 0x02,
  ]

  static let starting: [Transaction] = [
    .read(0x0F, [0xBC]), .write(0x20, 0x00), .write(0x21, 0x80), .read(0x21, [0x00]),
    .read(0x30, points), .write(0x10, 0x1B), .write(0x22, 0x04), .write(0x20, 0x87),
    .read(0x10, [0x1B]), .read(0x22, [0x04]), .read(0x20, [0x87]),
    .read(0x27, [0x00, 0, 0, 0, 0]),
  ]

  @Test func `it starts, and reads status and outputs at an edge`() throws {
    // Values at a half and at a quarter between the calibration points.
    let script = Script(Self.starting + [.read(0x27, [0x03, 0x6E, 0xEB, 0xB7, 0x00])]) {
      Issue.record("\($0)")
    }
    var driver = HTS221(script.bus)
    _ = try driver.configure(SensorSettings(rate: 12.5, acquisition: .dataReady))
    driver.start()
    var batch = RawBatch()
    #expect(step(&driver, &batch) == .wake(.after(.milliseconds(20))))
    #expect(step(&driver, &batch) == .wake(.onInterrupt(until: script.now + .milliseconds(100))))
    script.advance(by: .milliseconds(12))
    let edge = script.now - .microseconds(40)
    _ = step(&driver, &batch, Event(edges: 1, edgeTime: edge))
    let (frames, newest) = (batch.frames, batch.newest)
    #expect(frames == 1 && newest == edge)
    let reading = driver.decode(batch, frame: 0)
    #expect(reading.channels == [.humidity, .temperature])
    // -5266 counts are 26.5 + 39.5 * 5275 / 10549 percent; 183 counts are 22.5 + 17.625 * 172 / 689
    // degrees.
    #expect(abs(reading.humidity - 46.251872) < 1e-5)
    #expect(abs(reading.temperature - 26.899855) < 1e-5)
    #expect(script.finish() == [])
  }

  /// DocID026333, section 5.1.1: several bytes need bit 7 of the sub-address; without it a driver
  /// gets the first register again and again (STMems_Standard_C_drivers issue 127).
  @Test func `a burst advances only with bit 7`() {
    let bench = ModelBench(WireFormat(i2cIncrement: 0x80)) { HTS221Model($0) }
    #expect(bench.read(0x0F, 3) == [0xBC, 0xBC, 0xBC])
    #expect(bench.read(0x8F, 2) == [0xBC, 0x1B])
  }

  /// Humidity is extrapolated beyond the calibration points, and limited to 0 to 100 percent.
  @Test(
    arguments: [
      ([0x09, 0x00, 0x0B, 0x00], 26.5, 22.5), ([0xD4, 0xD6, 0xBC, 0x02], 66, 40.125),
      ([0x00, 0x80, 0x00, 0x00], 100, 22.218614), ([0xFF, 0x7F, 0x0A, 0xFF], 0, 15.925798),
    ] as [([UInt8], Double, Double)])
  func `a recorded frame decodes without its chip`(
    bytes: [UInt8], humidity: Double, temperature: Double
  ) {
    var batch = RawBatch()
    batch.frames = 1
    batch.frameSize = 4
    for (index, byte) in Self.points.enumerated() { batch.format[index] = byte }
    for (index, byte) in bytes.enumerated() { batch.bytes[index] = byte }
    let reading = HTS221Decoder.decode(batch, frame: 0)
    #expect(abs(reading.humidity - humidity) < 1e-5)
    #expect(abs(reading.temperature - temperature) < 1e-5)
  }

  /// PD (bit 7), BDU (bit 2) and ODR of CTRL_REG1.
  @Test(arguments: [(1, 0x85), (7, 0x86), (12.5, 0x87)] as [(Double, UInt8)])
  func `each rate has its code`(rate: Double, code: UInt8) throws {
    for acquisition in [Acquisition.dataReady, .polling] {
      let rig = Self.rig()
      var driver = HTS221(rig.wire())
      #expect(
        try driver.configure(SensorSettings(rate: rate * 0.95, acquisition: acquisition)).rate
          == rate)
      driver.start()
      let outcome = rig.run(&driver, for: .seconds(8))
      #expect(outcome.errors == [] && rig.register(0x20) == code)
      #expect(abs(Double(outcome.frames.count) - rate * 8) <= 2)
      #expect(outcome.missing == 0)
      #expect(outcome.frames.allSatisfy { abs($0.reading.humidity - 47.5) < 0.002 })
      #expect(outcome.frames.allSatisfy { abs($0.reading.temperature - 21.25) < 0.008 })
    }
  }

  @Test func `rates are offered, fastest first`() {
    let driver = HTS221(Self.rig().wire())
    #expect((0...3).map { driver.rate(at: $0) } == [12.5, 7, 1, nil])
  }

  /// AV_CONF: 16 and 32 conversions, or 2 and 4. CTRL_REG3: DRDY_H_L is bit 7, PP_OD bit 6, DRDY_EN
  /// bit 2.
  @Test func `low power averages least, and the pin is driven as its line wants it`() throws {
    let rig = Self.rig()
    var driver = HTS221(rig.wire())
    var settings = SensorSettings(rate: 7, acquisition: .dataReady)
    settings.power = .low
    settings.interruptPin = InterruptPin(isActiveLow: true, isOpenDrain: true)
    _ = try driver.configure(settings)
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(3))
    #expect(outcome.errors == [] && outcome.frames.count == 21)
    #expect(rig.register(0x10) == 0x00 && rig.register(0x22) == 0xC4)
    #expect(rig.model.isActiveLow && driver.health.missedInterrupts == 0)
  }

  @Test(arguments: [0x00, 0xFF] as [UInt8])
  func `a chip without its points is not understood`(byte: UInt8) {
    let script = Script(
      Self.starting.prefix(4) + [.read(0x30, [UInt8](repeating: byte, count: 16))]
    ) { Issue.record("\($0)") }
    var driver = HTS221(script.bus)
    driver.start()
    var batch = RawBatch()
    _ = step(&driver, &batch)
    #expect(step(&driver, &batch) == .error(.identity(found: byte, register: 0x30)))
    #expect(script.finish() == [])
  }

  @Test func `a late reader counts what it missed, without a flag of it`() throws {
    let rig = Self.rig()
    var driver = HTS221(rig.wire())
    _ = try driver.configure(SensorSettings(rate: 12.5, acquisition: .polling))
    driver.start()
    _ = rig.run(&driver, for: .seconds(4))
    rig.clock.advance(to: rig.clock.now + .seconds(2))
    _ = rig.run(&driver, for: .seconds(2))
    let all = rig.outcome.frames.count + rig.outcome.missing
    #expect(rig.outcome.missing >= 23)
    #expect(abs(all - Int(rig.model.samplesTaken)) <= 1)
  }

  static let refused: [SensorSettings] = {
    var second = SensorSettings(rate: 7)
    second.interruptPin.number = 2
    return [
      SensorSettings(rate: 0), SensorSettings(rate: .nan), SensorSettings(rate: 13),
      SensorSettings(rate: 1, acquisition: .detections), second,
    ]
  }()

  @Test(arguments: refused) func `what the part does not have is refused`(
    settings: SensorSettings
  ) {
    var driver = HTS221(Self.rig().wire())
    #expect(throws: ChipError.unsupportedSetting) { _ = try driver.configure(settings) }
  }

  @Test func `stopping powers down`() throws {
    let script = Script([.write(0x20, 0x00)]) { Issue.record("\($0)") }
    var driver = HTS221(script.bus)
    try driver.stop()
    #expect(script.finish() == [])
  }

  @Test func `codes do what settings do, and those without samples are refused`() throws {
    var settings = SensorSettings(rate: 7, acquisition: .dataReady)
    settings.power = .low
    let (rig, other) = (Self.rig(), Self.rig())
    let made = Doings(
      try HTS221(
        rig.wire(),
        configuration: HTS221Configuration(ReadoutMode(.dataReady, power: .low)) {
          $0.rate = .hz7
        }),
      on: rig)
    var driver = HTS221(other.wire())
    _ = try driver.configure(settings)
    expectSame(made, Doings(driver, on: other))
    for codes in [
      HTS221Configuration(.polling) {
        $0.rate = .oneShot
      },
      HTS221Configuration(.fifo) {
        $0.rate = .hz1
      },
    ] {
      #expect(throws: ChipError.unsupportedSetting) {
        _ = try HTS221(Self.rig().wire(), configuration: codes)
      }
    }
  }
}

// Addresses are typed from DocID026333 revision 4, section 6.
@Suite struct HTS221ModelTests {
  let bench = ModelBench(WireFormat(i2cIncrement: 0x80)) { HTS221Model($0) }

  @Test(arguments: [(0x0F, 0xBC), (0x10, 0x1B), (0x20, 0x00), (0x27, 0x00)] as [(UInt8, UInt8)])
  func `each register has its reset value`(register: UInt8, value: UInt8) {
    #expect(bench.read(register) == [value])
  }

  @Test(
    arguments: [(0x10, 0x3F), (0x20, 0x87), (0x22, 0xC4), (0x30, 0x40)] as [(UInt8, UInt8)])
  func `each register takes only the bits that can be written`(register: UInt8, holds: UInt8) {
    bench.write(register, 0xFF)
    #expect(bench.read(register) == [holds])
  }

  @Test func `flags and pin stay until both outputs are read`() {
    bench.at(0)
    bench.write(0x22, 0x04)
    bench.write(0x20, 0x86)
    bench.at(150)
    #expect(bench.edges() == 1 && bench.model.nextEdge == nil)
    #expect(bench.read(0x27) == [0x03])
    _ = bench.read(0xA8, 2)
    #expect(bench.read(0x27) == [0x01] && bench.model.nextEdge == nil)
    _ = bench.read(0xAA, 2)
    #expect(bench.read(0x27) == [0x00] && bench.model.nextEdge != nil)
    // A sample that was not read is replaced by the next, and no flag shows this.
    bench.at(500)
    #expect(bench.read(0x27) == [0x03] && bench.model.samplesTaken == 4)
  }

  /// Linux reads 50 ms after it has activated the chip, even at 1 Hz (hts221_core.c,
  /// `hts221_read_oneshot`).
  @Test(arguments: [0x85, 0x86, 0x87] as [UInt8]) func `the first sample is there before a period`(
    control: UInt8
  ) {
    bench.at(0)
    bench.write(0x20, control)
    bench.at(50)
    #expect(bench.read(0x27) == [0x03] && bench.model.samplesTaken == 1)
  }

  @Test func `one conversion is taken when asked for`() {
    bench.at(0)
    bench.write(0x20, 0x80)
    bench.at(2000)
    #expect(bench.read(0x27) == [0x00])
    bench.write(0x21, 0x01)
    #expect(bench.read(0x27) == [0x03] && bench.read(0x21) == [0x00])
  }

  @Test func `copying the trimming ends by itself and leaves the registers`() {
    bench.at(0)
    bench.write(0x10, 0x3F)
    bench.write(0x21, 0x80)
    #expect(bench.read(0x21) == [0x80])
    bench.at(10)
    #expect(bench.read(0x21) == [0x00] && bench.read(0x10) == [0x3F])
  }
}
