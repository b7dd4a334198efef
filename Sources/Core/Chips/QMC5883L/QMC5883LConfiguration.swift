// SPDX-License-Identifier: Apache-2.0
public import Registers
public import Sensors

/// The only part of its family.
public typealias QMC5883LPart = SinglePart<0xFF>

/// The codes that the driver writes into the chip's registers.
public struct QMC5883LConfiguration: ListedCodes {
  public var rate = QMC5883LMap.Rate.hz200
  public var oversampling = QMC5883LMap.Oversampling.samples512
  public var fullScale = QMC5883LMap.FullScale.gauss8
  public var readout = ReadoutMode.polling

  public init() {}

  public func isPossible(isSPI: Bool) -> Bool {
    !isSPI && (acquisition == .dataReady || acquisition == .polling)
  }

  public func makeClock() -> SampleClock { SampleClock(rate: rate.hertz, tolerance: 0.1) }

  public static func limits(of part: QMC5883LPart, power: PowerMode) -> SettingLimits {
    SettingLimits(rate: 200, microtesla: 800, ways: [.dataReady, .polling])
  }

  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    rate.chooseSmallest(holding: &settings.rate) { $0.hertz }
    if power == .low { oversampling = .samples64 }
    fullScale.chooseSmallest(holding: &settings.magneticFieldRange) { $0.microtesla }
    settings.bandwidth = rate.hertz / 2
    // The data-ready pin is active high (RIOT's driver waits for a rising edge).
    readout.takeLine(&settings, InterruptPin(), where: interruptPin == InterruptPin())
  }

  /// Returns the register write at `index` of the configuration sequence; `nil` after the last
  /// write, which starts conversions.
  public func row(_ index: Int) -> RegisterValue? {
    let map = QMC5883LMap()
    switch index {
    // Section 9.2.5 recommends this set/reset period.
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
