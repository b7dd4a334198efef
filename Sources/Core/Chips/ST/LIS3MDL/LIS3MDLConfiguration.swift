// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The register codes of the driver's settings. `LIS3MDL.configure` finds the codes for physical
/// settings. Firmware with fixed settings names the codes itself, so that the search is not linked.
public struct LIS3MDLConfiguration: ListedCodes {
  /// The output data rate: DO of CTRL_REG1. `nil` sets FAST_ODR: 1000, 560, 300 or 155 Hz for the
  /// performances from `lowPower` to `ultraHigh`.
  public var rate: LIS3MDLMap.Rate?
  /// The performance mode of all axes: OM in CTRL_REG1, OMZ in CTRL_REG4.
  public var performance = LIS3MDLMap.Performance.lowPower
  /// The magnetometer's full scale: FS in CTRL_REG2.
  public var fullScale = LIS3MDLMap.FullScale.gauss16
  /// The readout mode. In low power the temperature is not measured, and the driver waits for up to
  /// two periods between steps.
  public var readout = ReadoutMode.polling
  var isStimulated = false
  /// The part of the family that the codes are for.
  public var part = LIS3MDLPart.lis3mdl

  public init() {}

  @inline(__always)
  public func isPossible(isSPI: Bool) -> Bool {
    acquisition == .dataReady || acquisition == .polling
  }

  @inline(__always)
  func isLow(with abilities: DriverAbilities) -> Bool {
    abilities.contains(.lowPower) && power == .low
  }

  @inline(__always)
  func measuresTemperature(with abilities: DriverAbilities) -> Bool {
    !isLow(with: abilities) && !(abilities.contains(.relatives) && part == .lsm9ds1)
  }

  public func makeClock() -> SampleClock { SampleClock(rate: hertz, tolerance: 0.1) }

  var hertz: Scalar { rate?.hertz ?? performance.fastHertz }

  public static func limits(of part: LIS3MDLPart, power: PowerMode) -> SettingLimits {
    SettingLimits(rate: 1000, microtesla: 1600, ways: [.dataReady, .polling])
  }

  /// Chooses the slowest rate that is at least the requested one. Up to 80 Hz every performance
  /// mode works with every rate: normal power uses the best mode, low power the mode with the
  /// fewest conversions. Above 80 Hz the performance mode determines the rate.
  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    if settings.rate * 0.999 > 80 {
      performance.round(to: &settings.rate) { $0.fastHertz }
    } else {
      rate = .smallest(holding: settings.rate, orElse: .hz80) { $0.hertz }
      if power == .normal { performance = .ultraHigh }
    }
    fullScale.round(to: &settings.magneticFieldRange) { $0.microtesla }
    // The data-ready pin is always pin 1, active high. Edges of a line that is configured otherwise
    // cannot be used.
    readout.takeLine(&settings, InterruptPin(), where: interruptPin == InterruptPin())
    settings.rate = hertz
    settings.bandwidth = hertz / 2
  }

  /// Returns row `index` of the configuration; `nil` after the last row, which starts conversions.
  /// The first, third and last rows always differ from their registers' reset values, so at least
  /// one of two consecutively verified rows detects a reset.
  public func line(_ index: Int) -> RegisterValue? {
    let map = LIS3MDLMap()
    switch index {
    case 0: return control1
    case 1: return RegisterValue(map.control2) { $0.fullScale(fullScale) }
    // Without block update the bytes of a word may come from two samples.
    case 2: return RegisterValue(map.control5) { $0.blockUpdate(true) }
    case 3: return RegisterValue(map.control4) { $0.performance(performance) }
    case 4:
      // The low-power bit sets 0.625 Hz whatever the rate field contains, and selects the fewest
      // conversions (CTRL_REG3, bit 5).
      return RegisterValue(map.control3) {
        $0.lowPower(performance == .lowPower && rate == .hz0_625) | $0.mode(.continuous)
      }
    default: return nil
    }
  }

  var control1: RegisterValue {
    RegisterValue(LIS3MDLMap().control1) {
      $0.temperatureEnable(power == .normal) | $0.performance(performance)
        | $0.rate(rate ?? .hz0_625) | $0.fastRate(rate == nil) | $0.selfTest(isStimulated)
    }
  }

  /// The number of samples between two reads of the temperature, which is read once a second.
  var temperatureInterval: Int {
    guard let rate else { return performance.fastHertzWhole }
    return max(1, 80 >> (7 &- Int(rate.rawValue)))
  }
}

/// The parts of the family. Both have the same identity, so only the board file distinguishes them.
public enum LIS3MDLPart: UInt8, CaseIterable, ChipPart {
  case lis3mdl
  /// The magnetometer of an LSM9DS1. Compared with the LIS3MDL its sensitivities differ, its
  /// temperature cannot be read, and it has a hardware offset, which is kept at 0. TEMP_EN enables
  /// its temperature compensation.
  case lsm9ds1

  public init?(identity: UInt8) {
    guard identity == 0x3D else { return nil }
    self = .lis3mdl
  }

  public func says(_ identity: UInt8) -> Bool { identity == 0x3D }

  public static var expected: LIS3MDLPart { .lis3mdl }
}

/// Constants of the LIS3MDL that do not depend on a driver's state.
extension LIS3MDLChip {
  public static var channels: ChannelSet { [.magneticField, .temperature] }

  /// The transfer format. Bit 7 of the sub-address enables the address increment in an I2C burst,
  /// bit 6 of the command in an SPI burst (section 5.1).
  public static var wireFormat: WireFormat { WireFormat(i2cIncrement: 0x80, spiMultiple: 0x40) }

  /// The size of a frame in bytes: X, Y, Z, low byte first. Once a second a frame also holds the
  /// temperature, two bytes more.
  public static var frameSize: Int { 6 }
  public static var frameSizeWithTemperature: Int { frameSize + 2 }

  public static func range(of channel: Channel, at index: Int, of codes: LIS3MDLConfiguration)
    -> Scalar?
  {
    channel == .magneticField ? LIS3MDLMap.FullScale.size(at: index) { $0.microtesla } : nil
  }

  /// Returns the rates in Hz, fastest first: the four fast rates, then the eight rates of the field
  /// DO.
  public static func rate(at index: Int, of codes: LIS3MDLConfiguration) -> Scalar? {
    switch index {
    case 0...3: LIS3MDLMap.Performance(rawValue: UInt8(index))?.fastHertz
    case 4...11: LIS3MDLMap.Rate(rawValue: UInt8(11 - index))?.hertz
    default: nil
    }
  }
}

/// The waiting times and intervals of the driver; numbers are in microseconds.
enum LIS3MDLTiming {
  /// The wait after SOFT_RST, 10 ms as in public drivers because the sheet gives no time, and the
  /// number of polls.
  static var reset: UInt32 { 10_000 }
  static var resetPolls: UInt16 { 10 }
  /// The interval between the verifications of two configuration rows. At least one of two
  /// consecutive rows differs from its register's reset value, so a supply failure is found after
  /// at most two verifications.
  static var verification: TimeSpan { .milliseconds(50) }
}

extension LIS3MDLChip {
  /// Returns the delay of a sample with `settings`: half of the averaging time. The averaging time
  /// equals the period of the fast rate with the same performance (data sheet, table 4 and section
  /// 3).
  public static func delays(of settings: SensorSettings) -> StreamDelays {
    var settings = settings
    let configuration = LIS3MDLConfiguration(nearest: &settings, of: .lis3mdl, isSPI: false)
    return StreamDelays(magneticField: 0.5 / configuration.performance.fastHertz)
  }
}
