// SPDX-License-Identifier: Apache-2.0
import BusTesting
import ChipCatalog
import Chips
import Quantities
import Registers
import Sensors
import Boards
import Testing

private struct OnlyQueue: AbilityChoice {
  static var abilities: DriverAbilities { [.fifo, .verification] }
}
private struct OnlyEdges: AbilityChoice {
  static var abilities: DriverAbilities { [.dataReady, .verification] }
}
private struct OnlyPolls: AbilityChoice {
  static var abilities: DriverAbilities { [.polling, .verification] }
}

/// The complete history of a driver: its transactions and results.
private struct History: Equatable {
  var transactions: [Transaction] = []
  var times: [Timestamp] = []
  var missing: [UInt32] = []
  var readings: [ChipReading] = []
  var errors: [ChipError] = []
  var wakes: [NextStep] = []
  var health = Health()

  /// Starts the driver and runs it for 1.5 s; two transactions fail in between.
  static func of<Driver: SensorDriver & ~Copyable>(
    _ rig: Rig, _ make: (consuming RigBus) throws -> Driver
  ) throws -> History {
    var driver = try make(rig.wire(failingAt: 60..<62, throwing: .timeout))
    driver.start()
    let outcome = rig.run(&driver, for: .milliseconds(1500))
    return History(
      transactions: rig.log.transactions, times: outcome.frames.map(\.time),
      missing: outcome.frames.map(\.missing), readings: outcome.frames.map(\.reading),
      errors: outcome.errors, wakes: outcome.wakes, health: driver.health)
  }
}

/// Drivers configured by register codes, with all abilities and with few, compared with one
/// configured in physical units. The codes are typed from the data sheets.
@Suite struct FixedCodesTests {
  private func expect(_ histories: [History], like configured: History, frames: Int) {
    // The two bus errors are the only errors.
    #expect(configured.readings.count >= frames)
    #expect(configured.health.busErrors == 2 && configured.errors.count == 2)
    for history in histories { #expect(history == configured) }
  }

  private func bmi160() -> Rig {
    let rig = Rig(at: 0x69, WireFormat()) { BMI160Model($0, clockError: 0.01) }
    rig.world.held = ChipReading(channels: [.acceleration, .rotationRate, .temperature])
    rig.world.held.specificForce = Vector3(0.25, -0.5, 0.75)
    rig.world.held.rotationRate = Vector3(-1, 0.5, 1.5)
    rig.world.held.temperature = 18.5
    return rig
  }

  private func bmi160<Choice: AbilityChoice>(
    _ choice: Choice.Type, _ settings: SensorSettings, _ codes: BMI160Configuration, frames: Int
  ) throws {
    let configured = try History.of(bmi160()) { bus in
      var driver = BMI160(bus)
      _ = try driver.configure(settings)
      return driver
    }
    let named = try History.of(bmi160()) { bus in try BMI160(bus, configuration: codes) }
    let trimmed = try History.of(bmi160()) { bus in
      try BMI160(TrimmedConnection(bus, for: choice), configuration: codes)
    }
    expect([named, trimmed], like: configured, frames: frames)
  }

  /// 100 Hz, 4 g, 500 degrees per second, normal filter; ten frames are 100 ms.
  @Test func `a BMI160 of codes fills its queue as one that was configured`() throws {
    try bmi160(
      OnlyQueue.self,
      SensorSettings(
        rate: 100, accelerationRange: 4, rotationRateRange: radians(fromDegrees: 500),
        acquisition: .fifo, batchInterval: .milliseconds(100)),
      BMI160Configuration(ReadoutMode(.fifo, watermark: 10)) {
        $0.rate = .hz100
        $0.accelFullScale = .g4
        $0.gyroFullScale = .dps500
      },
      frames: 80)
  }

  /// 200 Hz, 16 g, 2000 degrees per second; a bandwidth of 38 Hz is the normal filter's 74.6 Hz
  /// divided by two. The line is falling.
  @Test func `a BMI160 of codes does at edges as one that was configured`() throws {
    var settings = SensorSettings(
      rate: 200, accelerationRange: 16, rotationRateRange: radians(fromDegrees: 2000),
      bandwidth: 38, acquisition: .dataReady)
    settings.interruptPin = InterruptPin(isActiveLow: true, isOpenDrain: true)
    try bmi160(
      OnlyEdges.self, settings,
      BMI160Configuration(
        ReadoutMode(
          .dataReady, watermark: 2, interruptPin: InterruptPin(isActiveLow: true, isOpenDrain: true)
        )
      ) {
        $0.rate = .hz200
        $0.accelFullScale = .g16
        $0.gyroFullScale = .dps2000
        $0.filter = .oversampled2
      },
      frames: 200)
  }

  @Test func `a BMI160 of codes is polled as one that was configured`() throws {
    try bmi160(
      OnlyPolls.self,
      SensorSettings(
        rate: 50, accelerationRange: 2, rotationRateRange: radians(fromDegrees: 125)),
      BMI160Configuration(.polling) {
        $0.rate = .hz50
        $0.accelFullScale = .g2
        $0.gyroFullScale = .dps125
      },
      frames: 40)
  }

  private func lis3mdl() -> Rig {
    let rig = Rig(at: 0x1C, WireFormat(i2cIncrement: 0x80, spiMultiple: 0x40)) {
      LIS3MDLModel($0, clockError: -0.02)
    }
    rig.world.held.magneticField = Vector3(20, -45, 399)
    rig.world.held.temperature = 31.5
    return rig
  }

  private func lis3mdl<Choice: AbilityChoice>(
    _ choice: Choice.Type, _ settings: SensorSettings, _ codes: LIS3MDLConfiguration, frames: Int
  ) throws {
    let configured = try History.of(lis3mdl()) { bus in
      var driver = LIS3MDL(bus)
      _ = try driver.configure(settings)
      return driver
    }
    let named = try History.of(lis3mdl()) { bus in try LIS3MDL(bus, configuration: codes) }
    let trimmed = try History.of(lis3mdl()) { bus in
      try LIS3MDL(TrimmedConnection(bus, for: choice), configuration: codes)
    }
    expect([named, trimmed], like: configured, frames: frames)
  }

  /// Up to 80 Hz the driver uses the highest performance; each faster rate has one performance.
  @Test func `a LIS3MDL of codes does as one that was configured`() throws {
    try lis3mdl(
      OnlyEdges.self,
      SensorSettings(rate: 80, magneticFieldRange: 400, acquisition: .dataReady),
      LIS3MDLConfiguration(.dataReady) {
        $0.rate = .hz80
        $0.performance = .ultraHigh
        $0.fullScale = .gauss4
      },
      frames: 90)
    try lis3mdl(
      OnlyPolls.self, SensorSettings(rate: 300, magneticFieldRange: 1600),
      LIS3MDLConfiguration(.polling) {
        $0.rate = nil
        $0.performance = .high
        $0.fullScale = .gauss16
      },
      frames: 250)
  }

  private func bmp280(_ part: BMP280Part = .bmp280) -> Rig {
    let rig = Rig(at: 0x76, WireFormat(spiImplied: 0x80, writesPairs: true)) {
      BMP280Model($0, part: part, clockError: 0.02)
    }
    rig.world.held = ChipReading(channels: [.pressure, .temperature, .humidity])
    rig.world.held.pressure = 98.7
    rig.world.held.temperature = -7.5
    rig.world.held.humidity = 61
    return rig
  }

  /// Temperature x 2, pressure x 16 and 0.5 ms take 44 ms: 22.7 Hz. Temperature x 1, pressure x 4
  /// and 0.5 ms take 12 ms: 83.3 Hz. Filter 4 has a bandwidth of 0.0461 of the rate, filter 2 of
  /// 0.115.
  @Test func `a BMP280 of codes does as one that was configured`() throws {
    let table: [(SensorSettings, BMP280Configuration, Int)] = [
      (
        SensorSettings(rate: 22, bandwidth: 2),
        BMP280Configuration(.polling) {
          $0.temperature = .x2
          $0.pressure = .x16
          $0.standby = .ms0_5
          $0.filter = .x4
        }, 25
      ),
      (
        SensorSettings(rate: 80, bandwidth: 10),
        BMP280Configuration(.polling) {
          $0.temperature = .x1
          $0.pressure = .x4
          $0.standby = .ms0_5
          $0.filter = .x2
        }, 90
      ),
    ]
    for (settings, codes, frames) in table {
      let configured = try History.of(bmp280()) { bus in
        var driver = BMP280(bus)
        _ = try driver.configure(settings)
        return driver
      }
      let named = try History.of(bmp280()) { bus in try BMP280(bus, configuration: codes) }
      let trimmed = try History.of(bmp280()) { bus in
        try BMP280(TrimmedConnection(bus, for: OnlyPolls.self), configuration: codes)
      }
      expect([named, trimmed], like: configured, frames: frames)
    }
  }

  /// A BME280, converted by the driver.
  @Test func `a BME280 of codes does as one that was configured`() throws {
    var settings = SensorSettings(rate: 40)
    settings.power = .low
    let configured = try History.of(bmp280(.bme280)) { bus in
      var driver = BMP280(bus, expecting: .bme280)
      _ = try driver.configure(settings)
      return driver
    }
    let named = try History.of(bmp280(.bme280)) { bus in
      try BMP280(
        bus,
        configuration: BMP280Configuration(.polling) {
          $0.part = .bme280
          $0.temperature = .x1
          $0.pressure = .x1
          $0.filter = .off
          $0.forcedRate = 40
        })
    }
    expect([named], like: configured, frames: 45)
  }

  /// Settings that the driver was built without, and settings that no chip has, are refused.
  @Test func `a setting that is not linked, or no chip has, is refused`() {
    func refuses(_ body: () throws(ChipError) -> Void) -> Bool {
      do throws(ChipError) { try body() } catch { return error == .unsupportedSetting }
      return false
    }
    let codes = BMI160Configuration(ReadoutMode(.fifo, watermark: 53)) {
      $0.rate = .hz100
      $0.accelFullScale = .g4
      $0.gyroFullScale = .dps500
    }
    #expect(
      refuses { () throws(ChipError) in _ = try BMI160(bmi160().wire(), configuration: codes) })
    let polled = BMI160Configuration(.polling) {
      $0.rate = .hz100
      $0.accelFullScale = .g4
      $0.gyroFullScale = .dps500
    }
    #expect(
      refuses { () throws(ChipError) in
        _ = try BMI160(
          TrimmedConnection(bmi160().wire(), for: OnlyQueue.self), configuration: polled)
      })
    #expect(
      refuses { () throws(ChipError) in
        var driver = BMI160(TrimmedConnection(bmi160().wire(), for: OnlyQueue.self))
        _ = try driver.configure(SensorSettings(acquisition: .polling))
      })
    #expect(
      refuses { () throws(ChipError) in
        var driver = BMI160(TrimmedConnection(bmi160().wire(), for: OnlyQueue.self))
        try driver.startSelfTest()
      })
    #expect(
      refuses { () throws(ChipError) in
        var settings = SensorSettings()
        settings.power = .low
        var driver = LIS3MDL(TrimmedConnection(lis3mdl().wire(), for: OnlyPolls.self))
        _ = try driver.configure(settings)
      })
    #expect(
      refuses { () throws(ChipError) in
        var driver = BMP280(TrimmedConnection(bmp280().wire(), for: OnlyPolls.self))
        _ = try driver.configure(SensorSettings(rate: 0.5))
      })
  }

  /// Without `relatives` the driver does not accept the identity of a BME280.
  @Test func `a driver without the relatives refuses a BME280`() throws {
    let rig = bmp280(.bme280)
    var driver = try BMP280(
      TrimmedConnection(rig.wire(), for: OnlyPolls.self),
      configuration: BMP280Configuration(.polling) {
        $0.temperature = .x2
        $0.pressure = .x16
        $0.filter = .off
      })
    driver.start()
    var batch = RawBatch()
    #expect(step(&driver, &batch) == .error(.identity(found: 0x60, register: 0xD0)))
  }
}
