// SPDX-License-Identifier: Apache-2.0
import BusTesting
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Simulation
import Boards
import Testing

// Addresses, bits and limits are typed from DocID024204 revision 6 and AN4602.
@Suite struct LIS3MDLModesTests {
  func rig(attached: Bool = true, clockError: Double = 0) -> Rig {
    let rig = Rig(
      at: 0x1C, WireFormat(i2cIncrement: 0x80, spiMultiple: 0x40), attached: attached
    ) { LIS3MDLModel($0, clockError: clockError) }
    rig.world.held.magneticField = Vector3(20, -45, 30)
    rig.world.held.temperature = 31.5
    return rig
  }

  static func low(_ rate: Double) -> SensorSettings {
    var settings = SensorSettings(rate: rate, magneticFieldRange: 400)
    settings.power = .low
    return settings
  }

  /// OM and OMZ are 00 up to 80 Hz. LP (CTRL_REG3, bit 5) is used at 0.625 Hz only, because it
  /// allows no other rate. Above 80 Hz the performance mode sets the rate. TEMP_EN stays off.
  @Test(
    arguments: [
      (0.625, [0x00, 0x00, 0x20, 0x00, 0x40]), (1.25, [0x04, 0x00, 0x00, 0x00, 0x40]),
      (80, [0x1C, 0x00, 0x00, 0x00, 0x40]), (155, [0x62, 0x00, 0x00, 0x0C, 0x40]),
      (1000, [0x02, 0x00, 0x00, 0x00, 0x40]),
    ] as [(Double, [UInt8])])
  func `low power has its registers and its rate`(rate: Double, registers: [UInt8]) throws {
    let rig = rig()
    var driver = LIS3MDL(rig.wire())
    let taken = try driver.configure(Self.low(rate))
    #expect(taken.rate == rate && taken.power == .low)
    #expect(driver.channels == .magneticField)
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(8))
    #expect(outcome.errors == [])
    #expect((0x20...0x24).map { rig.model.read($0) } == registers)
    #expect(outcome.frames.count >= Int(rate * 7.9) - 1, "\(outcome.frames.count)")
    #expect(outcome.frames.allSatisfy { $0.reading.channels == .magneticField })
  }

  @Test func `the die's temperature comes once a second, by a read of its own`() throws {
    let rig = rig()
    var driver = LIS3MDL(rig.wire())
    _ = try driver.configure(SensorSettings(rate: 80, magneticFieldRange: 400))
    #expect(driver.channels == [.magneticField, .temperature])
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(5))
    let places = outcome.frames.indices.filter {
      outcome.frames[$0].reading.channels.contains(.temperature)
    }
    #expect(places == [1, 81, 161, 241, 321])
    #expect(places.allSatisfy { outcome.frames[$0].reading.temperature == 31.5 })
    // 31.5 degrees are 52 counts above 25.
    let reads = rig.log.transactions.filter { $0 == .read(0x2E, [52, 0]) }
    #expect(reads.count == 5)
    #expect(outcome.frames.allSatisfy { $0.reading.channels.contains(.magneticField) })
  }

  @Test func `a temperature below the offset is negative`() {
    var batch = RawBatch()
    batch.frames = 1
    batch.frameSize = 8
    // -25 degrees are 400 counts below 25: 0xFE70.
    for (index, byte) in ([0, 0, 0, 0, 0, 0, 0x70, 0xFE] as [UInt8]).enumerated() {
      batch.bytes[index] = byte
    }
    #expect(LIS3MDLDecoder.decode(batch, frame: 0).temperature == -25)
  }

  /// The writes of the self-test, in order.
  static let selfTestWrites: [Transaction] = [
    .write(0x21, 0x04), .write(0x20, 0x1C), .write(0x21, 0x40), .write(0x24, 0x40),
    .write(0x23, 0x00), .write(0x22, 0x00), .write(0x20, 0x1D), .write(0x21, 0x04),
  ]

  @Test func `a sound chip passes its self-test, then samples`() throws {
    let rig = rig()
    var driver = LIS3MDL(rig.wire())
    try driver.startSelfTest()
    let none = driver.selfTest == nil
    #expect(none)
    let begin = rig.clock.now
    let outcome = rig.run(&driver, for: .seconds(5))
    #expect(outcome.errors == [] && outcome.frames.isEmpty)
    #expect(outcome.wakes.last == .never)
    // A reset, 20 + 20 ms, six samples, 60 ms, six samples, and a reset.
    #expect(rig.clock.now - begin < .milliseconds(330))
    let writes = rig.log.transactions.filter { if case .write = $0 { true } else { false } }
    #expect(writes == Self.selfTestWrites)
    let outcomeOfTest = driver.selfTest
    let report = try #require(outcomeOfTest)
    #expect(report.count == 3 && report.isPassed)
    for (axis, response, lowest, highest)
      in [(0, 200, 100, 300), (1, 200, 100, 300), (2, 50, 10, 100)]
      as [(Int, Double, Double, Double)]
    {
      let item = report.items[axis]
      #expect(item.channel == .magneticField && item.axis == UInt8(axis))
      #expect(item.lowest == lowest && item.highest == highest)
      // Within one count, at 2281 per gauss.
      #expect(abs(item.response - response) < 0.05)
    }
    // Afterwards the chip is reset and asleep.
    #expect((0x20...0x24).map { rig.model.read($0) } == [0x10, 0x00, 0x03, 0x00, 0x00])
    // Afterwards the chip samples again.
    driver.start()
    let after = rig.run(&driver, for: .seconds(1))
    #expect(after.errors == [] && after.frames.count > 70)
  }

  @Test(arguments: [
    Vector3(99, 200, 50), Vector3(301, 200, 50), Vector3(200, 99, 50), Vector3(200, -301, 50),
    Vector3(200, 200, 9.9), Vector3(200, 200, 101), .zero,
  ])
  func `a broken chip fails its self-test`(response: Vector3) throws {
    let rig = rig()
    let model = try #require(rig.model as? LIS3MDLModel)
    model.selfTestResponse = response
    var driver = LIS3MDL(rig.wire())
    try driver.startSelfTest()
    #expect(rig.run(&driver, for: .seconds(2)).errors == [])
    let outcomeOfTest = driver.selfTest
    let report = try #require(outcomeOfTest)
    #expect(!report.isPassed)
  }

  /// Z may change by only 0.1 gauss, X and Y by up to 3.
  @Test(arguments: [Vector3(101, 101, 10.1), Vector3(299, -299, -99)])
  func `a chip at the limits passes its self-test`(response: Vector3) throws {
    let rig = rig()
    let model = try #require(rig.model as? LIS3MDLModel)
    model.selfTestResponse = response
    var driver = LIS3MDL(rig.wire())
    try driver.startSelfTest()
    #expect(rig.run(&driver, for: .seconds(2)).errors == [])
    #expect(driver.selfTest?.isPassed == true)
  }

  @Test func `the self-test recovers from an error in any transaction`() throws {
    for index in 0..<40 {
      let rig = rig()
      var driver = LIS3MDL(rig.wire(failingAt: index..<(index + 1)))
      try driver.startSelfTest()
      let outcome = rig.run(&driver, for: .seconds(2))
      #expect(outcome.errors.count == 1, "\(index)")
      #expect(driver.selfTest?.isPassed == true, "\(index)")
    }
  }

  @Test func `the self-test of a chip without samples ends in an error`() throws {
    let rig = rig()
    var driver = LIS3MDL(rig.wire())
    try driver.startSelfTest()
    _ = rig.run(&driver, for: .milliseconds(55))
    rig.tamper(0x22, 0x03)
    let outcome = rig.run(&driver, for: .milliseconds(150))
    #expect(outcome.errors == [.unexpected(register: 0x27, wanted: 0x08, found: 0x00)])
  }

  /// The data-ready pin of this chip cannot be configured.
  @Test(arguments: [
    InterruptPin(number: 2), InterruptPin(isActiveLow: true), InterruptPin(isOpenDrain: true),
  ])
  func `a pin with settings is not used, and the chip is polled`(pin: InterruptPin) throws {
    var driver = LIS3MDL(rig().wire())
    var settings = SensorSettings(rate: 80, acquisition: .dataReady)
    #expect(try driver.configure(settings).acquisition == .dataReady)
    settings.interruptPin = pin
    let taken = try driver.configure(settings)
    #expect(taken.acquisition == .polling && taken.interruptPin == InterruptPin())
  }

  @Test func `a chip without detections detects nothing`() throws {
    var driver = LIS3MDL(rig().wire())
    var settings = SensorSettings(rate: 80, acquisition: .polling)
    settings.detection.kinds = [.motion, .step]
    #expect(try driver.configure(settings).detection.kinds == [])
    settings.acquisition = .detections
    #expect(throws: ChipError.unsupportedSetting) { try driver.configure(settings) }
  }

  /// On another chip's auxiliary bus, the address responds only while that chip connects the bus.
  @Test(arguments: [Acquisition.dataReady, .polling])
  func `a chip that comes and goes is started again, and the gap reported`(acquisition: Acquisition)
    throws
  {
    let rig = rig()
    let begin = rig.clock.now
    let gate = Gate([
      begin + .milliseconds(700)...begin + .milliseconds(1700),
      begin + .seconds(2)...begin + .seconds(9),
    ])
    var driver = LIS3MDL(GatedBus(rig.wire(), gate))
    _ = try driver.configure(
      SensorSettings(rate: 80, magneticFieldRange: 400, acquisition: acquisition))
    driver.start()
    let before = rig.run(&driver, for: .milliseconds(700))
    #expect(before.frames.isEmpty && before.errors.count > 10)
    #expect(before.errors.allSatisfy { $0 == .bus(.noAcknowledge, register: 0x0F) })
    let during = rig.run(&driver, for: .milliseconds(1000))
    #expect(during.frames.count >= 74 && during.errors.count <= 1)
    #expect(rig.run(&driver, for: .milliseconds(300)).frames.count <= 1)
    let after = rig.run(&driver, for: .seconds(1))
    #expect(after.frames.count >= 74 && after.errors.count <= 1)
    // The samples of the gap are counted as missing.
    #expect(after.missing >= 22 && after.missing <= 28)
  }

  @Test(.sweep, arguments: [-0.03, 0, 0.03])
  func `at every rate each sample is delivered or counted`(clockError: Double) throws {
    for rate in [1000, 560, 300, 155, 80, 40, 20, 10, 5, 2.5, 1.25, 0.625] {
      for acquisition in [Acquisition.dataReady, .polling] {
        let rig = rig(clockError: clockError)
        var driver = LIS3MDL(rig.wire())
        let settings = SensorSettings(
          rate: rate, magneticFieldRange: 400, acquisition: acquisition)
        #expect(try driver.configure(settings).rate == rate)
        driver.start()
        let outcome = rig.run(&driver, for: TimeSpan(seconds: max(5, 20 / rate)))
        let health = driver.health
        let name = "\(rate) Hz, \(acquisition), \(clockError)"
        #expect(outcome.errors == [], "\(name)")
        #expect(health.missing == 0 && health.missedInterrupts == 0, "\(name)")
        // The newest sample may not have been read yet.
        let unread = rig.model.samplesTaken - health.received
        #expect(unread <= 1, "\(name): \(health.received) of \(rig.model.samplesTaken)")
        #expect(outcome.isOrdered, "\(name)")
      }
    }
  }

  @Test(
    .sweep,
    arguments: [Acquisition.dataReady, .polling],
    [1000, 300, 80, 10] as [Double])
  func `where one transaction in a hundred fails every loss is counted`(
    acquisition: Acquisition, rate: Double
  ) throws {
    let rig = rig(clockError: 0.01)
    var driver = LIS3MDL(FlakyBus(rig.wire()))
    let settings = SensorSettings(rate: rate, magneticFieldRange: 400, acquisition: acquisition)
    _ = try driver.configure(settings)
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(60))
    let health = driver.health
    #expect(outcome.errors.count > 5)
    #expect(health.busErrors == UInt64(outcome.errors.count))
    let reported = Int64(health.received + health.missing)
    let off = abs(reported - Int64(rig.model.samplesTaken))
    #expect(off <= 1, "\(reported) of \(rig.model.samplesTaken)")
    #expect(outcome.isOrdered)
    // Only three errors in a row cause a restart.
    #expect(health.restarts <= 1)
  }

  @Test(.sweep, arguments: [Acquisition.dataReady, .polling], [1000, 80, 10, 1.25] as [Double])
  func `a chip that lost its supply samples again within 200 ms and its start`(
    acquisition: Acquisition, rate: Double
  ) throws {
    // Try twelve moments of the configuration check.
    for part in 0..<12 {
      let rig = rig()
      var driver = LIS3MDL(rig.wire())
      _ = try driver.configure(
        SensorSettings(rate: rate, magneticFieldRange: 400, acquisition: acquisition))
      driver.start()
      let first = rig.run(&driver, for: .milliseconds(2000 + Int64(part) * 23))
      #expect(first.errors == [])
      rig.model.powerCycle()
      let then = rig.clock.now
      let outcome = rig.run(&driver, for: .milliseconds(400) + TimeSpan(seconds: 3 / rate))
      let noticed = try #require(outcome.errorTimes.first)
      #expect(noticed - then <= .milliseconds(200))
      #expect(driver.health.misconfigurations == 1)
      let sample = try #require(outcome.frames.first { $0.time > noticed })
      // 10 ms after the error, a reset of 10 ms, and a period.
      let limit = TimeSpan.milliseconds(225) + TimeSpan(seconds: 1 / rate)
      #expect(sample.time - then <= limit, "\(sample.time - then)")
    }
  }

  @Test(arguments: [Acquisition.dataReady, .polling], [80, 10, 0.625] as [Double])
  func `at low power a chip that lost its supply is back within four periods`(
    acquisition: Acquisition, rate: Double
  ) throws {
    for part in 0..<6 {
      let rig = rig()
      var driver = LIS3MDL(rig.wire())
      var settings = Self.low(rate)
      settings.acquisition = acquisition
      _ = try driver.configure(settings)
      driver.start()
      #expect(
        rig.run(&driver, for: TimeSpan(seconds: (3 + Double(part) * 0.17) / rate)).errors == []
      )
      rig.model.powerCycle()
      let then = rig.clock.now
      let outcome = rig.run(&driver, for: .milliseconds(400) + TimeSpan(seconds: 6 / rate))
      let noticed = try #require(outcome.errorTimes.first)
      #expect(noticed - then <= .milliseconds(200) + TimeSpan(seconds: 4 / rate))
      #expect(outcome.errors.count == 1 && driver.health.misconfigurations == 1)
      #expect((0x20...0x24).map { rig.model.read($0) }[2] == (rate < 1 ? 0x20 : 0x00))
    }
  }

  /// The same through the bypass of an MPU-6050 (INT_PIN_CFG 0x37, bit 1; PWR_MGMT_1 0x6B wakes
  /// it).
  @Test func `a chip behind another one is started through it`() throws {
    let rig = rig(attached: false)
    let bus = SimulatedBus(clock: rig.clock)
    let host = MPU6050Model(rig.world)
    bus.attach(ModelPort(host, format: WireFormat()), at: 0x68)
    bus.attach(ModelPort(rig.model, format: rig.format), at: 0x1C, behind: host)
    var driver = LIS3MDL(I2CConnection(SimulatedI2C(bus), address: 0x1C, format: rig.format))
    _ = try driver.configure(SensorSettings(rate: 80, magneticFieldRange: 400))
    driver.start()
    let before = rig.run(&driver, for: .milliseconds(300))
    #expect(before.frames.isEmpty && before.errors.count > 10)
    #expect(before.errors.allSatisfy { $0.busError == .noAcknowledge })
    try SimulatedI2C(bus).write(([0x6B, 0x00] as [UInt8]).span, to: 0x68)
    try SimulatedI2C(bus).write(([0x37, 0x02] as [UInt8]).span, to: 0x68)
    let after = rig.run(&driver, for: .seconds(1))
    #expect(after.errors.count <= 1 && after.frames.count >= 74)
    let readings = after.frames.map(\.reading.magneticField)
    #expect(readings.allSatisfy { ($0 - Vector3(20, -45, 30)).norm < 1 / 68.42 })
  }

  @Test(arguments: [300, 80, 10, 1.25] as [Double])
  func `a silent interrupt line is reported, costs few samples and is used again`(rate: Double)
    throws
  {
    let rig = rig(clockError: 0.02)
    var driver = LIS3MDL(rig.wire())
    _ = try driver.configure(
      SensorSettings(rate: rate, magneticFieldRange: 400, acquisition: .dataReady))
    driver.start()
    rig.isWired = false
    rig.run(&driver, for: TimeSpan(seconds: max(10, 20 / rate)))
    rig.isWired = true
    let silent = driver.health
    #expect(silent.missedInterrupts == silent.received)
    // Three waits of 20 ms or four periods; during the first nothing can be counted yet.
    let unread = Int64(rig.model.samplesTaken) - Int64(silent.received + silent.missing)
    #expect(unread >= 0 && unread <= 8, "\(silent) of \(rig.model.samplesTaken)")
    #expect(silent.missing <= 16, "\(silent)")
    _ = rig.model.takeEdges()
    let outcome = rig.run(&driver, for: TimeSpan(seconds: max(5, 10 / rate)))
    #expect(outcome.errors == [])
    // One sample is read before the first edge is reported, and another edge comes during that
    // read.
    #expect(driver.health.missedInterrupts <= silent.missedInterrupts + 2)
    #expect(
      outcome.wakes.suffix(5).allSatisfy { if case .onInterrupt = $0 { true } else { false } })
  }
}

/// The times when an address responds.
final class Gate {
  let open: [ClosedRange<Timestamp>]
  init(_ open: [ClosedRange<Timestamp>]) { self.open = open }
}

/// A connection that behaves like an unused address outside of these times.
struct GatedBus: RegisterBus, ~Copyable {
  private var base: RigBus
  private let gate: Gate

  init(_ base: consuming RigBus, _ gate: Gate) {
    self.base = base
    self.gate = gate
  }

  var now: Timestamp { base.now }

  private func pass() throws(BusError) {
    let now = base.now
    guard gate.open.contains(where: { $0.contains(now) }) else { throw .noAcknowledge }
  }

  mutating func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError) {
    try pass()
    try base.read(&bytes, from: register)
  }

  mutating func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    try pass()
    try base.write(value, to: register)
  }
}

/// A connection on which one transaction in a hundred fails, with a fixed seed.
struct FlakyBus: RegisterBus, ~Copyable {
  private var base: RigBus
  private var state: UInt64 = 9

  init(_ base: consuming RigBus) { self.base = base }

  var now: Timestamp { base.now }

  private mutating func pass() throws(BusError) {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    if (state >> 33) % 100 == 0 { throw .noAcknowledge }
  }

  mutating func read(_ bytes: inout MutableSpan<UInt8>, from register: UInt8) throws(BusError) {
    try pass()
    try base.read(&bytes, from: register)
  }

  mutating func write(_ value: UInt8, to register: UInt8) throws(BusError) {
    try pass()
    try base.write(value, to: register)
  }
}
