// SPDX-License-Identifier: Apache-2.0
import BusTesting
import Chips
import Quantities
import Registers
import Sensors
import Testing

// Addresses and bytes are typed from RM-MPU-6000A-00 revision 4.2, sections 3 (register map) and 4.
@Suite struct MPU6050StartTests {
  static func settings(_ acquisition: Acquisition) -> SensorSettings {
    SensorSettings(
      rate: 1000, accelerationRange: 4, rotationRateRange: radians(fromDegrees: 500),
      acquisition: acquisition)
  }

  /// The identity, the reset and waking.
  static let awakening: [Transaction] = [
    .read(0x75, [0x68]), .write(0x6B, 0xC0), .read(0x6B, [0x40]), .write(0x6B, 0x01),
  ]

  /// PWR_MGMT_1 PLL, PWR_MGMT_2, SMPLRT_DIV 0, CONFIG 188 Hz, GYRO_CONFIG 500 dps, ACCEL_CONFIG 4 g, INT_PIN_CFG,
  /// INT_ENABLE.
  static func configuring(interrupt: UInt8) -> [Transaction] {
    let table: [(UInt8, UInt8)] = [
      (0x6B, 0x01), (0x6C, 0x00), (0x19, 0x00), (0x1A, 0x01), (0x1B, 0x08), (0x1C, 0x08),
      (0x37, 0x00), (0x38, interrupt),
    ]
    return table.map { .write($0, $1) } + table.map { .read($0, [$1]) }
  }

  /// FIFO_EN and USER_CTRL off, FIFO_RST, FIFO_EN bit 6, then all sources except the auxiliary
  /// ones.
  static let emptying: [Transaction] = [
    .write(0x23, 0x00), .write(0x6A, 0x00), .write(0x6A, 0x04), .write(0x6A, 0x40),
    .write(0x23, 0xF8),
  ]

  static let frame: [UInt8] = [
    0x20, 0x00, 0xE0, 0x00, 0x7F, 0xFF, 0x00, 0x00, 0x00, 0x83, 0xFF, 0x7D, 0x80, 0x00,
  ]

  func start(_ acquisition: Acquisition, _ script: Script) throws -> MPU6050<ScriptedBus> {
    var driver = MPU6050(script.bus)
    _ = try driver.configure(Self.settings(acquisition))
    driver.start()
    var batch = RawBatch()
    let waits: [TimeSpan] = [.milliseconds(100), .milliseconds(20), .milliseconds(70)]
    for wait in waits {
      #expect(step(&driver, &batch) == .wake(.after(wait)))
      script.advance(by: wait)
    }
    return driver
  }

  @Test func `a start by queue is the transactions typed by hand`() throws {
    let script = Script(
      Self.awakening + Self.configuring(interrupt: 0) + Self.emptying
        + [.read(0x3A, [0x00]), .read(0x72, [0, 30]), .read(0x74, Self.frame + Self.frame)]
    ) { Issue.record("\($0)") }
    var driver = try start(.fifo, script)
    var batch = RawBatch()
    // 10 ms less half a period of 1 ms. Once samples have been seen, the time at which the next one
    // is as likely available as not.
    #expect(step(&driver, &batch) == .wake(.after(.microseconds(9500))))
    script.advance(by: .milliseconds(10))
    // This poll is at 1.2 s. The newest sample was taken at most one period before, which may be
    // 1.05 ms: at 1.199475 s as far as known. 11 periods later is the first time after 9.5 ms when
    // another may be available.
    #expect(step(&driver, &batch) == .wake(.at(Timestamp(nanoseconds: 1_210_475_000))))
    let (frames, size) = (batch.frames, batch.frameSize)
    #expect(frames == 2 && size == 14)
    expectFrame(driver.decode(batch, frame: 1))
    #expect(script.finish() == [])
  }

  @Test func `a start by data-ready is the transactions typed by hand`() throws {
    let script = Script(
      Self.awakening + Self.configuring(interrupt: 0x01)
        + [.read(0x3A, [0x00]), .read(0x3A, [0x01] + Self.frame)]
    ) { Issue.record("\($0)") }
    var driver = try start(.dataReady, script)
    var batch = RawBatch()
    #expect(step(&driver, &batch) == .wake(.onInterrupt(until: script.now + .milliseconds(20))))
    script.advance(by: .milliseconds(1))
    let edge = script.now - .microseconds(30)
    _ = step(&driver, &batch, Event(edges: 1, edgeTime: edge))
    let (frames, newest) = (batch.frames, batch.newest)
    #expect(frames == 1 && newest == edge)
    expectFrame(driver.decode(batch, frame: 0))
    #expect(script.finish() == [])
  }

  /// The burst starts with the status, which shows whether another sample came in between.
  @Test func `a start by polling is the transactions typed by hand`() throws {
    let script = Script(
      Self.awakening + Self.configuring(interrupt: 0x01)
        + [
          .read(0x3A, [0x00]), .read(0x3A, [0x00]), .read(0x3A, [0x01]),
          .read(0x3A, [0x00] + Self.frame), .read(0x3A, [0x01]), .read(0x3A, [0x01] + Self.frame),
        ]
    ) { Issue.record("\($0)") }
    var driver = try start(.polling, script)
    var batch = RawBatch()
    #expect(step(&driver, &batch) == .wake(.after(.microseconds(125))))
    #expect(step(&driver, &batch) == .wake(.after(.microseconds(125))))
    var frames = batch.frames
    #expect(frames == 0)
    script.advance(by: .microseconds(500))
    _ = step(&driver, &batch)
    frames = batch.frames
    var missing = batch.missing
    #expect(frames == 1 && missing == 0)
    expectFrame(driver.decode(batch, frame: 0))
    script.advance(by: .microseconds(2000))
    _ = step(&driver, &batch)
    (frames, missing) = (batch.frames, batch.missing)
    #expect(frames == 1 && missing == 1)
    #expect(script.finish() == [])
  }

  /// Expects the frame at +-4 g (8192 LSB/g) and +-500 dps (65.5 LSB/dps); 0 counts are 36.53
  /// degrees.
  func expectFrame(_ reading: ChipReading) {
    #expect(reading.channels == [.acceleration, .rotationRate, .temperature])
    #expect(reading.specificForce == Vector3(1, -1, 32767.0 / 8192))
    #expect(reading.temperature == 36.53)
    let rate = reading.rotationRate * (180 / Double.pi)
    #expect(abs(rate.x - 2) < 1e-12 && abs(rate.y + 2) < 1e-12)
    #expect(abs(rate.z + 32768 / 65.5) < 1e-9)
  }

  @Test(arguments: [0x72, 0x00, 0xFF] as [UInt8])
  func `another chip's identity is refused`(id: UInt8) {
    let script = Script([.read(0x75, [id])]) { Issue.record("\($0)") }
    var driver = MPU6050(script.bus)
    driver.start()
    var batch = RawBatch()
    #expect(step(&driver, &batch) == .error(.identity(found: id, register: 0x75)))
    let errors = driver.health.busErrors
    #expect(errors == 0)
    #expect(script.finish() == [])
  }

  @Test func `a reset that never ends is given up`() {
    let polls = [Transaction](repeating: .read(0x6B, [0xC0]), count: 91)
    let script = Script([.read(0x75, [0x68]), .write(0x6B, 0xC0)] + polls) {
      Issue.record("\($0)")
    }
    var driver = MPU6050(script.bus)
    driver.start()
    var batch = RawBatch()
    #expect(step(&driver, &batch) == .wake(.after(.milliseconds(100))))
    for _ in 0..<90 { #expect(step(&driver, &batch) == .wake(.after(.milliseconds(10)))) }
    #expect(step(&driver, &batch) == .error(.resetTimedOut))
    #expect(script.finish() == [])
  }

  @Test func `stopping writes sleep`() throws {
    let script = Script([.write(0x6B, 0x40)]) { Issue.record("\($0)") }
    var driver = MPU6050(script.bus)
    try driver.stop()
    var batch = RawBatch()
    #expect(step(&driver, &batch) == .wake(.never))
    #expect(script.finish() == [])
  }

  @Test func `a write that does not hold is rejected`() throws {
    var expected = Self.awakening + Self.configuring(interrupt: 0)
    expected[15] = .read(0x1A, [0x00])
    let script = Script(Array(expected[...15])) { Issue.record("\($0)") }
    var driver = MPU6050(script.bus)
    _ = try driver.configure(Self.settings(.fifo))
    driver.start()
    var batch = RawBatch()
    _ = step(&driver, &batch)
    _ = step(&driver, &batch)
    #expect(
      step(&driver, &batch)
        == .error(.rejected(register: 0x1A, wrote: 0x01, readBack: 0x00)))
    let health = driver.health
    #expect(health.misconfigurations == 1 && health.restarts == 1 && health.busErrors == 0)
    #expect(script.finish() == [])
  }
}
