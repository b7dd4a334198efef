// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The register codes of the driver's settings. `LIS3MDL.configure` finds the codes for physical
/// settings. Firmware with fixed settings specifies the codes directly, so that the search is not
/// linked into it.
public struct LIS3MDLConfiguration: ListedCodes {
  /// The output data rate: DO of CTRL_REG1. `nil` sets FAST_ODR, which gives 1000, 560, 300 or 155
  /// Hz for the performance modes from `lowPower` to `ultraHigh`.
  public var rate: LIS3MDLMap.Rate?
  /// The performance mode of all axes: OM in CTRL_REG1, OMZ in CTRL_REG4.
  public var performance = LIS3MDLMap.Performance.lowPower
  /// The magnetometer's full scale: FS in CTRL_REG2.
  public var fullScale = LIS3MDLMap.FullScale.gauss16
  /// The readout mode. In low power the temperature is not measured, and the driver waits for up to
  /// two periods between steps.
  public var readout = ReadoutMode.polling
  var isStimulated = false
  /// The part of the chip family to which the register codes belong.
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

  /// Chooses the slowest rate that is not below the requested rate. Up to 80 Hz every performance
  /// mode works with every rate: normal power uses the best mode, low power the mode with the
  /// fewest conversions. Above 80 Hz the performance mode determines the rate.
  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    if settings.rate * 0.999 > 80 {
      performance.chooseSmallest(holding: &settings.rate) { $0.fastHertz }
    } else {
      rate = .smallest(holding: settings.rate, orElse: .hz80) { $0.hertz }
      if power == .normal { performance = .ultraHigh }
    }
    fullScale.chooseSmallest(holding: &settings.magneticFieldRange) { $0.microtesla }
    // The data-ready signal is always on pin 1 and active high. With any other setting, edges of
    // the line cannot be used.
    readout.takeLine(&settings, InterruptPin(), where: interruptPin == InterruptPin())
    settings.rate = hertz
    settings.bandwidth = hertz / 2
  }

  /// Returns the register write at `index` of the configuration sequence; `nil` after the last
  /// write, which starts conversions. The first, third and last writes always change the reset
  /// value of their register, so of two consecutive verifications at least one detects a reset.
  public func row(_ index: Int) -> RegisterValue? {
    let map = LIS3MDLMap()
    switch index {
    case 0: return control1
    case 1: return RegisterValue(map.control2) { $0.fullScale(fullScale) }
    // Without block update the bytes of a word may come from two samples.
    case 2: return RegisterValue(map.control5) { $0.blockUpdate(true) }
    case 3: return RegisterValue(map.control4) { $0.performance(performance) }
    case 4:
      // The low-power bit sets 0.625 Hz, whatever the rate field contains, and selects the fewest
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
  /// The magnetometer of an LSM9DS1. Its sensitivities differ from the LIS3MDL's, its temperature
  /// cannot be read, and it has a hardware offset, which is kept at 0. TEMP_EN enables its
  /// temperature compensation.
  case lsm9ds1

  public init?(identity: UInt8) {
    guard identity == 0x3D else { return nil }
    self = .lis3mdl
  }

  public func says(_ identity: UInt8) -> Bool { identity == 0x3D }

  public static var expected: LIS3MDLPart { .lis3mdl }
}

/// Constants for the LIS3MDL that do not depend on a driver's state.
extension LIS3MDLChip {
  public static var channels: ChannelSet { [.magneticField, .temperature] }

  /// The transfer format. Bit 7 of the sub-address enables the address increment in an I2C burst;
  /// in an SPI burst bit 6 of the command enables it (section 5.1).
  public static var wireFormat: WireFormat { WireFormat(i2cIncrement: 0x80, spiMultiple: 0x40) }

  /// The size of a frame in bytes: X, Y, Z, low byte first. Once a second a frame also contains the
  /// temperature, which adds two bytes.
  public static var frameSize: Int { 6 }
  public static var frameSizeWithTemperature: Int { frameSize + 2 }

  public static func range(of channel: Channel, at index: Int, of codes: LIS3MDLConfiguration)
    -> Scalar?
  {
    channel == .magneticField ? LIS3MDLMap.FullScale.size(at: index) { $0.microtesla } : nil
  }

  /// Returns the rates in Hz, fastest first: the four fast rates, then the eight rates that the
  /// field DO selects.
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
  /// The wait after SOFT_RST and the number of polls. The wait is 10 ms, as in public drivers,
  /// because the data sheet gives no time.
  static var reset: UInt32 { 10_000 }
  static var resetPolls: UInt16 { 10 }
  /// The interval between the verifications of two configuration registers. At least one of two
  /// consecutive registers differs from its reset value, so a supply failure is detected after at
  /// most two verifications.
  static var verification: TimeSpan { .milliseconds(50) }
}

extension LIS3MDLChip {
  /// Returns the delay of a sample for `settings`: half of the averaging time. The averaging time
  /// equals the period of the fast rate with the same performance mode (data sheet, table 4 and
  /// section 3).
  public static func delays(of settings: SensorSettings) -> StreamDelays {
    var settings = settings
    let configuration = LIS3MDLConfiguration(nearest: &settings, of: .lis3mdl, isSPI: false)
    return StreamDelays(magneticField: 0.5 / configuration.performance.fastHertz)
  }
}
