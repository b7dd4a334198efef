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

// Addresses and bytes are typed from BST-BMP388-DS001 revision 1, sections 3 to 5, and from Bosch's
// BMP3_SensorAPI.
@Suite struct BMP388Tests {
  static func rig(_ part: BMP388Model.Part = .bmp388, isSPI: Bool = false) -> Rig {
    let rig = Rig(at: 0x76, WireFormat(spiDummyBytes: 1, writesPairs: true), isSPI: isSPI) {
      BMP388Model($0, part: part)
    }
    rig.world.held = ChipReading(channels: [.pressure, .temperature])
    rig.world.held.pressure = 98.765
    rig.world.held.temperature = 21.5
    return rig
  }

  static func settings(
    _ acquisition: Acquisition, rate: Double = 25, batch: TimeSpan = .milliseconds(400)
  ) -> SensorSettings {
    SensorSettings(rate: rate, acquisition: acquisition, batchInterval: batch)
  }

  static func isRight(_ reading: ChipReading) -> Bool {
    abs(reading.pressure - 98.765) < 1e-4 && abs(reading.temperature - 21.5) < 1e-3
  }

  /// The calibration words of a real BMP388 (tests of elixir-sensors/bmp3xx) and of a real BMP390
  /// (tests of asasine/bmp390).
  static let trims: [[UInt8]] = [
    [
      0x23, 0x6B, 0x58, 0x49, 0xF6, 0x5C, 0xFF, 0xCE, 0xF4, 0x23, 0x00, 0xEA, 0x63, 0x6E, 0x79,
      0xF3, 0xF6, 0xAA, 0x43, 0x12, 0xC4,
    ],
    [
      0x98, 0x6C, 0xA9, 0x4A, 0xF9, 0xE3, 0x1C, 0x61, 0x16, 0x06, 0x01, 0x51, 0x4A, 0xDE, 0x5D,
      0x03, 0xFA, 0xF9, 0x0E, 0x06, 0xF5,
    ],
  ]

  struct Start: Sendable {
    var acquisition: Acquisition
    /// The registers from 0x15 on: watermark, FIFO, pin, averages, rate, filter, power.
    var table: [(UInt8, UInt8)]
    var flush: Transaction
  }

  /// At 25 Hz there is time for 16 conversions of pressure and 2 of temperature; ten frames have 7
  /// bytes each.
  static let starts = [
    Start(
      acquisition: .fifo,
      table: [
        (0x15, 0x46), (0x16, 0x00), (0x17, 0x19), (0x18, 0x08), (0x19, 0x0A), (0x1C, 0x0C),
        (0x1D, 0x03), (0x1F, 0x00), (0x1B, 0x33),
      ], flush: .write(0x7E, 0xB0)),
    Start(
      acquisition: .dataReady,
      table: [
        (0x15, 0x00), (0x16, 0x00), (0x17, 0x00), (0x18, 0x08), (0x19, 0x42), (0x1C, 0x0C),
        (0x1D, 0x03), (0x1F, 0x00), (0x1B, 0x33),
      ], flush: .read(0x03, [0x10, 0, 0, 0, 0, 0, 0])),
  ]

  @Test(arguments: starts) func `it starts`(start: Start) throws {
    let lines = start.table.map { Transaction.write($0, $1) }
    let polls = start.table.map { Transaction.read($0, [$1]) }
    let script = Script(
      [
        .read(0x00, [0x50]), .write(0x7E, 0xB6), .read(0x03, [0x10]), .read(0x31, Self.trims[0]),
      ] + lines + polls + [start.flush]
    ) { Issue.record("\($0)") }
    var driver = BMP388(script.bus)
    let taken = try driver.configure(Self.settings(start.acquisition))
    #expect(taken.acquisition == start.acquisition)
    driver.start()
    var batch = RawBatch()
    #expect(step(&driver, &batch) == .wake(.after(.milliseconds(2))))
    #expect(step(&driver, &batch) == .wake(.onInterrupt(until: script.now + .milliseconds(100))))
    #expect(script.finish() == [])
  }

  /// The most conversions for which the period of each rate has time (section 3.9.2): osr_t in bits
  /// 5:3 and osr_p in bits 2:0 of OSR; odr_sel.
  @Test(
    arguments: [
      (200, 0x00, 0x00), (100, 0x01, 0x01), (50, 0x03, 0x02), (25, 0x0C, 0x03), (12.5, 0x0D, 0x04),
      (6.25, 0x0D, 0x05), (1.5625, 0x0D, 0x07),
    ] as [(Double, UInt8, UInt8)])
  func `each rate has its codes`(rate: Double, oversampling: UInt8, code: UInt8) throws {
    let rig = Self.rig()
    var driver = BMP388(rig.wire())
    #expect(try driver.configure(Self.settings(.polling, rate: rate * 0.95)).rate == rate)
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(4))
    #expect(outcome.errors == [] && outcome.missing == 0)
    #expect(rig.register(0x1C) == oversampling && rig.register(0x1D) == code)
    #expect(rig.register(0x02) == 0)
    #expect(abs(Double(outcome.frames.count) - rate * 4) <= 3)
    #expect(outcome.frames.allSatisfy { Self.isRight($0.reading) })
  }

  @Test func `rates are offered, fastest first`() {
    let driver = BMP388(Self.rig().wire())
    #expect((0...3).map { driver.rate(at: $0) } == [200, 100, 50, 25])
    #expect(driver.rate(at: 17) == 200.0 / 131_072 && driver.rate(at: 18) == nil)
  }

  /// iir_filter is bits 3:1 of CONFIG: y += (x - y) / 2 has its 3 dB bandwidth at 0.115 of the
  /// rate.
  @Test(
    arguments: [(nil, 0x00, 12.5), (12, 0x02, 2.875), (1, 0x06, 0.5325), (0.01, 0x0E, 0.03125)]
      as [(Double?, UInt8, Double)])
  func `the filter follows the bandwidth`(bandwidth: Double?, code: UInt8, taken: Double) throws {
    let rig = Self.rig()
    var driver = BMP388(rig.wire())
    var settings = Self.settings(.polling)
    settings.bandwidth = bandwidth
    let granted = try driver.configure(settings).bandwidth
    #expect(abs(try #require(granted) - taken) < 1e-9)
    driver.start()
    _ = rig.run(&driver, for: .milliseconds(100))
    #expect(rig.register(0x1F) == code)
  }

  /// INT_CTRL: int_level is bit 1, int_od bit 0, drdy_en bit 6.
  @Test func `low power averages nothing, and the pin is driven as its line wants it`() throws {
    let rig = Self.rig()
    var driver = BMP388(rig.wire())
    var settings = Self.settings(.dataReady)
    settings.power = .low
    settings.interruptPin = InterruptPin(isActiveLow: true, isOpenDrain: true)
    _ = try driver.configure(settings)
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(2))
    #expect(outcome.errors == [] && outcome.frames.count >= 49)
    #expect(driver.health.missedInterrupts == 0 && rig.model.isActiveLow)
    #expect(rig.register(0x19) == 0x41 && rig.register(0x1C) == 0x00)
  }

  /// Values from the tests of elixir-sensors/bmp3xx; for the other part, Bosch's formula computed
  /// by hand.
  @Test(
    arguments: [
      (0, [0x97, 0x9F, 0x6D], [0x73, 0xD8, 0x85], 100_876.00634692199, 30.499314453874284),
      (1, [0xCB, 0xB3, 0x6B], [0xD1, 0xBA, 0x82], 98_370.56628475757, 25.770745473616987),
      (1, [0x00, 0x00, 0x00], [0x00, 0x00, 0x00], 104_737.35499964001, -127.94124744832516),
      (1, [0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF], 19_742.198015997088, 169.63808093492113),
    ] as [(Int, [UInt8], [UInt8], Double, Double)])
  func `a recorded frame decodes without its chip`(
    trim: Int, pressure: [UInt8], temperature: [UInt8], pascal: Double, celsius: Double
  ) {
    for bytes in [pressure + temperature, [0x94] + temperature + pressure] {
      var batch = RawBatch()
      batch.frames = 1
      batch.frameSize = bytes.count
      for (index, byte) in Self.trims[trim].enumerated() { batch.format[index] = byte }
      for (index, byte) in bytes.enumerated() { batch.bytes[index] = byte }
      let reading = BMP388Decoder.decode(batch, frame: 0)
      // A code of zeros or ones is no measurement (see InvalidReadingTests), whatever the formula says.
      let isMeasured = abs(celsius) < 40
      #expect(reading.channels == (isMeasured ? [.pressure, .temperature] : []))
      #expect(reading.invalid == (isMeasured ? [] : [.pressure, .temperature]))
      #expect(abs(reading.temperature - celsius) < 1e-9)
      let formula = BMP388Trim { Self.trims[trim][$0] }
      let code = Double(Int(pressure[2]) << 16 | Int(pressure[1]) << 8 | Int(pressure[0]))
      #expect(abs(formula.pascal(code, at: reading.temperature) - pascal) < 1e-6)
      if isMeasured { #expect(abs(reading.pressure * 1000 - pascal) < 1e-6) }
    }
  }

  // MARK: The queue

  @Test(arguments: [false, true], [false, true])
  func `the queue loses nothing, with and without its line`(isWired: Bool, isSPI: Bool) throws {
    let rig = Self.rig(isSPI: isSPI)
    rig.isWired = isWired
    var driver = BMP388(rig.wire())
    let taken = try driver.configure(
      Self.settings(.fifo, rate: 200, batch: .milliseconds(100)))
    #expect(taken.batchInterval == .milliseconds(100))
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(10))
    #expect(outcome.errors == [] && outcome.missing == 0 && outcome.isOrdered)
    #expect(Int(rig.model.samplesTaken) - outcome.frames.count <= 25)
    #expect(outcome.frames.allSatisfy { Self.isRight($0.reading) })
    // Twenty frames are read at a time, in two transactions.
    #expect(outcome.deliveries.count < 110)
    let bursts = rig.log.transactions.filter {
      if case .read(0x14, let bytes) = $0 { bytes.count >= 140 } else { false }
    }
    #expect(bursts.count > 80)
    let worst = zip(outcome.frames, rig.world.times).dropFirst(400).map {
      abs(($0.time - $1).nanoseconds)
    }.max()
    #expect(try #require(worst) < 250_000)
  }

  @Test func `a queue that ran over is emptied, and what was lost is counted`() throws {
    let rig = Self.rig()
    var driver = BMP388(rig.wire())
    _ = try driver.configure(Self.settings(.fifo, rate: 200, batch: .milliseconds(50)))
    driver.start()
    _ = rig.run(&driver, for: .seconds(2))
    rig.clock.advance(to: rig.clock.now + .seconds(1))
    rig.run(&driver, for: .seconds(2))
    #expect(driver.health.overflows == 1)
    let all = rig.outcome.frames.count + rig.outcome.missing
    #expect(abs(all - Int(rig.model.samplesTaken)) <= 12)
    #expect(rig.outcome.missing > 190)
  }

  @Test func `a FIFO out of step is emptied and read again`() throws {
    let rig = Self.rig()
    var driver = BMP388(rig.wire())
    _ = try driver.configure(Self.settings(.fifo, rate: 200, batch: .milliseconds(50)))
    driver.start()
    _ = rig.run(&driver, for: .milliseconds(1020))
    // Another program writes CONFIG as it is: a frame of two bytes marks the change.
    #expect(rig.register(0x12) >= 14)
    rig.tamper(0x1F, rig.register(0x1F))
    let outcome = rig.run(&driver, for: .seconds(1))
    #expect(outcome.errors == [])
    #expect(driver.health.overflows == 1)
    #expect(outcome.frames.allSatisfy { Self.isRight($0.reading) })
    let all = rig.outcome.frames.count + rig.outcome.missing
    #expect(abs(all - Int(rig.model.samplesTaken)) <= 12)
  }

  /// The chip sends a frame again of which only a part was read.
  @Test func `a queue of which another program reads three bytes loses nothing`() throws {
    let rig = Self.rig()
    var driver = BMP388(rig.wire())
    _ = try driver.configure(Self.settings(.fifo, rate: 200, batch: .milliseconds(50)))
    driver.start()
    _ = rig.run(&driver, for: .milliseconds(1020))
    for _ in 0..<3 { _ = rig.register(0x14) }
    for _ in 0..<3 { _ = rig.model.read(0x14) }
    let outcome = rig.run(&driver, for: .seconds(1))
    let health = driver.health
    #expect(outcome.errors == [] && health.overflows == 0 && outcome.missing == 0)
    #expect(outcome.frames.count > 180)
    #expect(outcome.frames.allSatisfy { Self.isRight($0.reading) })
  }

  // MARK: What goes wrong

  @Test(arguments: [(0x50, true), (0x60, true), (0x58, false)] as [(UInt8, Bool)])
  func `both parts are accepted, and others are reported`(identity: UInt8, isTaken: Bool) {
    let script = Script([.read(0x00, [identity])] + (isTaken ? [.write(0x7E, 0xB6)] : [])) {
      Issue.record("\($0)")
    }
    var driver = BMP388(script.bus)
    driver.start()
    var batch = RawBatch()
    #expect(
      step(&driver, &batch)
        == (isTaken
          ? .wake(.after(.milliseconds(2))) : .error(.identity(found: identity, register: 0x00))))
    #expect(script.finish() == [])
  }

  @Test(arguments: [0x00, 0xFF] as [UInt8])
  func `a chip without its trim words is not understood`(byte: UInt8) {
    let script = Script([
      .read(0x00, [0x60]), .write(0x7E, 0xB6), .read(0x03, [0x10]),
      .read(0x31, [UInt8](repeating: byte, count: 21)),
    ]) { Issue.record("\($0)") }
    var driver = BMP388(script.bus)
    driver.start()
    var batch = RawBatch()
    _ = step(&driver, &batch)
    #expect(step(&driver, &batch) == .error(.identity(found: byte, register: 0x31)))
    #expect(script.finish() == [])
  }

  @Test(arguments: [Acquisition.fifo, .dataReady, .polling])
  func `a chip that lost its supply is started again within 200 ms`(acquisition: Acquisition)
    throws
  {
    let rig = Self.rig()
    var driver = BMP388(rig.wire())
    _ = try driver.configure(Self.settings(acquisition, rate: 0.78, batch: .seconds(2)))
    driver.start()
    _ = rig.run(&driver, for: .seconds(3))
    _ = try rig.expectRestart(of: &driver)
    #expect(rig.register(0x1B) == 0x33)
  }

  static let refused: [SensorSettings] = {
    var second = SensorSettings(rate: 25)
    second.interruptPin.number = 2
    return [
      SensorSettings(rate: 0), SensorSettings(rate: .nan), SensorSettings(rate: 201),
      SensorSettings(rate: 1, acquisition: .detections), second,
    ]
  }()

  @Test(arguments: refused) func `what the part does not have is refused`(
    settings: SensorSettings
  ) {
    var driver = BMP388(Self.rig().wire())
    #expect(throws: ChipError.unsupportedSetting) { _ = try driver.configure(settings) }
  }

  @Test func `stopping puts it to sleep`() throws {
    let script = Script([.write(0x1B, 0x00)]) { Issue.record("\($0)") }
    var driver = BMP388(script.bus)
    try driver.stop()
    #expect(script.finish() == [])
  }

  // MARK: Codes

  @Test func `codes do what settings do`() throws {
    let (rig, other) = (Self.rig(), Self.rig())
    let codes = BMP388Configuration(ReadoutMode(.fifo, watermark: 5)) {
      $0.rate = .hz50
      $0.temperature = .x1
      $0.pressure = .x8
      $0.filter = .c3
    }
    let made = Doings(try BMP388(rig.wire(), configuration: codes), on: rig)
    var driver = BMP388(other.wire())
    var settings = Self.settings(.fifo, rate: 50, batch: .milliseconds(100))
    settings.bandwidth = 2.5
    _ = try driver.configure(settings)
    expectSame(made, Doings(driver, on: other))
  }

  static let impossible: [BMP388Configuration] = [
    BMP388Configuration(.polling) {
      $0.rate = .hz200
      $0.temperature = .x1
      $0.pressure = .x2
      $0.filter = .off
    },
    BMP388Configuration(ReadoutMode(.detections)) {
      $0.rate = .hz25
      $0.temperature = .x1
      $0.pressure = .x1
      $0.filter = .off
    },
    BMP388Configuration(ReadoutMode(.fifo, watermark: 0)) {
      $0.rate = .hz25
      $0.temperature = .x1
      $0.pressure = .x1
      $0.filter = .off
    },
    BMP388Configuration(ReadoutMode(.fifo, watermark: 71)) {
      $0.rate = .hz25
      $0.temperature = .x1
      $0.pressure = .x1
      $0.filter = .off
    },
  ]

  @Test(arguments: impossible.indices) func `codes that the part does not have are refused`(
    index: Int
  ) {
    #expect(throws: ChipError.unsupportedSetting) {
      _ = try BMP388(Self.rig().wire(), configuration: Self.impossible[index])
    }
  }
}
