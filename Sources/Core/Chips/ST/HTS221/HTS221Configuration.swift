// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

/// The only part of its family.
public typealias HTS221Part = SinglePart<0xBC>

/// The register codes of the driver's settings. `HTS221.configure` finds the codes for physical
/// settings. Firmware with fixed settings specifies the codes directly, so that the search is not
/// linked into it.
public struct HTS221Configuration: ListedCodes {
  /// The output data rate: ODR of CTRL_REG1. `oneShot` is not allowed.
  public var rate = HTS221Map.Rate.hz12_5
  /// The readout mode. In low power the chip averages the fewest conversions, 4 for humidity and 2
  /// for temperature instead of 32 and 16, and the driver verifies the chip less often.
  public var readout = ReadoutMode.polling

  public init() {}

  @inline(__always)
  public func isPossible(isSPI: Bool) -> Bool {
    rate != .oneShot && (acquisition == .dataReady || acquisition == .polling)
      && interruptPin.number == 1
  }

  public func makeClock() -> SampleClock { SampleClock(rate: rate.hertz, tolerance: 0.1) }

  public static func limits(of part: HTS221Part, power: PowerMode) -> SettingLimits {
    SettingLimits(rate: 12.5, pins: 1, ways: [.dataReady, .polling])
  }

  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    settings.rate = max(settings.rate, 1)
    rate.chooseSmallest(holding: &settings.rate) { $0.hertz }
    settings.bandwidth = rate.hertz / 2
  }

  /// Returns the register write at `index` of the configuration sequence; `nil` after the last
  /// write, which starts conversions. Block update ensures that the two bytes of a word come from
  /// one sample.
  public func row(_ index: Int) -> RegisterValue? {
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
    case 2: RegisterValue(map.control1) { $0.isActive(true) | $0.blockUpdate(true) | $0.rate(rate) }
    default: nil
    }
  }
}
