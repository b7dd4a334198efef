// SPDX-License-Identifier: Apache-2.0
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Boards
import Testing

@Suite struct MPU6050SettingsTests {
  struct Row: Sendable {
    var rate: Double
    var divider: UInt8
    var filter: UInt8
  }

  /// The sample rate is 1 kHz / (1 + SMPLRT_DIV); the filter is at most half of it (sections 4.2
  /// and 4.3).
  static let rows = [
    Row(rate: 1000, divider: 0, filter: 1), Row(rate: 500, divider: 1, filter: 1),
    Row(rate: 333, divider: 2, filter: 2), Row(rate: 200, divider: 4, filter: 2),
    Row(rate: 100, divider: 9, filter: 3), Row(rate: 50, divider: 19, filter: 4),
    Row(rate: 25, divider: 39, filter: 5), Row(rate: 10, divider: 99, filter: 6),
    Row(rate: 4, divider: 249, filter: 6), Row(rate: 1, divider: 255, filter: 6),
  ]
  static let scales: [(g: Double, dps: Double, byte: UInt8)] = [
    (2, 250, 0x00), (4, 500, 0x08), (8, 1000, 0x10), (16, 2000, 0x18),
  ]

  @Test(arguments: rows) func `each rate and range is written as its registers`(row: Row) throws {
    for accel in Self.scales {
      for gyro in Self.scales {
        let rig = Rig(at: 0x68, WireFormat()) { MPU6050Model($0) }
        var driver = MPU6050(rig.wire())
        let taken = try driver.configure(
          SensorSettings(
            rate: row.rate, accelerationRange: accel.g,
            rotationRateRange: radians(fromDegrees: gyro.dps), acquisition: .polling))
        #expect(taken.rate == 1000 / Double(Int(row.divider) + 1))
        #expect(taken.accelerationRange == accel.g)
        #expect(taken.rotationRateRange == radians(fromDegrees: gyro.dps))
        driver.start()
        _ = rig.run(&driver, for: .milliseconds(192))
        #expect(rig.model.read(0x19) == row.divider)
        #expect(rig.model.read(0x1A) == row.filter)
        #expect(rig.model.read(0x1B) == gyro.byte)
        #expect(rig.model.read(0x1C) == accel.byte)
        #expect(rig.model.read(0x38) == 0x01)
      }
    }
  }

  /// The driver accepts every rate that it offers.
  @Test func `offered rates are taken`() throws {
    let rig = Rig(at: 0x68, WireFormat()) { MPU6050Model($0) }
    var driver = MPU6050(rig.wire())
    var count = 0
    while let rate = driver.rate(at: count) {
      #expect(try driver.configure(SensorSettings(rate: rate)).rate == rate)
      count += 1
    }
    #expect(count == 256)
  }

  @Test func `ranges are offered`() {
    let rig = Rig(at: 0x68, WireFormat()) { MPU6050Model($0) }
    let driver = MPU6050(rig.wire())
    let accel = (0...4).map { driver.range(of: .acceleration, at: $0) }
    #expect(accel == [2, 4, 8, 16, nil])
    let gyro = (0...4).map { driver.range(of: .rotationRate, at: $0) }
    #expect(gyro == [250, 500, 1000, 2000].map { $0 * (Double.pi / 180) } + [nil])
    let field = driver.range(of: .magneticField, at: 0)
    #expect(field == nil)
  }

  static let unsupported: [SensorSettings] = [
    SensorSettings(rate: 0), SensorSettings(rate: -1), SensorSettings(rate: .nan),
    SensorSettings(rate: .infinity), SensorSettings(rate: 1100),
    SensorSettings(accelerationRange: 0), SensorSettings(accelerationRange: .nan),
    SensorSettings(accelerationRange: 17), SensorSettings(accelerationRange: -.infinity),
    SensorSettings(rotationRateRange: 0), SensorSettings(rotationRateRange: 36),
    SensorSettings(rotationRateRange: .infinity), SensorSettings(rotationRateRange: .nan),
  ]

  @Test(arguments: unsupported) func `unsupported settings are refused`(settings: SensorSettings) {
    let rig = Rig(at: 0x68, WireFormat()) { MPU6050Model($0) }
    var driver = MPU6050(rig.wire())
    do throws(ChipError) {
      _ = try driver.configure(settings)
      Issue.record("taken")
    } catch { #expect(error == .unsupportedSetting) }
  }

  @Test func `extreme but legal settings are taken`() throws {
    let rig = Rig(at: 0x68, WireFormat()) { MPU6050Model($0) }
    var driver = MPU6050(rig.wire())
    let slow = try driver.configure(SensorSettings(rate: .leastNonzeroMagnitude))
    #expect(slow.rate == 3.90625)
    let narrow = try driver.configure(SensorSettings(bandwidth: 0))
    #expect(narrow.bandwidth == 5)
    let wide = try driver.configure(SensorSettings(bandwidth: 1e9))
    #expect(wide.bandwidth == 188)
    #expect(try driver.configure(SensorSettings(bandwidth: .infinity)).bandwidth == 188)
  }

  /// 73 frames fill the FIFO; a longer batch could never be read completely.
  @Test func `a batch fits into the queue`() throws {
    let rig = Rig(at: 0x68, WireFormat()) { MPU6050Model($0) }
    var driver = MPU6050(rig.wire())
    let taken = try driver.configure(
      SensorSettings(rate: 1000, acquisition: .fifo, batchInterval: .seconds(1)))
    #expect(taken.batchInterval >= .milliseconds(30) && taken.batchInterval <= .milliseconds(69))
    driver.start()
    let outcome = rig.run(&driver, for: .seconds(2))
    let health = driver.health
    #expect(health.overflows == 0)
    #expect(outcome.frames.count > 1650)
  }

  /// `configure` takes effect at the next `start`; until then frames are decoded with the old
  /// settings.
  @Test func `configuring while running changes nothing yet`() throws {
    let rig = Rig(at: 0x68, WireFormat()) { MPU6050Model($0) }
    rig.world.held.specificForce = Vector3(0, 0, 1)
    var driver = MPU6050(rig.wire())
    _ = try driver.configure(SensorSettings(rate: 100, accelerationRange: 4))
    driver.start()
    _ = rig.run(&driver, for: .milliseconds(500))
    _ = try driver.configure(SensorSettings(rate: 200, accelerationRange: 16))
    let outcome = rig.run(&driver, for: .seconds(2))
    #expect(outcome.errors == [])
    #expect(outcome.frames.count >= 198)
    #expect(outcome.frames.allSatisfy { $0.reading.specificForce.z == 1 })
    driver.start()
    _ = rig.run(&driver, for: .seconds(1))
    #expect(rig.model.read(0x1C) == 0x18 && rig.model.read(0x19) == 4)
  }
}
