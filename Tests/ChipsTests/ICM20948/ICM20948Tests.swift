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

// Addresses, bits and scales are typed from DS-000189 revision 1.3, sections 3 and 7 to 11.
@Suite struct ICM20948Tests {
  func rig(isSPI: Bool = false) -> Rig {
    let rig = Rig(at: 0x68, WireFormat(), isSPI: isSPI) { ICM20948Model($0) }
    rig.world.held.specificForce = Vector3(0.25, -0.5, 0.75)
    rig.world.held.rotationRate = Vector3(1, -2, 3)
    rig.world.held.temperature = 31
    return rig
  }

  static func settings(_ acquisition: Acquisition, rate: Double = 1125 / 5) -> SensorSettings {
    SensorSettings(rate: rate, acquisition: acquisition)
  }

  /// 225 Hz, 4 g and 500 deg/s, with the widest filters below 112.5 Hz: 51.2 Hz (code 3) for the
  /// gyroscope, 111.4 Hz (code 2) for the accelerometer.
  static let table: [(bank: UInt8, register: UInt8, value: UInt8)] = [
    (0, 0x06, 0x01), (0, 0x03, 0x00), (0, 0x07, 0x00), (0, 0x05, 0x00), (0, 0x0F, 0x00),
    (0, 0x11, 0x01), (0, 0x66, 0x00), (2, 0x09, 0x01), (2, 0x00, 0x04), (2, 0x01, 0x1B),
    (2, 0x11, 0x04),
    (2, 0x14, 0x13),
  ]

  @Test func `codes do what settings do, and those without samples are refused`() throws {
    let (one, other) = (rig(), rig())
    var codes = ICM20948Configuration(ReadoutMode(.fifo, batchInterval: .milliseconds(40))) {
      $0.divider = 4
      $0.gyroFilter = .hz51
      $0.accelFilter = .hz120
      $0.accelFullScale = .g4
      $0.gyroFullScale = .dps500
    }
    let made = Doings(try ICM20948(one.wire(), configuration: codes), on: one)
    var driver = ICM20948(other.wire())
    var settings = Self.settings(.fifo)
    settings.batchInterval = .milliseconds(40)
    settings.accelerationRange = 4
    settings.rotationRateRange = radians(fromDegrees: 500)
    _ = try driver.configure(settings)
    expectSame(made, Doings(driver, on: other))
    // The FIFO has 512 bytes; half of it is filled with frames of 14 bytes.
    codes = ICM20948Configuration(ReadoutMode(.fifo, batchInterval: .seconds(1))) {
      $0.divider = 4
      $0.gyroFilter = .hz51
      $0.accelFilter = .hz120
      $0.accelFullScale = .g4
      $0.gyroFullScale = .dps500
    }
    codes.finalize()
    #expect(codes.readout.batchInterval.seconds < 18 / 225.0 + 1e-9)
    for (acquisition, magnetometer) in [(.detections, nil), (.polling, .hz8)]
      as [(Acquisition, AK8963Rate?)]
    {
      #expect(throws: ChipError.unsupportedSetting) {
        _ = try ICM20948(
          rig().wire(),
          configuration: ICM20948Configuration(ReadoutMode(acquisition)) {
            $0.divider = 4
            $0.gyroFilter = .hz51
            $0.accelFilter = .hz120
            $0.accelFullScale = .g4
            $0.gyroFullScale = .dps500
            $0.magnetometerRate = magnetometer
          })
      }
    }
  }

  @Test func `the start in transactions, with the bank that each needs shown first`() throws {
    let (first, second) = (Self.table[..<7], Self.table[7...])
    let steps: [[Transaction]] = [
      [
        .write(0x7F, 0x00), .read(0x00, [0xEA]), .write(0x06, 0xC0), .read(0x06, [0x41]),
        .write(0x06, 0x01),
      ],
      first.map { .write($0.register, $0.value) }, [.write(0x7F, 0x20)],
      second.map { .write($0.register, $0.value) }, [.write(0x7F, 0x00)],
      first.map { .read($0.register, [$0.value]) }, [.write(0x7F, 0x20)],
      second.map { .read($0.register, [$0.value]) }, [.write(0x7F, 0x00)],
      [
        // FIFO reset, then a sample: 1 g, -1 g, 0; 65.5 counts per deg/s; 333.87 counts per kelvin
        // above 21 degrees.
        .read(0x1A, [0x00]), .read(0x1A, [0x01]),
        .read(0x2D, [0x20, 0x00, 0xE0, 0x00, 0, 0, 0x00, 0x83, 0xFF, 0x7D, 0, 0, 0x0D, 0x0B]),
      ],
    ]
    let script = Script(steps.flatMap(\.self)) { Issue.record("\($0)") }
    var driver = ICM20948(script.bus)
    _ = try driver.configure(Self.settings(.polling))
    driver.start()
    var batch = RawBatch()
    for _ in 0..<10 where batch.frames == 0 {
      guard case .wake = step(&driver, &batch) else { break }
      script.advance(by: .milliseconds(1))
    }
    #expect(script.finish() == [])
    let frames = batch.frames
    try #require(frames == 1)
    let reading = driver.decode(batch, frame: 0)
    #expect(reading.specificForce == Vector3(1, -1, 0))
    let turn = reading.rotationRate
    #expect(abs(turn.x - 2 * .pi / 180) < 1e-9 && abs(turn.y + 2 * .pi / 180) < 1e-9)
    // The temperature is 3339 counts above 21 degrees.
    #expect(abs(reading.temperature - 31.0009) < 1e-3)
    #expect(reading.channels == [.acceleration, .rotationRate, .temperature])
  }

  @Test(
    arguments: [
      (2, 0x00), (4, 0x02), (8, 0x04), (16, 0x06),
    ] as [(Double, UInt8)],
    [(250, 0x00), (500, 0x02), (1000, 0x04), (2000, 0x06)]
      as [(Double, UInt8)])
  func `each range is written as its registers`(_ g: (Double, UInt8), _ turn: (Double, UInt8))
    throws
  {
    let rig = rig()
    var driver = ICM20948(rig.wire())
    var settings = Self.settings(.polling)
    settings.accelerationRange = g.0
    settings.rotationRateRange = turn.0 * .pi / 180
    let taken = try driver.configure(settings)
    #expect(taken.accelerationRange == g.0)
    driver.start()
    rig.run(&driver, for: .milliseconds(300))
    rig.tamper(0x7F, 0x20)
    #expect(rig.register(0x14) & 0x06 == g.1 && rig.register(0x01) & 0x06 == turn.1)
  }

  @Test(
    arguments: [(1125, 0), (562.5, 1), (112.5, 9), (100, 10), (4.39453125, 255)]
      as [(Double, UInt8)])
  func `both dividers are the rate's`(_ rate: Double, _ divider: UInt8) throws {
    let rig = rig()
    var driver = ICM20948(rig.wire())
    let taken = try driver.configure(Self.settings(.polling, rate: rate))
    #expect(abs(taken.rate - 1125 / (Double(divider) + 1)) < 1e-9)
    driver.start()
    rig.run(&driver, for: .milliseconds(300))
    rig.tamper(0x7F, 0x20)
    #expect(rig.register(0x00) == divider && rig.register(0x11) == divider)
    #expect(rig.register(0x10) == 0x00)
  }

  @Test(arguments: [Acquisition.fifo, .dataReady, .polling], [false, true])
  func `it delivers every sample`(_ acquisition: Acquisition, _ isSPI: Bool) throws {
    let rig = rig(isSPI: isSPI)
    var driver = ICM20948(rig.wire())
    _ = try driver.configure(Self.settings(acquisition))
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(2))
    #expect(outcome.errors == [] && outcome.missing == 0 && outcome.isOrdered)
    #expect(outcome.frames.count >= 410)
    // On SPI the chip's I2C interface is disabled.
    #expect(rig.written(0x03).contains(0x10 | (acquisition == .fifo ? 0x40 : 0)) == isSPI)
    let last = try #require(outcome.frames.last).reading
    #expect((last.specificForce - Vector3(0.25, -0.5, 0.75)).norm < 2e-4)
    #expect((last.rotationRate - Vector3(1, -2, 3)).norm < 5e-4)
    #expect(abs(last.temperature - 31) < 3e-3)
    // The driver leaves bank 0 selected.
    #expect(rig.register(0x7F) == 0x00)
  }

  @Test func `the queue is emptied before it fills, and carries all that is sampled`() throws {
    let rig = rig()
    var driver = ICM20948(rig.wire())
    _ = try driver.configure(Self.settings(.fifo))
    driver.start()
    rig.run(&driver, for: .seconds(1))
    #expect(rig.written(0x67) == [0x00, 0x1F])
    #expect(rig.written(0x68) == [0x1F, 0x00])
    #expect(rig.written(0x03) == [0x40])
  }

  @Test func `low power is the accelerometer alone, which sleeps between samples`() throws {
    let rig = rig()
    var driver = ICM20948(rig.wire())
    var settings = Self.settings(.fifo, rate: 1000)
    settings.power = .low
    let taken = try driver.configure(settings)
    #expect(taken.rate == 562.5)
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(1))
    #expect(rig.written(0x07) == [0x07] && rig.written(0x05) == [0x20])
    #expect(rig.written(0x67) == [0x00, 0x10])
    #expect(outcome.frames.count > 400 && outcome.errors == [])
    #expect(outcome.frames.last?.reading.channels == [.acceleration])
  }

  static let tampering: [(bank: UInt8, register: UInt8, value: UInt8)] = [
    (0, 0x06, 0x41), (0, 0x07, 0x07), (0, 0x0F, 0x80), (2, 0x00, 0x00), (2, 0x01, 0x01),
    (2, 0x09, 0x00), (2, 0x11, 0x09), (2, 0x14, 0x01),
  ]

  @Test(arguments: [Acquisition.fifo, .dataReady, .polling], tampering)
  func `what another program changes is found and mended`(
    _ acquisition: Acquisition, _ change: (bank: UInt8, register: UInt8, value: UInt8)
  ) throws {
    let rig = rig()
    var driver = ICM20948(rig.wire())
    _ = try driver.configure(Self.settings(acquisition))
    driver.start()
    rig.run(&driver, for: .milliseconds(500))
    rig.tamper(0x7F, change.bank << 4)
    let right = rig.register(change.register)
    rig.tamper(change.register, change.value)
    rig.tamper(0x7F, 0x00)
    let outcome = rig.run(&driver, for: .seconds(2))
    let health = driver.health
    #expect(health.misconfigurations == 1 && outcome.errors.count == 1)
    rig.tamper(0x7F, change.bank << 4)
    #expect(rig.register(change.register) == right)
    #expect((outcome.frames.last?.time ?? .zero) > rig.clock.now - .milliseconds(50))
  }

  /// At 1125 Hz the FIFO overflows before each poll, every 100 ms.
  @Test func `a queue that runs over at each poll is compared all the same`() throws {
    let rig = rig()
    var driver = ICM20948(rig.wire())
    var settings = Self.settings(.fifo)
    settings.rate = 100
    settings.batchInterval = .milliseconds(100)
    _ = try driver.configure(settings)
    driver.start()
    rig.run(&driver, for: .milliseconds(500))
    for (register, value): (UInt8, UInt8) in [
      (0x7F, 0x20), (0x00, 0x00), (0x10, 0x00), (0x11, 0x00), (0x7F, 0x00),
    ] { rig.tamper(register, value) }
    rig.run(&driver, for: .seconds(3))
    let health = driver.health
    #expect(health.overflows > 0 && health.misconfigurations == 1 && health.restarts == 1)
    rig.tamper(0x7F, 0x20)
    #expect(rig.register(0x00) == 10)
  }

  @Test func `pass-through is for I2C`() throws {
    for isSPI in [false, true] {
      let rig = rig(isSPI: isSPI)
      var driver = ICM20948(rig.wire())
      var settings = Self.settings(.polling)
      settings.passesThrough = true
      let taken = try driver.configure(settings)
      #expect(taken.passesThrough == !isSPI)
      driver.start()
      rig.run(&driver, for: .milliseconds(300))
      #expect(rig.written(0x0F) == [isSPI ? 0x00 : 0x02])
      #expect(rig.model.passesThrough == !isSPI)
    }
  }

  /// The factory codes 0x70, 0x6A, 0x7F and 0xD5, 0xCF, 0xD8 mean 2620 * 1.01^(code - 1) counts, at
  /// 16384 per g and 131 per deg/s.
  @Test func `the self-test compares with the factory's codes`() throws {
    let rig = rig()
    rig.world.held.rotationRate = .zero
    var driver = ICM20948(rig.wire())
    try driver.startSelfTest()
    rig.run(&driver, for: .seconds(5))
    let outcome = driver.selfTest
    let report = try #require(outcome)
    #expect(report.count == 6 && report.isPassed)
    let (x, turn) = (report.items[0], report.items[3])
    #expect(abs(x.response - 7906.0 / 16384) < 1e-3)
    #expect(abs(x.lowest - 7906.0 / 32768) < 1e-3 && abs(x.highest - 7906.0 * 1.5 / 16384) < 1e-3)
    #expect(abs(turn.response - 21598.0 / 131 * .pi / 180) < 1e-3)
    #expect(abs(turn.lowest - 21598.0 / 262 * .pi / 180) < 1e-3)
    #expect(rig.register(0x06) == 0x41)
  }

  @Test func `a chip that was left in another bank is known all the same`() throws {
    let rig = rig()
    rig.tamper(0x7F, 0x30)
    var driver = ICM20948(rig.wire())
    _ = try driver.configure(Self.settings(.polling))
    driver.start()
    #expect(rig.run(&driver, for: .seconds(1)).errors == [])
  }
}

// Addresses are typed from the same data sheet.
@Suite struct ICM20948ModelTests {
  let bench = ModelBench { ICM20948Model($0) }

  static let afterReset: [(bank: UInt8, register: UInt8, value: UInt8)] = [
    (0, 0x00, 0xEA), (0, 0x03, 0x00), (0, 0x05, 0x40), (0, 0x06, 0x41), (0, 0x07, 0x00),
    (0, 0x0F, 0x00), (0, 0x66, 0x00), (0, 0x67, 0x00), (2, 0x00, 0x00), (2, 0x01, 0x01),
    (2, 0x02, 0x00), (2, 0x09, 0x00), (2, 0x14, 0x01), (2, 0x15, 0x00), (2, 0x54, 0x03),
  ]

  @Test(arguments: afterReset)
  func `each register of each bank has its reset value`(
    _ row: (bank: UInt8, register: UInt8, value: UInt8)
  ) {
    bench.write(0x7F, row.bank << 4)
    #expect(bench.read(row.register) == [row.value])
    // The bank selector is readable in every bank.
    #expect(bench.read(0x7F) == [row.bank << 4])
  }

  /// Starts sampling at 1125 Hz, 10 ms after waking: a sample every 0.889 ms.
  func start() {
    bench.at(0)
    bench.world.held.specificForce = Vector3(1, -1, 0.5)
    bench.world.held.rotationRate = .zero
    bench.world.held.temperature = 21
    bench.write(0x06, 0x01)
  }

  @Test func `asleep it samples nothing`() {
    bench.at(1000)
    #expect(bench.model.samplesTaken == 0)
    bench.write(0x06, 0x01)
    bench.at(1010.8)
    #expect(bench.model.samplesTaken == 0)
    bench.at(1010.9)
    #expect(bench.model.samplesTaken == 1)
  }

  @Test func `samples go to bank 0 whatever is shown`() {
    start()
    bench.write(0x7F, 0x20)
    bench.at(12)
    bench.write(0x7F, 0x00)
    #expect(bench.read(0x2D, 6) == [0x40, 0x00, 0xC0, 0x00, 0x20, 0x00])
  }

  @Test func `the queue is read at its port behind its count`() {
    start()
    bench.write(0x03, 0x40)
    bench.write(0x67, 0x10)
    bench.at(11)
    #expect(bench.read(0x70, 8) == [0x00, 0x06, 0x40, 0x00, 0xC0, 0x00, 0x20, 0x00])
    #expect(bench.read(0x70, 2) == [0x00, 0x00])
  }

  /// SparkFun's first example polls the flag and enables no interrupt.
  @Test func `the flag of data-ready rises without its interrupt`() {
    start()
    bench.at(13)
    #expect(bench.edges() == 0)
    #expect(bench.read(0x1A) == [0x01] && bench.read(0x1A) == [0x00])
  }

  /// 35 ms (DS-000189, table 1).
  @Test func `a gyroscope takes its time to start`() {
    start()
    bench.world.held.rotationRate = Vector3(1, 0, 0) * (Double.pi / 180)
    bench.at(34.5)
    #expect(bench.read(0x33, 2) == [0x00, 0x00])
    bench.at(36.5)
    #expect(bench.read(0x33, 2) == [0x00, 0x83])
  }

  /// 512 bytes are 85 frames of six bytes: bit 0 of INT_STATUS_2, which a read clears.
  @Test func `a full queue raises its flag`() {
    start()
    bench.write(0x03, 0x40)
    bench.write(0x67, 0x10)
    bench.at(10 + 85.5 * 1000 / 1125)
    #expect(bench.read(0x1B) == [0x00])
    bench.at(10 + 86.5 * 1000 / 1125)
    #expect(bench.read(0x1B) == [0x01] && bench.read(0x1B) == [0x00])
  }

  /// Bolder Flight's library writes again after 1 ms.
  @Test func `1 ms after a reset it takes what is written`() {
    start()
    bench.at(20)
    bench.write(0x06, 0x80)
    bench.at(21)
    bench.write(0x06, 0x01)
    #expect(bench.read(0x06) == [0x01])
  }

  @Test func `data-ready pulses, and its flag goes when it is read`() {
    start()
    bench.write(0x11, 0x01)
    bench.at(13)
    #expect(bench.edges() == 3)
    #expect(bench.read(0x1A) == [0x01] && bench.read(0x1A) == [0x00])
  }

  @Test func `a reset ends by itself and puts it to sleep`() {
    start()
    bench.at(20)
    bench.write(0x06, 0x80)
    bench.at(20.5)
    #expect(bench.read(0x06) == [0xC1])
    bench.at(80)
    #expect(bench.read(0x06) == [0x41])
    let taken = bench.model.samplesTaken
    bench.at(200)
    #expect(bench.model.samplesTaken == taken)
  }
}
