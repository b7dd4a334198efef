// SPDX-License-Identifier: Apache-2.0
public import Registers
public import Sensors

/// The only part of its family. The magnetometers of the HMC5983 and LSM303DLHC have the same
/// identity.
public typealias HMC5883LPart = SinglePart<0x48>

/// The codes that the driver writes into the chip's registers.
public struct HMC5883LConfiguration: ListedCodes {
  public var rate = HMC5883LMap.Rate.hz75
  public var averaging = HMC5883LMap.Averaging.samples8
  public var gain = HMC5883LMap.Gain.mG8100
  public var readout = ReadoutMode.polling

  public init() {}

  public func isPossible(isSPI: Bool) -> Bool {
    !isSPI && (acquisition == .dataReady || acquisition == .polling)
  }

  public func makeClock() -> SampleClock { SampleClock(rate: rate.hertz) }

  public static func limits(of part: HMC5883LPart, power: PowerMode) -> SettingLimits {
    SettingLimits(rate: 75, microtesla: 810, ways: [.dataReady, .polling])
  }

  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    rate.chooseSmallest(holding: &settings.rate) { $0.hertz }
    if power == .low { averaging = .samples1 }
    gain.chooseSmallest(holding: &settings.magneticFieldRange) { $0.microtesla }
    settings.bandwidth = rate.hertz / 2
    // The chip's only pin goes low for 250 us. A line configured as active high detects the end of
    // that pulse.
    readout.takeLine(&settings, InterruptPin(isActiveLow: true), where: interruptPin.number == 1)
  }

  /// Returns the register write at `index` of the configuration sequence. In single-measurement
  /// mode the rate field has no effect; the field is set so that a register dump shows the rate.
  public func row(_ index: Int) -> RegisterValue? {
    let map = HMC5883LMap()
    switch index {
    case 0: return RegisterValue(map.configurationA) { $0.averaging(averaging) | $0.rate(rate) }
    case 1: return RegisterValue(map.configurationB) { $0(gain) }
    default: return nil
    }
  }
}
