// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// Facts about the EX1 that are known without a part.
extension EX1Chip {
  /// Register addresses advance automatically in a burst.
  public static var wireFormat: WireFormat { WireFormat() }
  /// The only range, in microtesla.
  public static var range: Scalar { 800 }
  public static var countsPerMicrotesla: Scalar { 40 }

  /// The fastest first.
  public static func rate(at index: Int, of codes: EX1Configuration) -> Scalar? {
    (0...3).contains(index) ? EX1Map.Rate(rawValue: UInt8(3 - index))?.hertz : nil
  }
}

/// The only part of its family.
public typealias EX1Part = SinglePart<0xE1>

/// The codes that the driver writes to the chip.
public struct EX1Configuration: ListedCodes {
  public var rate = EX1Map.Rate.hz200
  public var readout = ReadoutMode.polling

  public init() {}

  public func isPossible(isSPI: Bool) -> Bool { !isSPI && acquisition == .polling }

  public func makeClock() -> SampleClock { SampleClock(rate: rate.hertz, tolerance: 0.1) }

  public static func limits(of part: EX1Part, power: PowerMode) -> SettingLimits {
    SettingLimits(rate: 200, microtesla: EX1Chip.range, ways: .polling)
  }

  /// Sets the settings that the chip lacks to what it does.
  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    rate.chooseSmallest(holding: &settings.rate) { $0.hertz }
    settings.bandwidth = rate.hertz / 2
    settings.magneticFieldRange = EX1Chip.range
  }

  /// Returns the only line of the configuration, which starts conversions.
  public func row(_ index: Int) -> RegisterValue? {
    index == 0 ? RegisterValue(EX1Map().control) { $0.isRunning(true) | $0.rate(rate) } : nil
  }
}
