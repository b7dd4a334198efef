// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

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
  /// The longest that a running chip at normal power is left alone: half of the 200 ms in which a
  /// fault is to be found.
  static var longestWait: TimeSpan { .milliseconds(100) }
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
