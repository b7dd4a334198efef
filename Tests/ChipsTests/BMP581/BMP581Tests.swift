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

// Addresses and bytes are typed from BST-BMP581-DS004 revision 1.2, sections 4 and 7, and from
// Bosch's BMP5_SensorAPI.
@Suite struct BMP581Tests {
  static func rig(isSPI: Bool = false) -> Rig {
    let rig = Rig(at: 0x47, WireFormat(), isSPI: isSPI) { BMP581Model($0) }
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
    abs(reading.pressure - 98.765) < 1e-5 && abs(reading.temperature - 21.5) < 1e-5
  }

  struct Start: Sendable {
    var acquisition: Acquisition
    /// INT_CONFIG, INT_SOURCE, FIFO_CONFIG, FIFO_SEL, DSP_CONFIG, DSP_IIR, OSR_CONFIG, ODR_CONFIG.
    var table: [(UInt8, UInt8)]
    var flush: Transaction
  }

  /// At 25.005 Hz there is time for 32 conversions of pressure and 2 of temperature; ODR code 0x14.
  static let starts = [
    Start(
      acquisition: .fifo,
      table: [
        (0x14, 0x3A), (0x15, 0x04), (0x16, 0x0A), (0x18, 0x03), (0x30, 0x7F), (0x31, 0x00),
        (0x36, 0x69), (0x37, 0xD0),
      ], flush: .read(0x29, [UInt8](repeating: 0x7F, count: 96))),
    Start(
      acquisition: .dataReady,
      table: [
        (0x14, 0x3A), (0x15, 0x01), (0x16, 0x00), (0x18, 0x00), (0x30, 0x7F), (0x31, 0x00),
        (0x36, 0x69), (0x37, 0xD0),
      ], flush: .read(0x27, [0x00])),
    Start(
      acquisition: .polling,
      table: [
        (0x14, 0x32), (0x15, 0x01), (0x16, 0x00), (0x18, 0x00), (0x30, 0x7F), (0x31, 0x00),
        (0x36, 0x69), (0x37, 0xD0),
      ], flush: .read(0x27, [0x00])),
  ]

  /// Bosch's API waits 2 ms after a reset and 2.5 ms for standby; the second poll of STATUS finds
  /// the chip's memory ready and without an error.
  @Test(arguments: starts) func `it starts`(start: Start) throws {
    let lines = start.table.map { Transaction.write($0, $1) }
    let looks = start.table.map { Transaction.read($0, [$1]) }
    let script = Script(
      [
        .read(0x01, [0x50]), .read(0x27, [0x10]), .write(0x7E, 0xB6), .read(0x27, [0x10]),
        .read(0x28, [0x06]), .read(0x28, [0x02]), .write(0x37, 0x80),
      ] + lines + looks + [.write(0x37, 0xD1), .read(0x38, [0x80]), start.flush]
    ) { Issue.record("\($0)") }
    var driver = BMP581(script.bus)
    let taken = try driver.configure(Self.settings(start.acquisition))
    #expect(taken.acquisition == start.acquisition && taken.rate == 25.005)
    driver.start()
    var batch = RawBatch()
    #expect(step(&driver, &batch) == .wake(.after(.milliseconds(2))))
    #expect(step(&driver, &batch) == .wake(.after(.milliseconds(2))))
    #expect(step(&driver, &batch) == .wake(.after(.microseconds(2500))))
    #expect(step(&driver, &batch) == .wake(.after(.microseconds(2500))))
    _ = step(&driver, &batch)
    #expect(script.finish() == [])
  }

  /// odr_is_valid is bit 7 of OSR_EFF (0x38). 128 conversions do not fit into a period of 40 ms.
  @Test func `a rate for which the chip has no time is refused`() throws {
    let rig = Self.rig()
    var driver = BMP581(rig.wire())
    _ = try driver.configure(Self.settings(.polling))
    driver.start()
    while rig.written(0x37).last != 0xD1 { rig.run(&driver, for: .microseconds(1)) }
    rig.tamper(0x36, 0x7F)
    let outcome = rig.run(&driver, for: .milliseconds(3))
    #expect(outcome.errors == [.unsupportedSetting] && outcome.frames.isEmpty)
  }

  /// The most conversions for which the period of each rate has time, by the sheet's times of
  /// conversion: osr_p in bits 5:3 and osr_t in bits 2:0 of OSR_CONFIG; odr in bits 6:2.
  @Test(
    arguments: [
      (240, 0x50, 0x81), (218.537, 0x50, 0x85), (140, 0x58, 0x99), (100.299, 0x58, 0xA9),
      (80, 0x60, 0xB1), (50.056, 0x60, 0xBD), (40, 0x69, 0xC5), (20, 0x72, 0xD5),
      (10, 0x7B, 0xDD), (1, 0x7B, 0xF1),
    ] as [(Double, UInt8, UInt8)])
  func `each rate has its codes`(rate: Double, oversampling: UInt8, code: UInt8) throws {
    let rig = Self.rig()
    var driver = BMP581(rig.wire())
    #expect(try driver.configure(Self.settings(.polling, rate: rate * 0.9995)).rate == rate)
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(4))
    #expect(outcome.errors == [] && outcome.missing == 0)
    #expect(rig.register(0x36) == oversampling && rig.register(0x37) == code)
    // The chip finds rate and oversampling valid.
    #expect(rig.register(0x38) == 0x80 | oversampling & 0x3F)
    #expect(abs(Double(outcome.frames.count) - rate * 4) <= 3)
    #expect(outcome.frames.allSatisfy { Self.isRight($0.reading) })
  }

  @Test func `rates are offered, fastest first`() {
    let driver = BMP581(Self.rig().wire())
    #expect((0...3).map { driver.rate(at: $0) } == [240, 218.537, 199.111, 179.2])
    #expect(driver.rate(at: 31) == 0.125 && driver.rate(at: 32) == nil)
  }

  /// set_iir_p is bits 5:3 of DSP_IIR, set_iir_t bits 2:0: y += (x - y) / 2 has its 3 dB bandwidth
  /// at 0.115 of the rate. A forced measurement (0xD2) sets the filter to the first value, without
  /// which it would begin at 0.
  @Test(
    arguments: [
      (nil, 0x00, 12.5025, [0x80, 0xD0, 0xD1]), (12, 0x09, 2.875575, [0x80, 0xD0, 0xD2, 0xD1]),
    ]
      as [(Double?, UInt8, Double, [UInt8])])
  func `the filter follows the bandwidth and begins with a measurement`(
    bandwidth: Double?, code: UInt8, taken: Double, modes: [UInt8]
  ) throws {
    let rig = Self.rig()
    var driver = BMP581(rig.wire())
    var settings = Self.settings(.polling)
    settings.bandwidth = bandwidth
    let granted = try driver.configure(settings).bandwidth
    #expect(abs(try #require(granted) - taken) < 1e-9)
    driver.start()
    let outcome = rig.run(&driver, for: .milliseconds(500))
    #expect(rig.register(0x31) == code && rig.written(0x37) == modes)
    #expect(outcome.frames.count >= 8 && outcome.frames.allSatisfy { Self.isRight($0.reading) })
  }

  /// INT_CONFIG: int_pol is bit 1, int_od bit 2, int_en bit 3; the drive strength stays 3.
  @Test func `low power averages nothing, and the pin is driven as its line wants it`() throws {
    let rig = Self.rig()
    var driver = BMP581(rig.wire())
    var settings = Self.settings(.dataReady)
    settings.power = .low
    settings.interruptPin = InterruptPin(isActiveLow: true, isOpenDrain: true)
    _ = try driver.configure(settings)
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(2))
    #expect(outcome.errors == [] && outcome.frames.count >= 48)
    #expect(driver.health.missedInterrupts == 0 && rig.model.isActiveLow)
    #expect(rig.register(0x14) == 0x3C && rig.register(0x36) == 0x40)
  }

  /// Temperature and pressure, lowest byte first: 65536 counts a degree, 64 a pascal (section 4.5).
  @Test(
    arguments: [
      ([0x00, 0x80, 0x15, 0x40, 0x73, 0x60], 21.5, 98.765),
      ([0x00, 0xC0, 0xFA, 0xA0, 0x4E, 0x62], -5.25, 100.6665),
      ([0x00, 0x00, 0xD8, 0xE0, 0x4B, 0x1D], -40, 29.9995),
      ([0x00, 0x00, 0x55, 0x00, 0x12, 0x7A], 85, 125),
      ([0x01, 0x00, 0x55, 0x40, 0x73, 0x60], nil, nil),
      ([0x7F, 0x7F, 0x7F, 0x40, 0x73, 0x60], nil, nil),
      ([0x00, 0x80, 0x15, 0x7F, 0x7F, 0x7F], nil, nil), ([0, 0, 0, 0, 0, 0], nil, nil),
    ] as [([UInt8], Double?, Double?)])
  func `a recorded frame decodes without its chip`(
    bytes: [UInt8], celsius: Double?, kilopascal: Double?
  ) {
    var batch = RawBatch()
    batch.frames = 1
    batch.frameSize = 6
    for (index, byte) in bytes.enumerated() { batch.bytes[index] = byte }
    let reading = BMP581Decoder.decode(batch, frame: 0)
    guard let celsius, let kilopascal else {
      #expect(reading.channels == [] && reading.invalid == [.pressure, .temperature])
      #expect(BMP581Decoder(batch).invalidFrames(batch) == 1)
      return
    }
    #expect(abs(reading.temperature - celsius) < 1e-9)
    // Below 30 kPa the part measures nothing.
    #expect(reading.channels == (kilopascal < 30 ? .temperature : [.pressure, .temperature]))
    #expect(abs(reading.pressure - kilopascal) < 1e-9)
  }

  // MARK: The queue

  @Test(arguments: [false, true], [false, true])
  func `the queue loses nothing, with and without its line`(isWired: Bool, isSPI: Bool) throws {
    let rig = Self.rig(isSPI: isSPI)
    rig.isWired = isWired
    var driver = BMP581(rig.wire())
    let taken = try driver.configure(Self.settings(.fifo, rate: 240, batch: .milliseconds(30)))
    #expect(abs(taken.batchInterval.seconds - 7.0 / 240) < 1e-6)
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(10))
    #expect(outcome.errors == [] && outcome.missing == 0 && outcome.isOrdered)
    #expect(Int(rig.model.samplesTaken) - outcome.frames.count <= 8)
    #expect(outcome.frames.allSatisfy { Self.isRight($0.reading) })
    let bursts = rig.log.transactions.filter {
      if case .read(0x29, let bytes) = $0 { bytes.count >= 36 } else { false }
    }
    #expect(bursts.count > 330)
    let worst = zip(outcome.frames, rig.world.times).dropFirst(400).map {
      abs(($0.time - $1).nanoseconds)
    }.max()
    #expect(try #require(worst) < 250_000)
  }

  @Test func `a queue that ran over is emptied, and what was lost is counted`() throws {
    let rig = Self.rig()
    var driver = BMP581(rig.wire())
    _ = try driver.configure(Self.settings(.fifo, rate: 240, batch: .milliseconds(20)))
    driver.start()
    _ = rig.run(&driver, for: .seconds(2))
    rig.clock.advance(to: rig.clock.now + .seconds(1))
    rig.run(&driver, for: .seconds(2))
    #expect(driver.health.overflows == 1)
    let all = rig.outcome.frames.count + rig.outcome.missing
    #expect(abs(all - Int(rig.model.samplesTaken)) <= 6)
    #expect(rig.outcome.missing > 230)
  }

  // MARK: What goes wrong

  /// The BMP585 has 0x51; a BMP388 at another address has 0x50 in register 0.
  @Test(arguments: [(0x50, true), (0x51, false), (0x60, false)] as [(UInt8, Bool)])
  func `the part is accepted, and others are reported`(identity: UInt8, isTaken: Bool) {
    let reset: [Transaction] = [.read(0x27, [0x10]), .write(0x7E, 0xB6)]
    let script = Script([.read(0x01, [identity])] + (isTaken ? reset : [])) {
      Issue.record("\($0)")
    }
    var driver = BMP581(script.bus)
    driver.start()
    var batch = RawBatch()
    #expect(
      step(&driver, &batch)
        == (isTaken
          ? .wake(.after(.milliseconds(2))) : .error(.identity(found: identity, register: 0x01))))
    #expect(script.finish() == [])
  }

  /// "If this register is set using I2C, an ACK will NOT be transmitted" (section 7.36).
  @Test func `a reset without an acknowledge is a reset`() throws {
    let rig = Self.rig()
    var driver = BMP581(rig.wire(failingAt: 2..<3))
    _ = try driver.configure(Self.settings(.polling))
    driver.start()
    rig.run(&driver, for: .microseconds(1))
    rig.tamper(0x7E, 0xB6)
    let outcome = rig.run(&driver, for: .seconds(1))
    #expect(outcome.errors == [] && outcome.frames.count >= 23)
    #expect(driver.health.busErrors == 0 && driver.health.restarts == 0)
  }

  /// INT_STATUS (0x27) says "power-on or reset complete" in bit 4 until it is read.
  @Test func `a reset that did not reach the chip is repeated`() throws {
    let rig = Self.rig()
    rig.tamper(0x31, 0x12)
    var driver = BMP581(rig.wire(failingAt: 2..<3))
    _ = try driver.configure(Self.settings(.polling))
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(1))
    #expect(outcome.errors == [.resetTimedOut] && outcome.frames.count >= 20)
    #expect(driver.health.restarts == 1)
  }

  @Test(arguments: [Acquisition.fifo, .dataReady, .polling])
  func `a chip that lost its supply is started again within 200 ms`(acquisition: Acquisition)
    throws
  {
    let rig = Self.rig()
    var driver = BMP581(rig.wire())
    _ = try driver.configure(Self.settings(acquisition, rate: 1, batch: .seconds(2)))
    driver.start()
    _ = rig.run(&driver, for: .seconds(3))
    _ = try rig.expectRestart(of: &driver)
    #expect(rig.register(0x37) == 0xF1)
  }

  static let refused: [SensorSettings] = {
    var second = SensorSettings(rate: 25)
    second.interruptPin.number = 2
    return [
      SensorSettings(rate: 0), SensorSettings(rate: .nan), SensorSettings(rate: 241),
      SensorSettings(rate: 1, acquisition: .detections), second,
    ]
  }()

  @Test(arguments: refused) func `what the part does not have is refused`(
    settings: SensorSettings
  ) {
    var driver = BMP581(Self.rig().wire())
    #expect(throws: ChipError.unsupportedSetting) { _ = try driver.configure(settings) }
  }

  @Test func `stopping puts it into standby`() throws {
    let script = Script([.write(0x37, 0x70)]) { Issue.record("\($0)") }
    var driver = BMP581(script.bus)
    try driver.stop()
    #expect(script.finish() == [])
  }

  @Test func `codes do what settings do`() throws {
    let (rig, other) = (Self.rig(), Self.rig())
    let codes = BMP581Configuration(ReadoutMode(.fifo, watermark: 5)) {
      $0.rate = .hz50_1
      $0.temperature = .x1
      $0.pressure = .x16
      $0.filter = .c3
    }
    let made = Doings(try BMP581(rig.wire(), configuration: codes), on: rig)
    var driver = BMP581(other.wire())
    var settings = Self.settings(.fifo, rate: 50.056, batch: .milliseconds(100))
    settings.bandwidth = 2.5
    _ = try driver.configure(settings)
    expectSame(made, Doings(driver, on: other))
  }

  static let impossible: [BMP581Configuration] = [
    // 128 conversions of pressure and 8 of temperature take 82.5 ms.
    BMP581Configuration(.polling) {
      $0.rate = .hz15
      $0.temperature = .x8
      $0.pressure = .x128
    },
    BMP581Configuration(ReadoutMode(.detections)) { $0.rate = .hz25 },
    BMP581Configuration(ReadoutMode(.fifo, watermark: 0)) { $0.rate = .hz25 },
    BMP581Configuration(ReadoutMode(.fifo, watermark: 11)) { $0.rate = .hz25 },
  ]

  @Test(arguments: impossible.indices) func `codes that the part does not have are refused`(
    index: Int
  ) {
    #expect(throws: ChipError.unsupportedSetting) {
      _ = try BMP581(Self.rig().wire(), configuration: Self.impossible[index])
    }
  }
}
