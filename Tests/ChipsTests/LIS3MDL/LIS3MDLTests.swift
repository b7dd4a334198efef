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

// Addresses and bytes are typed from DocID024204 revision 6, sections 5 to 7.
@Suite struct LIS3MDLTests {
  func rig(attached: Bool = true) -> Rig {
    let rig = Rig(
      at: 0x1C, WireFormat(i2cIncrement: 0x80, spiMultiple: 0x40), attached: attached
    ) { LIS3MDLModel($0) }
    rig.world.held.magneticField = Vector3(20, -45, 399)
    return rig
  }

  func isRight(_ reading: ChipReading) -> Bool {
    (reading.magneticField - Vector3(20, -45, 399)).norm < 1 / 68.42
  }

  static func settings(_ acquisition: Acquisition, rate: Double = 80) -> SensorSettings {
    SensorSettings(rate: rate, magneticFieldRange: 400, acquisition: acquisition)
  }

  static let frame: [UInt8] = [0xBA, 0x1A, 0x46, 0xE5, 0x00, 0x80]

  /// Temperature and ultra-high performance at 80 Hz, 4 gauss, block update, ultra-high performance
  /// for Z, continuous mode.
  static let table: [(UInt8, UInt8)] = [
    (0x20, 0xFC), (0x21, 0x00), (0x24, 0x40), (0x23, 0x0C), (0x22, 0x00),
  ]

  static let starting: [Transaction] =
    [.read(0x0F, [0x3D]), .write(0x21, 0x04), .read(0x21, [0x00])]
    + table.map { .write($0, $1) } + table.map { .read($0, [$1]) }
    + [.read(0x27, [0x00, 0, 0, 0, 0, 0, 0])]

  /// Expects the frame with 6842, -6842 and the lowest count, at 6842 per gauss.
  func expectFrame(_ reading: ChipReading) {
    #expect(reading.channels == .magneticField)
    let field = reading.magneticField
    #expect(abs(field.x - 100) < 1e-9 && abs(field.y + 100) < 1e-9)
    #expect(abs(field.z + 32768 / 68.42) < 1e-9)
  }

  @Test func `a start by data-ready is the transactions typed by hand`() throws {
    let script = Script(Self.starting + [.read(0x27, [0x0F] + Self.frame)]) {
      Issue.record("\($0)")
    }
    var driver = LIS3MDL(script.bus)
    _ = try driver.configure(Self.settings(.dataReady))
    driver.start()
    var batch = RawBatch()
    #expect(step(&driver, &batch) == .wake(.after(.milliseconds(10))))
    #expect(step(&driver, &batch) == .wake(.onInterrupt(until: script.now + .milliseconds(50))))
    script.advance(by: .milliseconds(12))
    let edge = script.now - .microseconds(40)
    _ = step(&driver, &batch, Event(edges: 1, edgeTime: edge))
    let (frames, newest) = (batch.frames, batch.newest)
    #expect(frames == 1 && newest == edge)
    expectFrame(driver.decode(batch, frame: 0))
    #expect(script.finish() == [])
  }

  @Test(arguments: [Acquisition.polling, .fifo])
  func `a start by polling is the transactions typed by hand`(acquisition: Acquisition) throws {
    let script = Script(
      Self.starting
        + [.read(0x27, [0x00] + Self.frame), .read(0x27, [0x0F] + Self.frame)]
    ) { Issue.record("\($0)") }
    var driver = LIS3MDL(script.bus)
    let taken = try driver.configure(Self.settings(acquisition))
    #expect(taken.acquisition == .polling)
    driver.start()
    var batch = RawBatch()
    _ = step(&driver, &batch)
    #expect(step(&driver, &batch) == .wake(.after(TimeSpan(nanoseconds: 1_562_500))))
    _ = step(&driver, &batch)
    var frames = batch.frames
    #expect(frames == 0)
    script.advance(by: .milliseconds(3))
    _ = step(&driver, &batch)
    frames = batch.frames
    #expect(frames == 1)
    expectFrame(driver.decode(batch, frame: 0))
    #expect(script.finish() == [])
  }

  struct Row: Sendable {
    var rate: Double
    var control1: UInt8
    var control4: UInt8
  }

  /// CTRL_REG1: TEMP_EN bit 7, OM in 6:5, DO in 4:2, FAST_ODR bit 1; tables 20 to 22.
  static let rows = [
    Row(rate: 0.625, control1: 0xE0, control4: 0x0C),
    Row(rate: 1.25, control1: 0xE4, control4: 0x0C),
    Row(rate: 2.5, control1: 0xE8, control4: 0x0C), Row(rate: 5, control1: 0xEC, control4: 0x0C),
    Row(rate: 10, control1: 0xF0, control4: 0x0C), Row(rate: 20, control1: 0xF4, control4: 0x0C),
    Row(rate: 40, control1: 0xF8, control4: 0x0C), Row(rate: 80, control1: 0xFC, control4: 0x0C),
    Row(rate: 155, control1: 0xE2, control4: 0x0C), Row(rate: 300, control1: 0xC2, control4: 0x08),
    Row(rate: 560, control1: 0xA2, control4: 0x04), Row(rate: 1000, control1: 0x82, control4: 0x00),
  ]
  static let scales: [(field: Double, byte: UInt8)] = [
    (400, 0x00), (800, 0x20), (1200, 0x40), (1600, 0x60),
  ]

  @Test(arguments: rows) func `each rate and range is written as its registers`(row: Row) throws {
    for scale in Self.scales {
      let rig = rig()
      var driver = LIS3MDL(rig.wire())
      let taken = try driver.configure(
        SensorSettings(rate: row.rate, magneticFieldRange: scale.field))
      #expect(taken.rate == row.rate && taken.magneticFieldRange == scale.field)
      driver.start()
      _ = rig.run(&driver, for: .milliseconds(11))
      let written = (0x20...0x24).map { rig.model.read($0) }
      #expect(written == [row.control1, scale.byte, 0x00, row.control4, 0x40])
    }
  }

  @Test func `rates and ranges are offered`() {
    let rig = rig()
    let driver = LIS3MDL(rig.wire())
    let rates = (0...12).map { driver.rate(at: $0) }
    #expect(rates == [1000, 560, 300, 155, 80, 40, 20, 10, 5, 2.5, 1.25, 0.625, nil])
    let ranges = (0...4).map { driver.range(of: .magneticField, at: $0) }
    #expect(ranges == [400, 800, 1200, 1600, nil])
  }

  static let unsupported: [SensorSettings] = [
    SensorSettings(rate: 0), SensorSettings(rate: .nan), SensorSettings(rate: 1100),
    SensorSettings(rate: .infinity), SensorSettings(magneticFieldRange: 0),
    SensorSettings(magneticFieldRange: -400), SensorSettings(magneticFieldRange: 1700),
    SensorSettings(magneticFieldRange: .nan), SensorSettings(magneticFieldRange: .infinity),
  ]

  @Test(arguments: unsupported) func `unsupported settings are refused`(settings: SensorSettings) {
    var driver = LIS3MDL(rig().wire())
    do throws(ChipError) {
      _ = try driver.configure(settings)
      Issue.record("taken")
    } catch { #expect(error == .unsupportedSetting) }
  }

  @Test(arguments: [(0, 68.42), (1, 34.21), (2, 22.81), (3, 17.11)] as [(UInt8, Double)])
  func `each code decodes to its full scale`(code: UInt8, countsPerMicrotesla: Double) {
    var batch = RawBatch()
    batch.frames = 1
    batch.frameSize = 6
    batch.format[0] = code
    for (index, byte) in ([0x00, 0x80, 0xFF, 0x7F, 0xFF, 0xFF] as [UInt8]).enumerated() {
      batch.bytes[index] = byte
    }
    let field = LIS3MDLDecoder.decode(batch, frame: 0).magneticField
    #expect(abs(field.x + 32768 / countsPerMicrotesla) < 1e-9)
    #expect(abs(field.y - 32767 / countsPerMicrotesla) < 1e-9)
    #expect(abs(field.z + 1 / countsPerMicrotesla) < 1e-12)
  }

  @Test(arguments: [0x40, 0x00, 0xFF] as [UInt8])
  func `another chip's identity is refused`(id: UInt8) {
    let script = Script([.read(0x0F, [id])]) { Issue.record("\($0)") }
    var driver = LIS3MDL(script.bus)
    driver.start()
    var batch = RawBatch()
    #expect(step(&driver, &batch) == .error(.identity(found: id, register: 0x0F)))
    #expect(script.finish() == [])
  }

  @Test func `an absent chip does not acknowledge`() {
    var driver = LIS3MDL(rig(attached: false).wire())
    driver.start()
    var batch = RawBatch()
    #expect(step(&driver, &batch) == .error(.bus(.noAcknowledge, register: 0x0F)))
    let errors = driver.health.busErrors
    #expect(errors == 1)
  }

  @Test func `a reset that never ends is given up`() {
    let polls = [Transaction](repeating: .read(0x21, [0x04]), count: 11)
    let script = Script([.read(0x0F, [0x3D]), .write(0x21, 0x04)] + polls) {
      Issue.record("\($0)")
    }
    var driver = LIS3MDL(script.bus)
    driver.start()
    var batch = RawBatch()
    for _ in 0..<11 { #expect(step(&driver, &batch) == .wake(.after(.milliseconds(10)))) }
    #expect(step(&driver, &batch) == .error(.resetTimedOut))
    #expect(script.finish() == [])
  }

  @Test func `stopping powers the chip down`() throws {
    let script = Script([.write(0x22, 0x03)]) { Issue.record("\($0)") }
    var driver = LIS3MDL(script.bus)
    try driver.stop()
    var batch = RawBatch()
    #expect(step(&driver, &batch) == .wake(.never))
    #expect(script.finish() == [])
  }

  @Test(arguments: [Acquisition.dataReady, .polling], [80, 1000] as [Double])
  func `two seconds deliver every sample`(acquisition: Acquisition, rate: Double) throws {
    let rig = rig()
    var driver = LIS3MDL(rig.wire())
    _ = try driver.configure(Self.settings(acquisition, rate: rate))
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(2))
    #expect(outcome.errors == [])
    #expect(Double(outcome.frames.count) >= 1.98 * rate, "\(outcome.frames.count)")
    #expect(outcome.missing == 0)
    #expect(outcome.isOrdered)
    #expect(outcome.frames.allSatisfy { isRight($0.reading) })
  }

  @Test(.sweep, arguments: [Acquisition.dataReady, .polling])
  func `the driver recovers from an error in any transaction`(acquisition: Acquisition) throws {
    for index in 0..<32 {
      let rig = rig()
      var driver = LIS3MDL(rig.wire(failingAt: index..<(index + 1), throwing: .timeout))
      _ = try driver.configure(Self.settings(acquisition))
      driver.start()
      let outcome = rig.run(&driver, for: .seconds(1))
      let health = driver.health
      #expect(outcome.errors.count == 1, "\(index)")
      #expect(outcome.errors.first?.busError == .timeout, "\(index)")
      #expect(health.busErrors == 1, "\(index)")
      #expect(outcome.frames.count + outcome.missing >= 76, "\(index): \(outcome.frames.count)")
      #expect(outcome.frames.count >= 74, "\(index): \(outcome.frames.count)")
      #expect(outcome.isOrdered, "\(index)")
      #expect(outcome.frames.allSatisfy { isRight($0.reading) }, "\(index)")
    }
  }

  static let tampering: [(UInt8, UInt8)] = [
    (0x20, 0x10), (0x20, 0x78), (0x21, 0x60), (0x22, 0x03), (0x22, 0x01), (0x23, 0x00),
    (0x23, 0x0E), (0x24, 0x00),
  ]

  @Test(.sweep, arguments: [Acquisition.dataReady, .polling], tampering)
  func `tampering is repaired`(acquisition: Acquisition, change: (UInt8, UInt8)) throws {
    let rig = rig()
    var driver = LIS3MDL(rig.wire())
    _ = try driver.configure(Self.settings(acquisition))
    driver.start()
    _ = rig.run(&driver, for: .milliseconds(500))
    let right = rig.model.read(change.0)
    let earlier = driver.health.received
    let then = rig.clock.now
    rig.tamper(change.0, change.1)
    let outcome = rig.run(&driver, for: .seconds(2))
    let noticed = try #require(outcome.errorTimes.first)
    #expect(noticed - then <= .seconds(1))
    #expect(outcome.errors.count == 1)
    let health = driver.health
    #expect(health.misconfigurations == 1)
    #expect(rig.model.read(change.0) == right)
    #expect(health.received == earlier + UInt64(outcome.frames.count))
    let last = try #require(outcome.frames.last)
    #expect(rig.clock.now - last.time < .milliseconds(20))
    #expect(isRight(last.reading))
    #expect(outcome.isOrdered)
  }

  /// A late reader finds the overrun flag, and counts the missed samples.
  @Test(arguments: [Acquisition.dataReady, .polling])
  func `late readers miss samples`(acquisition: Acquisition) throws {
    let rig = rig()
    var driver = LIS3MDL(rig.wire())
    _ = try driver.configure(Self.settings(acquisition))
    driver.start()
    let before = rig.run(&driver, for: .seconds(2))
    let last = try #require(before.frames.last)
    rig.clock.advance(to: rig.clock.now + .milliseconds(500))
    // The reader does not get the edges either.
    rig.model.advance(to: rig.clock.now)
    _ = rig.model.takeEdges()
    let after = rig.run(&driver, for: .seconds(1))
    let first = try #require(after.frames.first)
    #expect(first.missing >= 38 && first.missing <= 40)
    #expect(Double(first.missing) == ((first.time - last.time).seconds * 80).rounded() - 1)
    #expect(after.missing == Int(first.missing))
  }

  @Test func `configuring while running changes nothing yet`() throws {
    let rig = rig()
    var driver = LIS3MDL(rig.wire())
    _ = try driver.configure(Self.settings(.polling))
    driver.start()
    _ = rig.run(&driver, for: .milliseconds(200))
    _ = try driver.configure(SensorSettings(rate: 10, magneticFieldRange: 1600))
    let outcome = rig.run(&driver, for: .seconds(1))
    #expect(outcome.errors == [])
    #expect(outcome.frames.allSatisfy { isRight($0.reading) })
  }

  /// On SPI a burst needs bit 6 of the address.
  @Test func `it works over SPI`() throws {
    let rig = rig()
    let simulated = SimulatedBus(clock: rig.clock, speed: 1_000_000)
    simulated.attach(ModelPort(rig.model, format: rig.format), at: 0)
    var driver = LIS3MDL(
      SPIConnection(SimulatedSPI(simulated, select: 0), format: rig.format))
    _ = try driver.configure(Self.settings(.dataReady))
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(1))
    #expect(outcome.errors == [])
    #expect(outcome.frames.count >= 77)
    #expect(outcome.frames.allSatisfy { isRight($0.reading) })
  }
}
