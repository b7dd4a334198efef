// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The settings that the driver writes into the chip: codes of its registers. `LIS3MDL.configure`
/// finds them from physical settings; firmware whose settings never change names them, and then
/// nothing that searches is linked.
public struct LIS3MDLConfiguration: ListedCodes {
  /// DO of CTRL_REG1; `nil` sets FAST_ODR: 1000, 560, 300 or 155 a second, as the performance is
  /// from `lowPower` to `ultraHigh`.
  public var rate: LIS3MDLMap.Rate?
  /// The averaging of all axes: OM in CTRL_REG1, OMZ in CTRL_REG4.
  public var performance = LIS3MDLMap.Performance.lowPower
  /// FS in CTRL_REG2.
  public var fullScale = LIS3MDLMap.FullScale.gauss16
  /// In low power the die's temperature is not measured, and the chip is left alone for up to two
  /// periods.
  public var readout = Readout.polling
  var isStimulated = false
  /// The part whose codes these are.
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

  /// Samples per second.
  var hertz: Scalar { rate?.hertz ?? performance.fastHertz }

  public static func limits(of part: LIS3MDLPart, power: PowerMode) -> SettingLimits {
    SettingLimits(rate: 1000, microtesla: 1600, ways: [.dataReady, .polling])
  }

  /// The slowest rate that is not slower than asked. Up to 80 Hz any performance goes with any
  /// rate: the best, or that with the fewest conversions a sample. Above, the performance is what
  /// sets the rate.
  public mutating func choose(_ settings: inout SensorSettings, isSPI: Bool) {
    if settings.rate * 0.999 > 80 {
      performance.fit(&settings.rate) { $0.fastHertz }
    } else {
      rate = .smallest(holding: settings.rate, orElse: .hz80) { $0.hertz }
      if power == .normal { performance = .ultraHigh }
    }
    fullScale.fit(&settings.magneticFieldRange) { $0.microtesla }
    // The data-ready pin has no settings: it is pin 1 and rises. Another kind of line carries no
    // edges of it.
    readout.takeLine(&settings, InterruptPin(), where: interruptPin == InterruptPin())
    settings.rate = hertz
    settings.bandwidth = hertz / 2
  }

  /// Returns line `index` of the configuration; `nil` past the last. The last one starts
  /// conversions. Lines whose value is never that after a reset come first, third and last, so that
  /// a patrol does not pass two others in a row.
  public func line(_ index: Int) -> RegisterValue? {
    let map = LIS3MDLMap()
    switch index {
    case 0: return control1
    case 1: return RegisterValue(map.control2) { $0.fullScale(fullScale) }
    // Without block update the halves of a word may come from two samples.
    case 2: return RegisterValue(map.control5) { $0.blockUpdate(true) }
    case 3: return RegisterValue(map.control4) { $0.performance(performance) }
    case 4:
      // Low power has the rate 0.625 Hz, whatever the rate field says, and the fewest conversions
      // (CTRL_REG3, bit 5).
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

  /// The number of samples from one reading of the temperature to the next: a second's worth.
  var temperatureInterval: Int {
    guard let rate else { return performance.fastHertzWhole }
    return max(1, 80 >> (7 &- Int(rate.rawValue)))
  }
}

/// The rows of the family, which say the same identity: which of them a chip is nothing tells but
/// the board.
public enum LIS3MDLPart: UInt8, CaseIterable, ChipPart {
  case lis3mdl
  /// The magnetometer of an LSM9DS1: other sensitivities, no temperature to be read, an offset to
  /// be subtracted (which stays 0). TEMP_EN switches its compensation.
  case lsm9ds1

  public init?(identity: UInt8) {
    guard identity == 0x3D else { return nil }
    self = .lis3mdl
  }

  public func says(_ identity: UInt8) -> Bool { identity == 0x3D }

  public static var expected: LIS3MDLPart { .lis3mdl }
}

/// The properties of the LIS3MDL that are known without a chip.
extension LIS3MDLChip {
  public static var channels: ChannelSet { [.magneticField, .temperature] }

  /// Bit 7 of the sub-address advances an I2C burst, bit 6 of the command an SPI burst (section
  /// 5.1).
  public static var wireFormat: WireFormat { WireFormat(i2cIncrement: 0x80, spiMultiple: 0x40) }

  /// A frame: X, Y, Z, low bytes first. Once a second one has the temperature behind them, two
  /// bytes more.
  public static var frameSize: Int { 6 }
  public static var frameSizeWithTemperature: Int { frameSize + 2 }

  public static func range(of channel: Channel, at index: Int) -> Scalar? {
    channel == .magneticField ? LIS3MDLMap.FullScale.size(at: index) { $0.microtesla } : nil
  }

  /// The four fast rates, then the eight of the rate field.
  public static func rate(at index: Int) -> Scalar? {
    switch index {
    case 0...3: LIS3MDLMap.Performance(rawValue: UInt8(index))?.fastHertz
    case 4...11: LIS3MDLMap.Rate(rawValue: UInt8(11 - index))?.hertz
    default: nil
    }
  }
}

/// Waits; numbers are microseconds.
enum LIS3MDLTiming {
  /// After SOFT_RST (10 ms in public drivers; the sheet gives none), and how often it may be asked
  /// again.
  static var reset: UInt32 { 10_000 }
  static var resetPolls: UInt16 { 10 }
  /// From one line of the configuration to the next to be compared. Of two in a row at least one is
  /// not as after a reset: a chip that lost its supply is found after two.
  static var verification: TimeSpan { .milliseconds(50) }
}

extension LIS3MDLChip {
  /// Returns the delay of a sample as the chip runs with `settings`: half of the time over which it
  /// averages, which its fastest rate of the same performance shows (data sheet, table 4 and
  /// section 3).
  public static func delays(of settings: SensorSettings) -> StreamDelays {
    var settings = settings
    let configuration = LIS3MDLConfiguration(nearest: &settings, of: .lis3mdl, isSPI: false)
    return StreamDelays(magneticField: 0.5 / configuration.performance.fastHertz)
  }
}
