// SPDX-License-Identifier: Apache-2.0
public import Registers
public import Sensors

/// The one part of its family. The magnetometers of the HMC5983 and the LSM303DLHC say the same.
public enum HMC5883LPart: UInt8, ChipPart {
  case hmc5883l = 0x48

  public static var expected: HMC5883LPart { .hmc5883l }
}

/// The codes that the driver writes into the chip's registers.
public struct HMC5883LConfiguration: ChipCodes {
  public var rate = HMC5883LMap.Rate.hz75
  public var averaging = HMC5883LMap.Averaging.samples8
  public var gain = HMC5883LMap.Gain.mG8100
  public var acquisition = Acquisition.polling
  public var assumedIdentity: UInt8?

  public init() {}

  public var part: HMC5883LPart { .hmc5883l }

  public var abilities: DriverAbilities { DriverAbilities(acquisition) }

  public func isPossible(isSPI: Bool) -> Bool {
    !isSPI && (acquisition == .dataReady || acquisition == .polling)
  }

  public func makeClock() -> SampleClock { SampleClock(rate: rate.hertz) }

  /// The slowest rate that is not slower than asked; what the chip does not have is written back.
  public init(nearest settings: inout SensorSettings, of part: HMC5883LPart, isSPI: Bool) {
    rate = .smallest(holding: settings.rate, orElse: rate) { $0.hertz }
    if settings.power == .low { averaging = .samples1 }
    gain = .smallest(holding: settings.magneticFieldRange, orElse: gain) { $0.microtesla }
    // The chip has one pin, which falls for 250 us: a line that is said to rise hears its end.
    if settings.interruptPin.number == 1, settings.acquisition == .dataReady {
      acquisition = .dataReady
    }
    assumedIdentity = settings.assumedIdentity
    settings.rate = rate.hertz
    settings.bandwidth = rate.hertz / 2
    settings.magneticFieldRange = gain.microtesla
    settings.acquisition = acquisition
    settings.interruptPin = InterruptPin(isActiveLow: true)
    settings.passesThrough = false
    settings.detection.kinds = []
  }

  public init?(checking settings: inout SensorSettings, of part: HMC5883LPart, isSPI: Bool) {
    guard settings.acquisition != .detections, settings.rate > 0, settings.rate <= 75.1,
      settings.magneticFieldRange > 0, settings.magneticFieldRange <= 810.8
    else { return nil }
    self.init(nearest: &settings, of: part, isSPI: isSPI)
  }

  /// The chip measures when it is told: its own rate stands there for those who look.
  func line(_ index: Int) -> RegisterValue? {
    let map = HMC5883LMap()
    switch index {
    case 0: return RegisterValue(map.configurationA) { $0.averaging(averaging) | $0.rate(rate) }
    case 1: return RegisterValue(map.configurationB) { $0(gain) }
    default: return nil
    }
  }
}
