// SPDX-License-Identifier: Apache-2.0
import Chips
import Quantities
import Registers
import Sensors
import Testing

/// The driver as seen on the bus. Every address and byte is typed from the register map
/// (RM-MPU-6000A).
@Suite struct MPU6050Tests {
  /// Returns a chip with the right identity that is asleep after its reset, at 0x40.
  private func chip() -> FakeChip {
    let chip = FakeChip()
    chip.bytes[0x75] = 0x68
    chip.bytes[0x6B] = 0x40
    chip.onWrite = { register, value in register == 0x6B && value & 0x80 != 0 ? 0x40 : nil }
    return chip
  }

  /// Steps until nothing was logged for `count` steps, letting the requested time pass in between.
  private func run(
    _ driver: inout MPU6050<FakeBus>, _ chip: FakeChip, steps: Int, _ event: Event = .due
  ) throws -> [NextStep] {
    var wakes: [NextStep] = []
    var batch = RawBatch()
    for _ in 0..<steps {
      batch.removeAll()
      let wake = try driver.step(event, into: &batch)
      chip.spend(wake)
      wakes.append(wake)
    }
    return wakes
  }

  @Test func `a start by queue is typed byte by byte`() throws {
    let chip = chip()
    var driver = MPU6050(FakeBus(chip: chip))
    let settings = try driver.configure(
      SensorSettings(
        rate: 200, accelerationRange: 4, rotationRateRange: radians(fromDegrees: 500),
        acquisition: .fifo))
    #expect(settings.rate == 200)
    driver.start()
    let wakes = try run(&driver, chip, steps: 4)
    #expect(
      chip.log == [
        "R 75 1", "W 6B C0",  // identity, then DEVICE_RESET
        "R 6B 1", "W 6B 01",  // reset over: awake, PLL of the X gyroscope
        // Divider 4 (1000 / 5), filter 2 (98 Hz), 500 deg/s, 4 g, pulses, no interrupt.
        "W 6B 01", "W 6C 00", "W 19 04", "W 1A 02", "W 1B 08", "W 1C 08", "W 37 00", "W 38 00",
        "R 6B 1", "R 6C 1", "R 19 1", "R 1A 1", "R 1B 1", "R 1C 1", "R 37 1", "R 38 1",
        // FIFO_RST while FIFO_EN is clear, then temperature, gyroscope and accelerometer into the
        // FIFO.
        "W 23 00", "W 6A 00", "W 6A 04", "W 6A 40", "W 23 F8", "R 3A 1",
      ])
    // 100 ms after the reset, 20 ms to wake, 70 ms for the gyroscope, then a batch after 10 ms less
    // half a period.
    #expect(
      wakes == [
        .after(.milliseconds(100)), .after(.milliseconds(20)), .after(.milliseconds(70)),
        .after(.microseconds(7500)),
      ])
  }

  @Test(arguments: [
    (1000.0, 2.0, 250.0, UInt8(0), UInt8(1), UInt8(0x00), UInt8(0x00)),
    (500, 4, 500, 1, 1, 0x08, 0x08),
    (333, 8, 1000, 2, 2, 0x10, 0x10),
    (100, 16, 2000, 9, 3, 0x18, 0x18),
    (50, 16, 2000, 19, 4, 0x18, 0x18),
    (20, 2, 250, 49, 5, 0x00, 0x00),
    (3.91, 2, 250, 254, 6, 0x00, 0x00),
  ])
  func `each range and rate is written as its registers`(
    rate: Double, g: Double, degreesPerSecond: Double, divider: UInt8, filter: UInt8, gyro: UInt8,
    accel: UInt8
  ) throws {
    let chip = chip()
    var driver = MPU6050(FakeBus(chip: chip))
    _ = try driver.configure(
      SensorSettings(
        rate: rate, accelerationRange: g,
        rotationRateRange: radians(fromDegrees: degreesPerSecond), acquisition: .polling))
    driver.start()
    _ = try run(&driver, chip, steps: 4)
    #expect(chip.bytes[0x19] == divider)
    #expect(chip.bytes[0x1A] == filter)
    #expect(chip.bytes[0x1B] == gyro)
    #expect(chip.bytes[0x1C] == accel)
    #expect(chip.bytes[0x38] == 0x01)
  }

  @Test(arguments: [0, -5, 1001, Double.nan, .infinity])
  func `what no chip can do is refused`(rate: Double) {
    var driver = MPU6050(FakeBus(chip: chip()))
    #expect(throws: ChipError.unsupportedSetting) {
      _ = try driver.configure(SensorSettings(rate: rate))
    }
  }

  @Test func `an edge is answered by one burst, and is the sample's time`() throws {
    let chip = chip()
    var driver = MPU6050(FakeBus(chip: chip))
    _ = try driver.configure(
      SensorSettings(
        rate: 100, accelerationRange: 2, rotationRateRange: radians(fromDegrees: 250),
        acquisition: .dataReady))
    driver.start()
    _ = try run(&driver, chip, steps: 4)
    // +1 g, -1 g, +0.5 g; 36.53 + 340/340 degrees; 1 and -2 deg/s and full scale.
    let frame: [UInt8] = [
      0x40, 0x00, 0xC0, 0x00, 0x20, 0x00, 0x01, 0x54, 0x00, 0x83, 0xFE, 0xFA, 0x80, 0x00,
    ]
    for (index, byte) in frame.enumerated() { chip.bytes[0x3B + index] = byte }
    chip.log = []
    var batch = RawBatch()
    // After the start, whose old samples are discarded.
    chip.now = chip.now + .milliseconds(1)
    let edge = chip.now - .microseconds(70)
    _ = try driver.step(Event(edges: 1, edgeTime: edge), into: &batch)
    #expect(chip.log.first == "R 3A 15")
    #expect(batch.frames == 1)
    #expect(batch.timestamp(ofFrame: 0) == edge)
    let reading = driver.decode(batch, frame: 0)
    #expect(reading.specificForce == Vector3(1, -1, 0.5))
    #expect(abs(reading.temperature - 37.53) < 1e-12)
    #expect(abs(degrees(fromRadians: reading.rotationRate.x) - 1) < 1e-12)
    #expect(abs(degrees(fromRadians: reading.rotationRate.y) + 2) < 1e-12)
    #expect(abs(degrees(fromRadians: reading.rotationRate.z) + 32768.0 / 131) < 1e-9)
  }

  @Test func `the queue is read in whole frames, and times run evenly to the count`() throws {
    let chip = chip()
    var driver = MPU6050(FakeBus(chip: chip))
    _ = try driver.configure(SensorSettings(rate: 1000, acquisition: .fifo))
    driver.start()
    _ = try run(&driver, chip, steps: 4)
    // 47 bytes are three frames of 14 and part of a fourth.
    chip.bytes[0x72] = 0
    chip.bytes[0x73] = 47
    chip.log = []
    var batch = RawBatch()
    _ = try driver.step(.due, into: &batch)
    #expect(chip.log.prefix(2) == ["R 72 2", "R 74 42"])
    #expect(batch.frames == 3)
    #expect(batch.timestamp(ofFrame: 2) <= chip.now)
    #expect(chip.now - batch.timestamp(ofFrame: 2) <= .milliseconds(1))
    #expect(batch.timestamp(ofFrame: 2) - batch.timestamp(ofFrame: 0) == .milliseconds(2))
  }

  @Test func `a queue near its end is emptied, not read`() throws {
    let chip = chip()
    var driver = MPU6050(FakeBus(chip: chip))
    _ = try driver.configure(SensorSettings(rate: 1000, acquisition: .fifo))
    driver.start()
    _ = try run(&driver, chip, steps: 4)
    chip.bytes[0x72] = 0x04
    chip.bytes[0x73] = 0x00
    chip.log = []
    var batch = RawBatch()
    _ = try driver.step(.due, into: &batch)
    #expect(batch.frames == 0)
    #expect(driver.health.overflows == 1)
    #expect(try driver.step(.due, into: &batch) != .never)
    #expect(
      chip.log.prefix(6) == ["R 72 2", "W 23 00", "W 6A 00", "W 6A 04", "W 6A 40", "W 23 F8"])
  }

  @Test func `a stranger's identity is named`() throws {
    let chip = chip()
    chip.bytes[0x75] = 0x72
    var driver = MPU6050(FakeBus(chip: chip))
    driver.start()
    #expect(throws: ChipError.identity(found: 0x72, register: 0x75)) {
      _ = try run(&driver, chip, steps: 1)
    }
  }

  @Test func `a reset that never ends is given up after a second`() throws {
    let chip = chip()
    chip.onWrite = { _, _ in nil }
    var driver = MPU6050(FakeBus(chip: chip))
    driver.start()
    let begin = chip.now
    #expect(throws: ChipError.resetTimedOut) { _ = try run(&driver, chip, steps: 200) }
    #expect(chip.now - begin <= .milliseconds(1100))
  }

  @Test func `a transaction that fails is named, counted, and followed by a new start`() throws {
    // The number of transactions in `a start by queue is typed byte by byte`, plus the first read.
    for index in 0..<31 {
      let chip = chip()
      chip.failure = (index, .noAcknowledge)
      var driver = MPU6050(FakeBus(chip: chip))
      _ = try driver.configure(SensorSettings(rate: 200, acquisition: .fifo))
      driver.start()
      var batch = RawBatch()
      var failed = 0
      for _ in 0..<12 {
        do {
          chip.spend(try driver.step(.due, into: &batch))
        } catch {
          failed += 1
          #expect(error.busError == .noAcknowledge)
        }
      }
      #expect(failed == 1, "transaction \(index)")
      #expect(driver.health.busErrors == 1)
      chip.bytes[0x73] = 28
      batch.removeAll()
      _ = try driver.step(.due, into: &batch)
      #expect(batch.frames == 2, "transaction \(index)")
    }
  }

  @Test func `a setting that another program changes is set again`() throws {
    let chip = chip()
    var driver = MPU6050(FakeBus(chip: chip))
    _ = try driver.configure(SensorSettings(rate: 200, acquisition: .fifo))
    driver.start()
    _ = try run(&driver, chip, steps: 4)
    chip.bytes[0x1C] = 0x18
    var batch = RawBatch()
    var noticed = false
    // Eight configuration lines are compared, one every 0.1 s.
    let end = chip.now + .seconds(1)
    while chip.now < end {
      do {
        chip.spend(try driver.step(.due, into: &batch))
      } catch {
        #expect(error == .rejected(register: 0x1C, wrote: 0x08, readBack: 0x18))
        noticed = true
      }
    }
    #expect(noticed)
    #expect(driver.health.misconfigurations == 1)
    #expect(chip.bytes[0x1C] == 0x08)
  }

  @Test func `stopping puts the chip to sleep, even after an error`() throws {
    let chip = chip()
    var driver = MPU6050(FakeBus(chip: chip))
    driver.start()
    try driver.stop()
    #expect(chip.log.last == "W 6B 40")
    var batch = RawBatch()
    #expect(try driver.step(.due, into: &batch) == .never)
  }
}
