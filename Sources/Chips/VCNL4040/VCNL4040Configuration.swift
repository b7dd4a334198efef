// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The one part of its family: the low byte of its identity. (The high one counts versions.)
public enum VCNL4040Part: UInt8, ChipPart {
  case vcnl4040 = 0x86

  public static var expected: VCNL4040Part { .vcnl4040 }
}

/// The rate of measurements, and the codes that the driver writes into the chip.
public struct VCNL4040Configuration: ChipCodes {
  /// Measurements a second, 1/60 to 10.
  public var rate: Scalar
  /// Of light: the range follows from it. A period has room for a quarter more.
  public var integrationTime: VCNL4040Map.IntegrationTime
  /// The identity to go by instead of the one that the chip gives.
  public var assumedIdentity: UInt8?

  public init(rate: Scalar, integrationTime: VCNL4040Map.IntegrationTime) {
    self.rate = rate
    self.integrationTime = integrationTime
  }

  /// Creates the codes nearest to `settings`, which become what the chip has: the longest
  /// integration time that fits into a period and does not overflow in the light that is asked for.
  public init(nearest settings: inout SensorSettings, of part: VCNL4040Part, isSPI: Bool) {
    var time = VCNL4040Map.IntegrationTime.ms80
    settings.rate = min(max(settings.rate, VCNL4040Chip.slowest), time.hertz)
    for longer in VCNL4040Map.IntegrationTime.allCases
    where longer.hertz >= settings.rate * 0.999
      && longer.range >= settings.illuminanceRange * 0.999
    {
      time = longer
    }
    settings.illuminanceRange = time.range
    settings.bandwidth = settings.rate / 2
    // No queue, no data-ready pin, no bus behind it. Its pin tells of thresholds, which are not
    // used.
    settings.acquisition = .polling
    settings.interruptPin = InterruptPin()
    settings.passesThrough = false
    settings.detection.kinds = []
    self.init(rate: settings.rate, integrationTime: time)
    assumedIdentity = settings.assumedIdentity
  }

  /// Creates the codes; `nil` where a rate or range is not positive and finite, or beyond the chip.
  public init?(checking settings: inout SensorSettings, of part: VCNL4040Part, isSPI: Bool) {
    let shortest = VCNL4040Map.IntegrationTime.ms80
    guard settings.acquisition != .detections, settings.rate > 0,
      settings.rate <= shortest.hertz * 1.001, settings.illuminanceRange > 0,
      settings.illuminanceRange <= shortest.range * 1.001
    else { return nil }
    self.init(nearest: &settings, of: part, isSPI: isSPI)
  }

  public var part: VCNL4040Part { .vcnl4040 }
  public var acquisition: Acquisition { .polling }
  public var abilities: DriverAbilities { .polling }

  public func isPossible(isSPI: Bool) -> Bool {
    !isSPI && rate >= VCNL4040Chip.slowest && rate <= integrationTime.hertz
  }

  public func makeClock() -> SampleClock { SampleClock(rate: rate, tolerance: 0.01) }

  /// Returns line `index` of the configuration; `nil` past the last. The first is never as after a
  /// power failure. There is no reset: the cancellation may be what another program left.
  func line(_ index: Int) -> WideValue? {
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
