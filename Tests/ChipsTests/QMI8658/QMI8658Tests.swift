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

// Addresses and bytes are typed from QST 13-52-25 revision A, sections 4, 5, 13 and 15.
@Suite struct QMI8658Tests {
  static func rig(isSPI: Bool = false) -> Rig {
    let rig = Rig(at: 0x6B, WireFormat(), isSPI: isSPI) { QMI8658Model($0) }
    rig.world.held = .inertial(
      Vector3(0.25, -0.5, 1), Vector3(0.5, -0.25, 1), temperature: 31.5)
    return rig
  }

  static func settings(
    _ acquisition: Acquisition, rate: Double = 112, power: PowerMode = .normal
  ) -> SensorSettings {
    var settings = SensorSettings(rate: rate, acquisition: acquisition)
    settings.accelerationRange = 4
    settings.rotationRateRange = radians(fromDegrees: 512)
    settings.power = power
    return settings
  }

  struct Start: Sendable {
    var acquisition: Acquisition
    var power: PowerMode
    /// CTRL1, CTRL2, CTRL3, CTRL5, CTRL8, CTRL7.
    var table: [(UInt8, UInt8)]
    var wait: TimeSpan
  }

  /// 4 g is code 1 and 512 deg/s code 5; 112.1 Hz is code 6, 128 Hz in low power code 12. The
  /// gyroscope takes 150 ms and three samples, the accelerometer 3 ms and three samples.
  static let starts = [
    Start(
      acquisition: .dataReady, power: .normal,
      table: [(0x02, 0x50), (0x03, 0x16), (0x04, 0x56), (0x06, 0x00), (0x09, 0x80), (0x08, 0x83)],
      wait: .microseconds(176_762)),
    Start(
      acquisition: .polling, power: .normal,
      table: [(0x02, 0x40), (0x03, 0x16), (0x04, 0x56), (0x06, 0x00), (0x09, 0x80), (0x08, 0xA3)],
      wait: .microseconds(176_762)),
    Start(
      acquisition: .polling, power: .low,
      table: [(0x02, 0x40), (0x03, 0x1C), (0x04, 0x00), (0x06, 0x00), (0x09, 0x80), (0x08, 0xA1)],
      wait: .microseconds(26_438)),
  ]

  /// A reset takes 15 ms and leaves 0x80 in 0x4D; command 0x12 turns the clock gating off.
  @Test(arguments: starts) func `it starts`(start: Start) throws {
    let lines = start.table.map { Transaction.write($0, $1) }
    let looks = start.table.map { Transaction.read($0, [$1]) }
    let script = Script(
      [
        .read(0x00, [0x05]), .write(0x60, 0xB0), .read(0x4D, [0x80]), .write(0x09, 0x80),
        .write(0x0B, 0x01), .write(0x0A, 0x12), .read(0x2D, [0x80]), .write(0x0A, 0x00),
        .read(0x2D, [0x00]),
      ] + lines + looks
    ) { Issue.record("\($0)") }
    var driver = QMI8658(script.bus)
    _ = try driver.configure(Self.settings(start.acquisition, power: start.power))
    driver.start()
    var batch = RawBatch()
    #expect(step(&driver, &batch) == .wake(.after(.milliseconds(16))))
    #expect(step(&driver, &batch) == .wake(.after(.milliseconds(1))))
    #expect(step(&driver, &batch) == .wake(.after(.milliseconds(1))))
    #expect(step(&driver, &batch) == .wake(.after(start.wait)))
    #expect(script.finish() == [])
  }

  /// aFS is bits 6:4 of CTRL2: 2 to 16 g; gFS bits 6:4 of CTRL3: 16 to 2048 deg/s.
  @Test(
    arguments: [(2, 0x06), (4, 0x16), (8, 0x26), (16, 0x36)] as [(Double, UInt8)],
    [(16, 0x06), (128, 0x36), (2048, 0x76)] as [(Double, UInt8)])
  func `each range has its code and scale`(force: (Double, UInt8), turn: (Double, UInt8)) throws {
    let rig = Self.rig()
    var driver = QMI8658(rig.wire())
    var settings = Self.settings(.polling)
    settings.accelerationRange = force.0
    settings.rotationRateRange = radians(fromDegrees: turn.0)
    _ = try driver.configure(settings)
    rig.world.held.rotationRate = Vector3(0.1, -0.2, 0.25)
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(1))
    #expect(rig.register(0x03) == force.1 && rig.register(0x04) == turn.1)
    let reading = try #require(outcome.frames.last).reading
    #expect(largest(reading.specificForce - Vector3(0.25, -0.5, 1)) <= force.0 / 65_536)
    #expect(
      largest(reading.rotationRate - Vector3(0.1, -0.2, 0.25))
        <= radians(fromDegrees: turn.0) / 65_536)
    #expect(abs(reading.temperature - 31.5) < 1.0 / 512)
  }

  /// The rates with the gyroscope, and with the accelerometer alone.
  @Test(
    arguments: [
      (.normal, 896.8, 0x03), (.normal, 448.4, 0x04), (.normal, 224.2, 0x05),
      (.normal, 56.05, 0x07),
      (.normal, 28.025, 0x08), (.low, 128, 0x0C), (.low, 21, 0x0D),
    ] as [(PowerMode, Double, UInt8)])
  func `each rate has its code`(power: PowerMode, rate: Double, code: UInt8) throws {
    let rig = Self.rig()
    var driver = QMI8658(rig.wire())
    let taken = try driver.configure(Self.settings(.dataReady, rate: rate * 0.99, power: power))
    #expect(taken.rate == rate)
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(3))
    #expect(outcome.errors == [] && outcome.missing == 0)
    #expect(rig.register(0x03) & 0x0F == code)
    let expected = rate * (power == .low ? 2.95 : 2.8)
    #expect(abs(Double(outcome.frames.count) - expected) <= expected / 50 + 3)
  }

  /// gLPF_MODE is bits 6:5 of CTRL5, gLPF_EN bit 4; aLPF_MODE bits 2:1, aLPF_EN bit 0.
  @Test(
    arguments: [
      (nil, 0x00, 0.275), (20, 0x77, 0.1337), (7, 0x55, 0.0539), (5, 0x33, 0.0363),
      (1, 0x11, 0.0266),
    ]
      as [(Double?, UInt8, Double)])
  func `the filter follows the bandwidth`(bandwidth: Double?, code: UInt8, share: Double) throws {
    let rig = Self.rig()
    var driver = QMI8658(rig.wire())
    var settings = Self.settings(.polling)
    settings.bandwidth = bandwidth
    let granted = try driver.configure(settings).bandwidth
    #expect(abs(try #require(granted) - share * 112.1) < 1e-9)
    driver.start()
    _ = rig.run(&driver, for: .milliseconds(400))
    #expect(rig.register(0x06) == code)
  }

  /// Temperature, accelerometer and gyroscope, low byte first: 256 counts a degree, 8192 a g, 64 a
  /// degree per second.
  @Test func `a recorded frame decodes without its chip`() {
    let bytes: [UInt8] = [
      0x80, 0x1F, 0x00, 0x08, 0x00, 0xF0, 0x00, 0x20, 0x40, 0x00, 0xC0, 0xFF, 0x80, 0x02,
    ]
    var batch = RawBatch()
    batch.frames = 1
    batch.frameSize = 14
    batch.format[0] = 1
    batch.format[1] = 5
    for (index, byte) in bytes.enumerated() { batch.bytes[index] = byte }
    let reading = QMI8658Decoder.decode(batch, frame: 0)
    #expect(reading.temperature == 31.5 && reading.specificForce == Vector3(0.25, -0.5, 1))
    let turn = Vector3(1, -1, 10) * radians(fromDegrees: 1)
    #expect(largest(reading.rotationRate - turn) < 1e-12)
  }

  @Test(arguments: [Acquisition.dataReady, .polling], [false, true])
  func `nothing is lost`(acquisition: Acquisition, isSPI: Bool) throws {
    let rig = Self.rig(isSPI: isSPI)
    var driver = QMI8658(rig.wire())
    _ = try driver.configure(Self.settings(acquisition, rate: 448))
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(5))
    #expect(outcome.errors == [] && outcome.missing == 0 && outcome.isOrdered)
    #expect(Int(rig.model.samplesTaken) - outcome.frames.count <= 15)
  }

  /// Bit 0 of STATUSINT is a sample, bit 1 its lock. Another reader takes each fourth sample first.
  @Test func `an edge whose sample is gone gives none`() throws {
    let rig = Self.rig()
    var driver = QMI8658(rig.wire())
    _ = try driver.configure(Self.settings(.dataReady))
    driver.start()
    rig.run(&driver, for: .milliseconds(300))
    var edges = 0
    rig.latency = { [rig] _ in
      edges += 1
      guard edges % 4 == 0 else { return .zero }
      _ = rig.model.read(0x2D)
      rig.model.advance(to: rig.clock.now + .microseconds(20))
      _ = rig.model.read(0x40)
      return .microseconds(20)
    }
    rig.world.changes = { _, readings, reading in
      reading.temperature = Double(readings % 100) / 4
    }
    let outcome = rig.run(&driver, for: .seconds(1))
    #expect(edges > 100 && abs(outcome.frames.count - edges * 3 / 4) <= 1 && outcome.errors == [])
    #expect(abs(outcome.missing - edges / 4) <= 1)
    let values = outcome.frames.map(\.reading.temperature)
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 != $1 })
  }

  /// The lock takes up to 12 us (table 40), in low power up to 0.1 ms (table 41); SPI at 1 MHz
  /// reads a byte in 16 us. The driver reads STATUSINT until bit 1 is set.
  @Test(arguments: [(PowerMode.normal, 2), (.low, 7)])
  func `over SPI the outputs are read once they are locked`(power: PowerMode, most: Int) throws {
    let rig = Self.rig(isSPI: true)
    var driver = QMI8658(rig.wire())
    _ = try driver.configure(Self.settings(.dataReady, power: power))
    driver.start()
    rig.run(&driver, for: .milliseconds(300))
    let known = rig.log.transactions.count
    rig.run(&driver, for: .milliseconds(300))
    var status: [UInt8] = []
    var samples = 0
    for transaction in rig.log.transactions.dropFirst(known) {
      switch transaction {
      case .read(0x2D, let bytes): status.append(bytes[0])
      case .read(0x33, _):
        #expect(status.first == 0x01 && status.last == 0x03 && (2...most).contains(status.count))
        status = []
        samples += 1
      default: break
      }
    }
    #expect(samples > 30)
  }

  @Test func `the self-test has the maker's steps and limits`() throws {
    let rig = Self.rig()
    var driver = QMI8658(rig.wire())
    _ = try driver.configure(Self.settings(.polling))
    try driver.startSelfTest()
    rig.run(&driver, for: .seconds(2))
    let found = driver.selfTest
    let report = try #require(found)
    #expect(report.isPassed && report.count == 6)
    // 400 mg, 500 deg/s.
    #expect(abs(report.items[0].response - 0.4) < 1e-3)
    #expect(abs(report.items[3].response - radians(fromDegrees: 500)) < 1e-2)
    #expect(report.items[0].lowest == 0.2 && report.items[3].lowest == radians(fromDegrees: 300))
    #expect(rig.written(0x03).first == 0x83 && rig.written(0x04).first == 0x80)
  }

  @Test(arguments: [
    (Vector3(0.1, -0.45, 0.5), Vector3(500, -450, 600)),
    (Vector3(0.4, -0.45, 0.5), Vector3(500, -450, 299)),
  ])
  func `a weak chip fails its self-test`(force: Vector3, turn: Vector3) throws {
    let rig = Self.rig()
    let model = try #require(rig.model as? QMI8658Model)
    model.accelResponse = force
    model.gyroResponse = turn
    var driver = QMI8658(rig.wire())
    try driver.startSelfTest()
    rig.run(&driver, for: .seconds(2))
    let found = driver.selfTest
    #expect(found?.isPassed == false)
  }

  @Test(arguments: [(0x05, true), (0x47, false), (0x6A, false)] as [(UInt8, Bool)])
  func `the part is accepted, and others are reported`(identity: UInt8, isTaken: Bool) {
    let script = Script([.read(0x00, [identity])] + (isTaken ? [.write(0x60, 0xB0)] : [])) {
      Issue.record("\($0)")
    }
    var driver = QMI8658(script.bus)
    driver.start()
    var batch = RawBatch()
    #expect(
      step(&driver, &batch)
        == (isTaken
          ? .wake(.after(.milliseconds(16))) : .error(.identity(found: identity, register: 0x00))))
    #expect(script.finish() == [])
  }

  @Test func `stopping turns the sensors off`() throws {
    let script = Script([.write(0x08, 0x00)]) { Issue.record("\($0)") }
    var driver = QMI8658(script.bus)
    try driver.stop()
    #expect(script.finish() == [])
  }
}

private func largest(_ vector: Vector3) -> Double {
  max(abs(vector.x), max(abs(vector.y), abs(vector.z)))
}

/// The model by hand, without a driver.
@Suite struct QMI8658ModelTests {
  static func bench() -> ModelBench {
    let bench = ModelBench { QMI8658Model($0) }
    bench.world.held = .inertial(Vector3(0.25, -0.5, 1), Vector3(0, 0, 0), temperature: 25.5)
    bench.at(0)
    return bench
  }

  @Test(
    arguments: [(0x00, 0x05), (0x01, 0x7C), (0x02, 0x20), (0x08, 0x00), (0x2D, 0x00), (0x4D, 0x80)]
      as [(UInt8, UInt8)])
  func `each register has its reset value`(register: UInt8, value: UInt8) {
    #expect(Self.bench().read(register) == [value])
  }

  /// Bit 6 of CTRL1 is ADDR_AI, bit 5 BE. Waveshare's examples set BE and read the low byte first.
  @Test func `the address advances as CTRL1 says, and the low byte comes first`() {
    let bench = Self.bench()
    bench.write(0x08, 0x01)
    bench.at(100)
    #expect(bench.read(0x34, 3) == [0x19, 0x19, 0x19])
    bench.write(0x02, 0x40)
    #expect(bench.read(0x33, 4) == [0x80, 0x19, 0x00, 0x10])
    bench.write(0x02, 0x60)
    #expect(bench.read(0x33, 4) == [0x80, 0x19, 0x00, 0x10])
  }

  /// The gyroscope takes 150 ms. A read of STATUSINT locks an available sample until GZ_H (0x40)
  /// is read; INT2 (CTRL1, bit 4) pulses at each sample that is not dropped.
  @Test func `a sample is locked until its last byte is read`() {
    let bench = Self.bench()
    bench.write(0x02, 0x50)
    bench.write(0x04, 0x06)
    bench.write(0x08, 0x83)
    #expect(bench.model.nextEdge(of: 1) == Timestamp(nanoseconds: 150_000_000))
    bench.at(149.9)
    #expect(bench.read(0x2D) == [0x00])
    bench.at(150.1)
    #expect(bench.read(0x2D) == [0x01] && bench.read(0x2D) == [0x01])
    bench.at(150.113)
    #expect(bench.read(0x2D) == [0x03])
    #expect(bench.model.takeEdges(of: 1).count == 1)
    bench.world.held.temperature = 60
    bench.at(200)
    #expect(bench.model.takeEdges(of: 1).count == 0)
    #expect(bench.read(0x33, 2) == [0x80, 0x19] && bench.read(0x2D) == [0x03])
    #expect(bench.read(0x40) == [0x00] && bench.read(0x2D) == [0x00])
    bench.at(210)
    #expect(bench.read(0x2D) == [0x01] && bench.read(0x33, 2) == [0x00, 0x3C])
  }

  /// Command 0x09 adds CAL1 to CAL3 to the acceleration, 4096 a g; CmdDone waits for the
  /// acknowledgement 0x00.
  @Test func `a command is over when it is acknowledged`() {
    let bench = Self.bench()
    bench.write(0x02, 0x40)
    bench.write(0x0B, 0x00, 0x04)
    bench.write(0x0A, 0x09)
    #expect(bench.read(0x2D) == [0x00])
    bench.at(1)
    #expect(bench.read(0x2D) == [0x80] && bench.read(0x2D) == [0x80])
    bench.write(0x0A, 0x00)
    #expect(bench.read(0x2D) == [0x00])
    bench.write(0x08, 0x01)
    bench.at(100)
    // 0.25 g and the offset of 0.25 g.
    #expect(bench.read(0x35, 2) == [0x00, 0x20])
  }
}
