// SPDX-License-Identifier: Apache-2.0
internal import Quantities
public import Registers
public import Sensors

/// The only part of its family.
public typealias HTS221Part = SinglePart<0xBC>

/// The register codes of the driver's settings. `HTS221.configure` finds the codes for physical
/// settings; firmware with fixed settings names the codes, and then no code that searches for them
/// is linked.
public struct HTS221Configuration: ListedCodes {
  /// ODR of CTRL_REG1; not `oneShot`.
  public var rate = HTS221Map.Rate.hz12_5
  /// Low power averages the fewest conversions, 4 of humidity and 2 of temperature instead of 32
  /// and 16, and the driver verifies the chip less often.
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
    rate.fit(&settings.rate) { $0.hertz }
    settings.bandwidth = rate.hertz / 2
  }

  /// Returns row `index` of the configuration; `nil` past the last, which starts conversions. Block
  /// update keeps a word's bytes from one sample.
  public func line(_ index: Int) -> RegisterValue? {
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
