// SPDX-License-Identifier: Apache-2.0
import Simulation
import ChipCatalog
import Quantities
import Registers
import Sensors
import Boards
import Testing

/// Registers and bytes are typed by hand from the vendor's documents.
@Suite struct BMI160ConfigurationTests {
  private func configure(_ settings: SensorSettings) throws -> SensorSettings {
    try BMI160Rig(settings).settings
  }

  /// At 100 Hz the bandwidth of the normal filters is 40.5 Hz for the accelerometer and 39.9 Hz for
  /// the gyroscope, a half and a quarter with 2 and 4 times oversampling (section 2.4). Filter code
  /// 2 is normal, 1 and 0 are these.
  @Test(
    arguments: [
      (nil, 39.9, 0x28, 0x28), (1000, 39.9, 0x28, 0x28), (39.9, 39.9, 0x28, 0x28),
      (39, 19.95, 0x18, 0x18), (20, 19.95, 0x18, 0x18), (12, 9.975, 0x08, 0x08),
      (1, 9.975, 0x08, 0x08),
    ] as [(Double?, Double, UInt8, UInt8)])
  func `each bandwidth chooses its filter`(
    _ wanted: Double?, _ chosen: Double, _ accel: UInt8, _ gyro: UInt8
  ) throws {
    let rig = try BMI160Rig(SensorSettings(rate: 100, bandwidth: wanted))
    #expect(abs((rig.settings.bandwidth ?? 0) - chosen) < 1e-9)
    rig.run(.milliseconds(200))
    #expect(rig.port.log.contains(.write(0x40, accel)))
    #expect(rig.port.log.contains(.write(0x42, gyro)))
    #expect(rig.model.read(0x40) == accel)
    #expect(rig.model.read(0x42) == gyro)
  }

  @Test func `each rate has its widest bandwidth`() throws {
    let table: [(Double, Double)] = [
      (25, 10.12), (50, 20.25), (100, 39.9), (200, 74.6), (400, 136.6), (800, 254.6),
      (1600, 523.9),
    ]
    for (rate, cutoff) in table {
      #expect(try configure(SensorSettings(rate: rate)).bandwidth == cutoff)
    }
  }

  /// In low power, bit 7 of ACC_CONF is set, the average is 2^code samples of 1600 Hz, shorter than
  /// a period, the last command is 0x12, and the gyroscope is never started.
  @Test(
    arguments: [(100, 0xA8, 182), (200, 0xA9, 182), (400, 0x9A, 400), (800, 0x8B, 684)]
      as [(Double, UInt8, Double)])
  func `low power has its rate, its average and no gyroscope`(
    _ rate: Double, _ accel: UInt8, _ bandwidth: Double
  ) throws {
    for way in [Acquisition.fifo, .dataReady, .polling] {
      var settings = SensorSettings(rate: rate, acquisition: way)
      settings.power = .low
      let rig = try BMI160Rig(settings)
      #expect(rig.settings.power == .low)
      #expect(rig.settings.bandwidth == bandwidth)
      rig.run(.seconds(2))
      let log = rig.port.log
      #expect(log.contains(.write(0x40, accel)))
      #expect(!log.contains(.write(0x7E, 0x15)))
      // The power mode command is written after the register table.
      let command = try #require(log.firstIndex(of: .write(0x7E, 0x12)))
      #expect(
        try #require(
          log.firstIndex(of: .write(0x51, way == .dataReady ? 0x10 : way == .fifo ? 0x40 : 0x00)))
          < command)
      #expect(rig.model.read(0x03) == 0x20)
      #expect(rig.errors == [])
      #expect(rig.missing == 0)
      #expect(Double(rig.samples.count) > 1.9 * rate)
      #expect(rig.driver.channels == [.acceleration, .temperature])
      for sample in rig.samples {
        #expect(!sample.channels.contains(.rotationRate))
        #expect(sample.rotationRate == .zero)
        #expect(abs(sample.acceleration.x + 0.25) < 0.001)
        #expect(abs(sample.acceleration.y - 0.5) < 0.001)
        #expect(abs(sample.acceleration.z - 0.75) < 0.001)
      }
      // Without the gyroscope the temperature is updated every 1.28 s.
      let last = try #require(rig.samples.last)
      #expect(last.channels == [.acceleration, .temperature])
      #expect(abs(last.temperature - 18.5) < 0.002)
      switch way {
      // The FIFO has headers and only the accelerometer.
      case .fifo: #expect(log.contains(.write(0x47, 0x50)))
      default: #expect(log.last == .read(0x12, 16) || log.contains(.read(0x12, 16)))
      }
    }
  }

  /// At 1600 Hz there is no time to sleep between samples, so the accelerometer stays in normal
  /// mode.
  @Test func `low power at the highest rate is the accelerometer alone, awake`() throws {
    var settings = SensorSettings(rate: 1600, acquisition: .fifo)
    settings.power = .low
    let rig = try BMI160Rig(settings)
    rig.run(.seconds(1))
    #expect(rig.model.read(0x40) == 0x2C)
    #expect(rig.model.read(0x03) == 0x10)
    #expect(rig.samples.count > 1500)
    #expect(rig.missing == 0)
  }

  /// In low power the chip ignores a write within 450 us of the previous one; the model does the
  /// same.
  @Test func `low power keeps its commands`() throws {
    var settings = SensorSettings(rate: 400, acquisition: .fifo)
    settings.power = .low
    let rig = try BMI160Rig(settings)
    rig.run(.milliseconds(500))
    rig.model.advance(to: rig.clock.now)
    #expect(rig.model.read(0x02) == 0)
    // After a stall that is longer than the FIFO can count, sampling continues.
    let before = rig.unaccounted(frameSize: 7)
    rig.clock.advance(to: rig.clock.now + .milliseconds(1500))
    rig.run(.seconds(1))
    #expect(rig.unaccounted(frameSize: 7) == before)
    #expect(rig.model.read(0x02) == 0)
    #expect(rig.errors == [])
  }

  /// INT_OUT_CTRL 0x53: output 0x08, open drain 0x04, active high 0x02; INT2 uses the upper four
  /// bits. INT_MAP[1] 0x56: data-ready 0x80, watermark 0x40; for INT2 0x08 and 0x04.
  @Test(
    arguments: [
      (1, false, false, 0x0A), (1, true, false, 0x08), (1, false, true, 0x0E),
      (1, true, true, 0x0C), (2, false, false, 0xA0), (2, true, true, 0xC0),
    ] as [(UInt8, Bool, Bool, UInt8)])
  func `each pin has its level, its drive and its sources`(
    _ number: UInt8, _ isActiveLow: Bool, _ isOpenDrain: Bool, _ control: UInt8
  ) throws {
    for way in [Acquisition.fifo, .dataReady] {
      var settings = SensorSettings(rate: 200, acquisition: way)
      settings.interruptPin = InterruptPin(
        number: number, isActiveLow: isActiveLow, isOpenDrain: isOpenDrain)
      let rig = try BMI160Rig(settings)
      #expect(rig.settings.interruptPin == settings.interruptPin)
      rig.run(.seconds(1))
      #expect(rig.port.log.contains(.write(0x53, control)))
      #expect(rig.model.read(0x56) == (number == 2 ? 0x0F : 0xF0) & (way == .fifo ? 0x44 : 0x88))
      #expect(rig.model.isActiveLow == isActiveLow)
      #expect(rig.driver.health.missedInterrupts == 0)
      #expect(rig.samples.count > 170)
      #expect(rig.missing == 0)
      // The other pin has no edges.
      #expect(rig.model.takeEdges(of: 3 - number).count == 0)
      #expect(rig.model.nextEdge(of: 3 - number) == nil)
      #expect(rig.model.nextEdge(of: number) != nil)
    }
  }

  @Test(arguments: [0, 3, 255] as [UInt8])
  func `a pin that the chip lacks is refused`(_ number: UInt8) throws {
    var settings = SensorSettings()
    settings.interruptPin.number = number
    #expect(throws: ChipError.unsupportedSetting) { try BMI160Rig(settings) }
  }

  @Test func `relatives and clones are taken by their identities`() throws {
    let entry = try #require(ChipCatalog.entry(named: "bosch,bmi160"))
    #expect(entry.description.identity.supported == [0xD1, 0xD3])
    #expect(entry.description.hasSelfTest)
    #expect(entry.description.interruptPins == 2)
    #expect(entry.description.acquisitions.contains(.detections))
    let rig = try BMI160Rig(SensorSettings(rate: 200))
    rig.port.bend = { register, bytes in if register == 0x00 { bytes[0] = 0xD3 } }
    rig.run(.milliseconds(500))
    #expect(rig.errors == [])
    #expect(rig.driver.identity == 0xD3)
    #expect(!rig.samples.isEmpty)
    // A clone with another identity is treated as a BMI160.
    var settings = SensorSettings(rate: 200)
    settings.assumedIdentity = 0xD1
    let clone = try BMI160Rig(settings)
    clone.port.bend = { register, bytes in if register == 0x00 { bytes[0] = 0x42 } }
    clone.run(.milliseconds(500))
    #expect(clone.driver.identity == 0x42)
    #expect(!clone.samples.isEmpty)
  }
}
