// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

/// The one part of its family.
public enum HTS221Part: UInt8, ChipPart {
  case hts221 = 0xBC

  public static var expected: HTS221Part { .hts221 }
}

/// The codes that the driver writes into the chip's registers. `HTS221.configure` finds them from
/// physical settings; firmware whose settings never change names them, and then nothing that
/// searches is linked.
public struct HTS221Configuration: ChipCodes {
  public let rate: HTS221Map.Rate
  public let acquisition: Acquisition
  /// Low power averages as little as there is, and leaves the chip alone for longer.
  public let power: PowerMode
  public let interruptPin: InterruptPin
  /// The identity to go by instead of the one that the chip gives.
  public let assumedIdentity: UInt8?

  /// Creates a configuration of codes as they stand in the registers (ST DocID026333 revision 4,
  /// section 7).
  ///
  /// - Parameters:
  ///   - rate: Samples per second, the ODR bits of CTRL_REG1; not `oneShot`.
  ///   - acquisition: `dataReady` or `polling`: the chip has no queue.
  ///   - power: `normal` averages as after a reset, 32 conversions of humidity and 16 of
  ///     temperature, `low` 4 and 2.
  ///   - interruptPin: The way in which DRDY drives its line.
  ///   - assumedIdentity: For a clone that says something else than 0xBC.
  @inline(__always)
  public init(
    rate: HTS221Map.Rate, acquisition: Acquisition, power: PowerMode = .normal,
    interruptPin: InterruptPin = InterruptPin(), assumedIdentity: UInt8? = nil
  ) {
    self.rate = rate
    self.acquisition = acquisition
    self.power = power
    self.interruptPin = interruptPin
    self.assumedIdentity = assumedIdentity
  }

  public var part: HTS221Part { .hts221 }

  @inline(__always)
  public func isPossible(isSPI: Bool) -> Bool {
    rate != .oneShot && (acquisition == .dataReady || acquisition == .polling)
      && interruptPin.number == 1
  }

  @inline(__always)
  public var abilities: DriverAbilities {
    DriverAbilities(acquisition).union(power == .low ? .lowPower : [])
  }

  public func makeClock() -> SampleClock { SampleClock(rate: rate.hertz, tolerance: 0.1) }

  /// Returns line `index` of the configuration; `nil` past the last, which starts conversions.
  /// Block update: a word's bytes are of one sample.
  func line(_ index: Int) -> RegisterValue? {
    let map = HTS221Map()
    return switch index {
    case 0:
      RegisterValue(map.average) {
        $0.temperature(power == .low ? 0 : 3) | $0.humidity(power == .low ? 0 : 3)
      }
    case 1:
      RegisterValue(map.control3) {
        $0.activeLow(interruptPin.isActiveLow) | $0.openDrain(interruptPin.isOpenDrain)
          | $0.dataReady(acquisition == .dataReady)
      }
    case 2:
      RegisterValue(map.control1) { $0.isActive(true) | $0.blockUpdate(true) | $0.rate(rate) }
    default: nil
    }
  }
}

// Physical settings turned into what the chip has.
extension HTS221Configuration {
  /// Creates the codes nearest to `settings`, which become what the chip really has.
  public init(nearest settings: inout SensorSettings, of part: HTS221Part, isSPI: Bool) {
    let rate: HTS221Map.Rate = .smallest(holding: max(settings.rate, 1), orElse: .hz12_5) {
      $0.hertz
    }
    settings.rate = rate.hertz
    settings.bandwidth = rate.hertz / 2
    // There is no queue on this chip, no bus behind it, and nothing that it detects.
    if settings.acquisition == .fifo { settings.acquisition = .polling }
    settings.passesThrough = false
    settings.detection.kinds = []
    self.init(
      rate: rate, acquisition: settings.acquisition, power: settings.power,
      interruptPin: settings.interruptPin, assumedIdentity: settings.assumedIdentity)
  }

  /// Creates the codes; `nil` where a rate is not positive and finite or beyond the chip, or the
  /// pin is not its own.
  public init?(checking settings: inout SensorSettings, of part: HTS221Part, isSPI: Bool) {
    guard settings.acquisition != .detections, settings.interruptPin.number == 1,
      settings.rate > 0, settings.rate <= 12.5 * 1.001
    else { return nil }
    self.init(nearest: &settings, of: part, isSPI: isSPI)
  }
}
