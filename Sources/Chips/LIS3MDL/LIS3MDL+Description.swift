// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// What is known of the LIS3MDL without one at hand.
public enum LIS3MDLFacts {
  public static var channels: ChannelSet { [.magneticField] }

  /// Bit 7 of the sub-address advances an I2C burst, bit 6 of the command an SPI burst (section 5.1).
  public static var wireFormat: WireFormat { WireFormat(i2cIncrement: 0x80, spiMultiple: 0x40) }

  /// A frame: X, Y, Z, low bytes first.
  public static var frameSize: Int { 6 }

  public static func range(of channel: Channel, at index: Int) -> Double? {
    guard channel == .magneticField, let code = UInt8(exactly: index) else { return nil }
    return LIS3MDLMap.FullScale(rawValue: code)?.microtesla
  }

  /// The four fast rates, then the eight of the rate field.
  public static func rate(at index: Int) -> Double? {
    switch index {
    case 0...3: LIS3MDLMap.Performance(rawValue: UInt8(index))?.fastHertz
    case 4...11: LIS3MDLMap.Rate(rawValue: UInt8(11 - index))?.hertz
    default: nil
    }
  }
}

enum LIS3MDLTiming {
  /// After SOFT_RST (10 ms in public drivers; the sheet gives none), and how often it may be asked again.
  static var reset: TimeSpan { .milliseconds(10) }
  static var resetPolls: Int { 10 }
  static var verification: TimeSpan { .milliseconds(100) }
}
