// SPDX-License-Identifier: Apache-2.0
public import Registers
public import Sensors

/// The one part of its family.
public enum QMC5883LPart: UInt8, ChipPart {
  case qmc5883l = 0xFF

  public static var expected: QMC5883LPart { .qmc5883l }
}

/// The codes that the driver writes into the chip's registers.
public struct QMC5883LConfiguration: ChipCodes {
  public var rate = QMC5883LMap.Rate.hz200
  public var oversampling = QMC5883LMap.Oversampling.samples512
  public var fullScale = QMC5883LMap.FullScale.gauss8
  public var acquisition = Acquisition.polling
  public var assumedIdentity: UInt8?

  public init() {}

  public var part: QMC5883LPart { .qmc5883l }

  public var abilities: DriverAbilities { DriverAbilities(acquisition) }

  public func isPossible(isSPI: Bool) -> Bool {
    !isSPI && (acquisition == .dataReady || acquisition == .polling)
  }

  public func makeClock() -> SampleClock { SampleClock(rate: rate.hertz, tolerance: 0.1) }

  /// The slowest rate that is not slower than asked; what the chip does not have is written back.
  public init(nearest settings: inout SensorSettings, of part: QMC5883LPart, isSPI: Bool) {
    rate = .smallest(holding: settings.rate, orElse: rate) { $0.hertz }
    if settings.power == .low { oversampling = .samples64 }
    fullScale = .smallest(holding: settings.magneticFieldRange, orElse: fullScale) {
      $0.microtesla
    }
    // The pin rises (RIOT's driver waits for that).
    let pin = InterruptPin()
    if settings.interruptPin == pin, settings.acquisition == .dataReady { acquisition = .dataReady }
    assumedIdentity = settings.assumedIdentity
    settings.acquisition = acquisition
    settings.rate = rate.hertz
    settings.bandwidth = rate.hertz / 2
    settings.magneticFieldRange = fullScale.microtesla
    settings.interruptPin = pin
    settings.passesThrough = false
    settings.detection.kinds = []
  }

  public init?(checking settings: inout SensorSettings, of part: QMC5883LPart, isSPI: Bool) {
    guard settings.acquisition != .detections, settings.rate > 0, settings.rate <= 200.2,
      settings.magneticFieldRange > 0, settings.magneticFieldRange <= 800.8
    else { return nil }
    self.init(nearest: &settings, of: part, isSPI: isSPI)
  }

  /// Returns line `index` of the configuration; `nil` past the last, which starts conversions.
  func line(_ index: Int) -> RegisterValue? {
    let map = QMC5883LMap()
    switch index {
    // What the sheet recommends, section 9.2.5.
    case 0: return RegisterValue(map.setResetPeriod) { $0.value(0x01) }
    case 1: return RegisterValue(map.control2) { $0.pinDisable(acquisition != .dataReady) }
    case 2:
      return RegisterValue(map.control1) {
        $0.oversampling(oversampling) | $0.fullScale(fullScale) | $0.rate(rate)
          | $0.mode(.continuous)
      }
    default: return nil
    }
  }
}
