// SPDX-License-Identifier: Apache-2.0
public import Registers
public import Sensors

/// The only part of its family.
public typealias QMC5883PPart = SinglePart<0x80>

/// The codes that the driver writes into the chip's registers.
public struct QMC5883PConfiguration: ListedCodes {
  public var rate = QMC5883PMap.Rate.hz200
  public var oversampling = QMC5883PMap.Oversampling.samples8
  public var downsampling = QMC5883PMap.Downsampling.samples8
  public var fullScale = QMC5883PMap.FullScale.gauss30
  public var readout = ReadoutMode.polling

  public init() {}

  public func isPossible(isSPI: Bool) -> Bool { !isSPI && acquisition == .polling }

  public func makeClock() -> SampleClock { SampleClock(rate: rate.hertz, tolerance: 0.1) }

  public static func limits(of part: QMC5883PPart, power: PowerMode) -> SettingLimits {
    SettingLimits(rate: 200, microtesla: 3000, ways: .polling)
  }

  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    rate.chooseSmallest(holding: &settings.rate) { $0.hertz }
    if power == .low {
      oversampling = .samples1
      downsampling = .samples1
    }
    fullScale.chooseSmallest(holding: &settings.magneticFieldRange) { $0.microtesla }
    settings.bandwidth = rate.hertz / 2
  }

  /// Returns the register write at `index` of the configuration sequence; `nil` after the last
  /// write, which starts conversions. The last write always changes the reset value of its
  /// register. Code 0 of SET/RESET renews the offset during measurements (table 18).
  public func row(_ index: Int) -> RegisterValue? {
    let map = QMC5883PMap()
    switch index {
    case 0: return RegisterValue(map.control2) { $0.fullScale(fullScale) }
    case 1:
      return RegisterValue(map.control1) {
        $0.downsampling(downsampling) | $0.oversampling(oversampling) | $0.rate(rate)
          | $0.mode(.normal)
      }
    default: return nil
    }
  }
}
