// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The only part of its family, identified by the low byte of the identity word. (The high byte is
/// the version.)
public typealias VCNL4040Part = SinglePart<0x86>

/// The measurement rate, and the codes that the driver writes into the chip.
public struct VCNL4040Configuration: ListedCodes {
  /// The rate in Hz at which the driver starts measurements, 1/60 to 10.
  public var rate: Scalar = 10
  /// The integration time of the light sensor, which determines the range. The sample period must
  /// be at least a quarter longer than the integration time.
  public var integrationTime = VCNL4040Map.IntegrationTime.ms80
  public var readout = ReadoutMode.polling

  public init() {}

  public static func limits(of part: VCNL4040Part, power: PowerMode) -> SettingLimits {
    let shortest = VCNL4040Map.IntegrationTime.ms80
    return SettingLimits(rate: shortest.hertz, lux: shortest.range, ways: .polling)
  }

  /// Chooses the longest integration time that fits into a period and covers the requested range.
  /// (The chip's pin signals only thresholds, so the driver does not use the pin.)
  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    settings.rate = min(max(settings.rate, VCNL4040Chip.slowest), integrationTime.hertz)
    for longer in VCNL4040Map.IntegrationTime.allCases
    where longer.hertz >= settings.rate * 0.999 && longer.range >= settings.illuminanceRange * 0.999
    { integrationTime = longer }
    rate = settings.rate
    settings.illuminanceRange = integrationTime.range
    settings.bandwidth = rate / 2
  }

  public func isPossible(isSPI: Bool) -> Bool {
    !isSPI && acquisition == .polling && rate >= VCNL4040Chip.slowest
      && rate <= integrationTime.hertz
  }

  public func makeClock() -> SampleClock { SampleClock(rate: rate, tolerance: 0.01) }

  /// Returns the register write at `index` of the configuration sequence; `nil` after the last
  /// write. The first write changes the value that its register has after a power failure. The
  /// proximity cancellation is cleared too, because another program may have set it and the chip
  /// has no reset command.
  public func row(_ index: Int) -> WideValue? {
    let map = VCNL4040Map()
    return switch index {
    case 0: WideValue(map.proximityConfiguration) { $0.has16Bits(true) | $0.pulse(.x8) }
    case 1: proximityMode(triggered: false)
    case 2: ambient(isOff: true)
    case 3: WideValue(map.cancellation) { $0.value(0) }
    default: nil
    }
  }

  func ambient(isOff: Bool) -> WideValue {
    WideValue(VCNL4040Map().ambientConfiguration) {
      $0.integrationTime(integrationTime) | $0.isOff(isOff)
    }
  }

  func proximityMode(triggered: Bool) -> WideValue {
    WideValue(VCNL4040Map().proximityMode) {
      $0.whiteOff(true) | $0.current(.mA200) | $0.isForced(true) | $0.trigger(triggered)
    }
  }
}
