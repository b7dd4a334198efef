// SPDX-License-Identifier: Apache-2.0
import Simulation
import Boards
import ChipCatalog
import Chips
import Quantities
import Registers
import Runtime
import Sensors
import Testing

private let fast = SensorSettings(
  rate: 1600, accelerationRange: 2, rotationRateRange: radians(fromDegrees: 2000),
  acquisition: .fifo, batchInterval: .milliseconds(20))

@Suite struct BMI160RegisterTests {
  /// Address, reset value, mask of defined bits and access, from the drivers of the vendor, Linux
  /// and ChromiumOS.
  static let list = """
    0x00 0xD1 0xFF r; 0x02 0x00 0xDF r; 0x03 0x00 0x3F r; 0x04 0x00 0xFF r;
    0x05 0x00 0xFF r; 0x06 0x00 0xFF r; 0x07 0x00 0xFF r; 0x08 0x00 0xFF r;
    0x09 0x00 0xFF r; 0x0A 0x00 0xFF r; 0x0B 0x00 0xFF r; 0x0C 0x00 0xFF r;
    0x0D 0x00 0xFF r; 0x0E 0x00 0xFF r; 0x0F 0x00 0xFF r; 0x10 0x00 0xFF r;
    0x11 0x00 0xFF r; 0x12 0x00 0xFF r; 0x13 0x00 0xFF r; 0x14 0x00 0xFF r;
    0x15 0x00 0xFF r; 0x16 0x00 0xFF r; 0x17 0x00 0xFF r; 0x18 0x00 0xFF r;
    0x19 0x00 0xFF r; 0x1A 0x00 0xFF r; 0x1B 0x01 0xFE r; 0x1C 0x00 0xFF r;
    0x1D 0x00 0xFC r; 0x1E 0x00 0xFF r; 0x1F 0x00 0xFF r; 0x20 0x00 0xFF r;
    0x21 0x80 0xFF r; 0x22 0x00 0xFF r; 0x23 0x00 0x07 r; 0x24 nil 0xFF r;
    0x40 0x28 0xFF rw; 0x41 0x03 0x0F rw; 0x42 0x28 0x3F rw; 0x43 0x00 0x07 rw;
    0x44 0x0B 0x0F rw; 0x45 0x88 0xFF rw; 0x46 0x80 0xFF rw; 0x47 0x10 0xFE rw;
    0x4B 0x20 0xFE rw; 0x4C 0x80 0xBF rw; 0x4D 0x42 0xFF rw; 0x4E 0x4C 0xFF rw;
    0x4F 0x00 0xFF rw; 0x50 0x00 0xF7 rw; 0x51 0x00 0x7F rw; 0x52 0x00 0x0F rw;
    0x53 0x00 0xFF rw; 0x54 0x00 0x3F rw; 0x55 0x00 0xFF rw; 0x56 0x00 0xFF rw;
    0x57 0x00 0xFF rw; 0x58 0x00 0x88 rw; 0x59 0x00 0x80 rw; 0x5A 0x07 0xFF rw;
    0x5B 0x30 0xFF rw; 0x5C 0x81 0xC7 rw; 0x5D 0x0B 0xFF rw; 0x5E 0xC0 0xFF rw;
    0x5F 0x00 0xFF rw; 0x60 0x14 0xFF rw; 0x61 0x14 0xFF rw; 0x62 0x24 0x3F rw;
    0x63 0x04 0xC7 rw; 0x64 0x0A 0x1F rw; 0x65 0x18 0xFF rw; 0x66 0x48 0xFF rw;
    0x67 0x08 0x3F rw; 0x68 0x11 0x37 rw; 0x69 0x00 0x7F rw; 0x6A 0x00 0x02 rw;
    0x6B 0x00 0x31 rw; 0x6C 0x00 0x7F rw; 0x6D 0x00 0x1F rw; 0x70 nil 0xF7 rw;
    0x71 0x00 0xFF rw; 0x72 0x00 0xFF rw; 0x73 0x00 0xFF rw; 0x74 0x00 0xFF rw;
    0x75 0x00 0xFF rw; 0x76 0x00 0xFF rw; 0x77 0x00 0xFF rw; 0x78 0x00 0xFF r;
    0x79 0x00 0xFF r; 0x7A 0x15 0xFF rw; 0x7B 0x03 0x0F rw; 0x7E 0x03 0xFF w;
    """

  @Test func `the map is the list of the data sheet`() {
    let rows = RegisterRow.rows(of: BMI160Map()).map { row in
      let hex = { (value: UInt16) in
        let digits = String(value, radix: 16, uppercase: true)
        return "0x" + (digits.count == 1 ? "0" : "") + digits
      }
      let mask = row.fields.reduce(0) { $0 | $1.mask }
      let access = (row.isReadable ? "r" : "") + (row.isWritable ? "w" : "")
      return "\(hex(UInt16(row.address))) \(row.reset.map(hex) ?? "nil") \(hex(mask)) \(access)"
    }
    let expected = Self.list.split(whereSeparator: { ";\n".contains($0) })
      .map { $0.drop(while: { $0 == " " }) }.filter { !$0.isEmpty }.map { String($0) }
    #expect(rows == expected)
  }

  @Test func `no fields overlap`() {
    for row in RegisterRow.rows(of: BMI160Map()) {
      var seen: UInt16 = 0
      for field in row.fields {
        #expect(seen & field.mask == 0, "\(row.name).\(field.name)")
        seen |= field.mask
      }
    }
  }
}

@Suite struct BMI160StartTests {
  /// The order and values are Bosch's: 100 Hz is code 8, 4 g is 5, 500 dps is 2. Two frames of 13
  /// bytes give a watermark of 25 / 4.
  @Test(arguments: [Wire.spi, .i2c])
  func `a start is Bosch's transactions byte by byte`(_ wire: Wire) throws {
    let rig = try BMI160Rig(
      SensorSettings(rate: 100, acquisition: .fifo, batchInterval: .milliseconds(20)), wire: wire)
    rig.run(.milliseconds(150))
    let table: [(UInt8, UInt8)] = [
      (0x40, 0x28), (0x41, 0x05), (0x42, 0x28), (0x43, 0x02), (0x45, 0x88), (0x46, 0x06),
      (0x47, 0xD0), (0x53, 0x0A), (0x54, 0x00), (0x56, 0x40), (0x51, 0x40),
    ]
    let start: [WireTransaction] =
      [
        .read(0x7F, 1), .read(0x00, 1), .write(0x7E, 0xB6), .read(0x7F, 1), .read(0x00, 1),
        .read(0x03, 1), .write(0x7E, 0x11), .read(0x03, 1), .write(0x7E, 0x15), .read(0x03, 1),
      ]
      + table.map { .write($0.0, $0.1) } + table.map { .read($0.0, 1) }
      + [.read(0x02, 1), .read(0x20, 2), .write(0x7E, 0xB0)]
    #expect(Array(rig.port.log.prefix(start.count)) == start)
    #expect(rig.port.log.dropFirst(start.count).first == .read(0x22, 2))
    #expect(rig.errors == [])
  }

  @Test func `data-ready has its pin, and a sample is one read`() throws {
    let rig = try BMI160Rig(SensorSettings(rate: 100, acquisition: .dataReady))
    rig.run(.milliseconds(200))
    #expect(rig.port.log.contains(.write(0x51, 0x10)))
    #expect(rig.port.log.contains(.write(0x56, 0x80)))
    #expect(rig.port.log.contains(.write(0x47, 0x10)))
    // A sample is one read, from the gyroscope to the temperature.
    #expect(rig.port.log.last == .read(0x0C, 22))
  }

  @Test func `a stranger is an error and never written to`() throws {
    let rig = try BMI160Rig(fast)
    rig.port.bend = { register, bytes in if register == 0x00 { bytes[0] = 0x68 } }
    rig.run(.milliseconds(200))
    #expect(rig.errors.count > 3)
    #expect(rig.errors.allSatisfy { $0 == .identity(found: 0x68, register: 0x00) })
    // Nothing is written to a chip with an unknown identity.
    #expect(
      rig.port.log.allSatisfy { if case .read = $0 { true } else { false } })
    rig.port.bend = { _, _ in }
    rig.run(.seconds(3))
    #expect(rig.samples.count > 1000)
  }

  @Test(arguments: [Wire.spi, .i2c])
  func `an absent chip is an error until it is there`(_ wire: Wire) throws {
    let rig = try BMI160Rig(fast, wire: wire)
    rig.port.isAbsent = true
    rig.run(.milliseconds(300))
    #expect(rig.errors.count > 3)
    #expect(rig.errors.allSatisfy { $0 == .bus(.noAcknowledge, register: 0x7F) })
    #expect(rig.samples.isEmpty)
    rig.port.isAbsent = false
    rig.run(.seconds(2))
    #expect(!rig.samples.isEmpty)
  }

  @Test func `a reset that never ends is given up`() throws {
    let rig = try BMI160Rig(fast)
    var polls = 0
    rig.port.bend = { register, bytes in
      guard register == 0x00 else { return }
      polls += 1
      if polls > 1 { bytes[0] = 0x00 }
    }
    rig.run(.milliseconds(250))
    #expect(rig.errors.first == .resetTimedOut)
    // 1 ms and 40 times 5 ms are 41 polls in 0.2 s.
    #expect(polls >= 42)
    rig.port.bend = { _, _ in }
    rig.run(.seconds(1))
    #expect(!rig.samples.isEmpty)
  }

  @Test func `a gyroscope that never starts is an error`() throws {
    let rig = try BMI160Rig(fast)
    rig.port.bend = { register, bytes in if register == 0x03 { bytes[0] &= 0x30 } }
    rig.run(.milliseconds(320))
    #expect(rig.errors.first == .unexpected(register: 0x03, wanted: 0x04, found: 0x10))
  }

  @Test func `a chip that minds a setting is an error`() throws {
    let rig = try BMI160Rig(fast)
    rig.port.bend = { register, bytes in if register == 0x02 { bytes[0] = 0x40 } }
    rig.run(.milliseconds(120))
    #expect(rig.errors.first == .unexpected(register: 0x02, wanted: 0, found: 0x40))
    // Only the magnetometer's flag is set, which is ignored.
    rig.port.bend = { register, bytes in if register == 0x02 { bytes[0] = 0x80 } }
    rig.run(.seconds(1))
    #expect(!rig.samples.isEmpty)
  }

  @Test(.sweep, arguments: [Acquisition.dataReady, .fifo, .polling])
  func `an error at each transaction is got over`(_ way: Acquisition) throws {
    for index in 0..<60 {
      let rig = try BMI160Rig(SensorSettings(rate: 200, acquisition: way), wire: .i2c)
      rig.port.failing = index
      rig.run(.seconds(1))
      // One of these errors is not reported: after its reset the chip may not respond.
      #expect(rig.errors.count == (index == 3 ? 0 : 1), "transaction \(index)")
      #expect(rig.samples.count > 120, "transaction \(index)")
      #expect(rig.isStrictlyIncreasing)
      #expect(rig.samples.allSatisfy { abs($0.acceleration.y - 0.5) < 0.001 })
    }
  }

  @Test func `a stop suspends the chip`() throws {
    let rig = try BMI160Rig(fast)
    rig.run(.milliseconds(300))
    #expect(rig.model.read(0x03) == 0x14)
    #expect(rig.stop() == nil)
    #expect(rig.port.log.last == .write(0x7E, 0xB6))
    rig.model.advance(to: rig.clock.now + .milliseconds(1))
    #expect(rig.model.read(0x03) == 0x00)
  }

  @Test func `settings beyond the chip are refused`() throws {
    let entry = try #require(ChipCatalog.entry(named: "bosch,bmi160"))
    let rig = try BMI160Rig(fast)
    #expect(entry.description.rates == [1600, 800, 400, 200, 100, 50, 25])
    for rate in [0, -1, .nan, .infinity, 3200] {
      #expect(throws: ChipError.unsupportedSetting) {
        try rig.driver.configure(SensorSettings(rate: rate))
      }
    }
    for range in [0, -2, .nan, 17] {
      #expect(throws: ChipError.unsupportedSetting) {
        try rig.driver.configure(SensorSettings(accelerationRange: range))
      }
      #expect(throws: ChipError.unsupportedSetting) {
        try rig.driver.configure(SensorSettings(rotationRateRange: range * 40))
      }
    }
  }
}

@Suite struct BMI160SampleTests {
  /// The codes and sensitivities of the data sheet.
  static let rates: [(hertz: Double, code: UInt8)] = [
    (25, 6), (50, 7), (100, 8), (200, 9), (400, 10), (800, 11), (1600, 12),
  ]
  static let accelRanges: [(g: Double, code: UInt8, countsPerG: Double)] = [
    (2, 0x3, 16384), (4, 0x5, 8192), (8, 0x8, 4096), (16, 0xC, 2048),
  ]
  static let gyroRanges: [(dps: Double, code: UInt8, countsPerDPS: Double)] = [
    (125, 4, 262.4), (250, 3, 131.2), (500, 2, 65.6), (1000, 1, 32.8), (2000, 0, 16.4),
  ]

  @Test(.sweep, arguments: [Acquisition.dataReady, .fifo, .polling], [Wire.i2c, .spi])
  func `every rate goes with every range`(_ way: Acquisition, _ wire: Wire) throws {
    for (index, rate) in Self.rates.enumerated() {
      // 22 bytes per sample at 400 kHz are too slow for 1600 Hz from registers.
      if wire == .i2c, way != .fifo, rate.hertz > 800 { continue }
      for accel in Self.accelRanges {
        // Test all pairs of ranges at 400 Hz, and one gyroscope range with every other rate.
        for gyro in Self.gyroRanges
        where rate.hertz == 400 || gyro.dps == Self.gyroRanges[index % 5].dps {
          let rig = try BMI160Rig(
            SensorSettings(
              rate: rate.hertz, accelerationRange: accel.g,
              rotationRateRange: radians(fromDegrees: gyro.dps), acquisition: way), wire: wire)
          #expect(rig.settings.rate == rate.hertz)
          rig.run(.milliseconds(500))
          #expect(rig.model.read(0x40) == 0x20 | rate.code)
          #expect(rig.model.read(0x41) == accel.code)
          #expect(rig.model.read(0x42) == 0x20 | rate.code)
          #expect(rig.model.read(0x43) == gyro.code)
          #expect(rig.errors == [])
          #expect(rig.missing == 0)
          // The start takes 0.09 s and two periods, and the last batch is still in the chip.
          let least = 0.4 * rate.hertz - 3 - 0.02 * rate.hertz
          #expect(Double(rig.samples.count) > least, "\(rate.hertz) Hz")
          #expect(Double(rig.samples.count) < 0.42 * rate.hertz)
          let sample = try #require(rig.samples.last)
          let half = 0.5000001 / accel.countsPerG
          #expect(abs(sample.acceleration.x + 0.25) <= half)
          #expect(abs(sample.acceleration.y - 0.5) <= half)
          #expect(abs(sample.acceleration.z - 0.75) <= half)
          let step = radians(fromDegrees: 0.5000001 / gyro.countsPerDPS)
          #expect(abs(sample.rotationRate.x + 1) <= step)
          #expect(abs(sample.rotationRate.y - 0.5) <= step)
          #expect(abs(sample.rotationRate.z - 1.5) <= step)
          #expect(sample.channels.contains(.temperature))
          #expect(abs(sample.temperature - 18.5) <= 1.0 / 1024)
        }
      }
    }
  }

  @Test(arguments: [Acquisition.fifo, .polling])
  func `a sweep comes out as it went in, within half a count`(_ way: Acquisition) throws {
    let rig = try BMI160Rig(
      SensorSettings(
        rate: 400, accelerationRange: 4, rotationRateRange: radians(fromDegrees: 250),
        acquisition: way))
    rig.run(.milliseconds(150))
    for step in -10...10 {
      let part = Double(step) / 10
      rig.world.held.specificForce = Vector3(3.9, -3.9, 1.1) * part
      rig.world.held.rotationRate = Vector3(-4.3, 4.3, 0.01) * part
      rig.world.held.temperature = 23 + 62 * part
      rig.run(.milliseconds(400))
      let sample = try #require(rig.samples.last)
      let g = 0.5000001 / 8192
      #expect(abs(sample.acceleration.x + 3.9 * part) <= g)
      #expect(abs(sample.acceleration.y - 3.9 * part) <= g)
      #expect(abs(sample.acceleration.z + 1.1 * part) <= g)
      let turn = radians(fromDegrees: 0.5000001 / 131.2)
      #expect(abs(sample.rotationRate.x + 4.3 * part) <= turn)
      #expect(abs(sample.rotationRate.y - 4.3 * part) <= turn)
      #expect(abs(sample.rotationRate.z - 0.01 * part) <= turn)
      #expect(abs(sample.temperature - 23 - 62 * part) <= 1.0 / 1024)
    }
  }

  @Test func `a frame decodes as worked out by hand`() {
    var batch = RawBatch()
    batch.frames = 1
    batch.frameSize = 13
    for (index, code) in [UInt8](arrayLiteral: 0x05, 0x04, 0x00, 0xFE, 0x00, 0x01).enumerated() {
      batch.format[index] = code
    }
    let bytes: [UInt8] = [
      0x8C, 0x06, 0x01, 0xFA, 0xFE, 0x00, 0x80, 0x00, 0x20, 0x00, 0xE0, 0xFF, 0xFF,
    ]
    for (index, byte) in bytes.enumerated() { batch.bytes[index] = byte }
    let reading = BMI160Decoder.decode(batch, frame: 0)
    // 0x0106 is 262 counts, at 262.4 counts per degree per second.
    #expect(abs(degrees(fromRadians: reading.rotationRate.x) - 262 / 262.4) < 1e-12)
    #expect(abs(degrees(fromRadians: reading.rotationRate.y) + 262 / 262.4) < 1e-12)
    #expect(abs(degrees(fromRadians: reading.rotationRate.z) + 32768 / 262.4) < 1e-9)
    #expect(reading.specificForce == Vector3(1, -1, -1.0 / 8192))
    // 0xFE00 is -512 counts, one degree below 23.
    #expect(reading.temperature == 22)
    batch.format[3] = 0x80
    batch.format[4] = 0x00
    let cold = BMI160Decoder.decode(batch, frame: 0)
    #expect(cold.channels == [.acceleration, .rotationRate])
  }
}
