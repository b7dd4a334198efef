// SPDX-License-Identifier: Apache-2.0
public import Registers
public import Sensors

/// The only part of its family.
public typealias LIS2MDLPart = SinglePart<0x40>

/// The codes that the driver writes into the chip's registers.
public struct LIS2MDLConfiguration: ListedCodes {
  public var rate = LIS2MDLMap.Rate.hz100
  public var readout = ReadoutMode.polling
  var isStimulated = false

  public init() {}

  public func isPossible(isSPI: Bool) -> Bool {
    !isSPI && (acquisition == .dataReady || acquisition == .polling)
  }

  public func makeClock() -> SampleClock { SampleClock(rate: rate.hertz, tolerance: 0.1) }

  public static func limits(of part: LIS2MDLPart, power: PowerMode) -> SettingLimits {
    SettingLimits(rate: 100, microtesla: LIS2MDLChip.range, ways: [.dataReady, .polling])
  }

  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    rate.chooseSmallest(holding: &settings.rate) { $0.hertz }
    settings.magneticFieldRange = LIS2MDLChip.range
    // The low-pass filter is on (CFG_REG_B).
    settings.bandwidth = rate.hertz / 4
    // The data-ready signal is active high.
    readout.takeLine(&settings, InterruptPin(), where: interruptPin == InterruptPin())
  }

  /// Returns the register write at `index` of the configuration sequence; `nil` after the last
  /// write, which starts conversions. All writes change the reset values of their registers.
  public func row(_ index: Int) -> RegisterValue? {
    let map = LIS2MDLMap()
    switch index {
    // Offset cancellation and the low-pass filter both reduce the noise (AN5069, table 9).
    case 0: return RegisterValue(map.configB) { $0.cancelOffset(true) | $0.lowPass(true) }
    // Without block update the bytes of a word may come from two samples.
    case 1:
      return RegisterValue(map.configC) {
        $0.blockUpdate(true) | $0.selfTest(isStimulated)
          | $0.dataReadyOnPin(acquisition == .dataReady)
      }
    case 2:
      return RegisterValue(map.configA) {
        $0.temperatureCompensation(true) | $0.lowPower(power == .low) | $0.rate(rate)
          | $0.mode(.continuous)
      }
    default: return nil
    }
  }
}
