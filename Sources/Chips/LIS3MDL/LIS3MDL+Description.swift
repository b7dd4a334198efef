// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
internal import Sensors

/// What is known of the LIS3MDL without one at hand.
public enum LIS3MDLFacts {
  public static var channels: ChannelSet { [.magneticField, .temperature] }

  /// Bit 7 of the sub-address advances an I2C burst, bit 6 of the command an SPI burst (section 5.1).
  public static var wireFormat: WireFormat { WireFormat(i2cIncrement: 0x80, spiMultiple: 0x40) }

  /// A frame: X, Y, Z, low bytes first. Once a second one has the temperature behind them, two bytes more.
  public static var frameSize: Int { 6 }
  public static var frameSizeWithTemperature: Int { frameSize + 2 }

  public static func range(of channel: Channel, at index: Int) -> Scalar? {
    guard channel == .magneticField, let code = UInt8(exactly: index) else { return nil }
    return LIS3MDLMap.FullScale(rawValue: code)?.microtesla
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

enum LIS3MDLTiming {
  /// After SOFT_RST (10 ms in public drivers; the sheet gives none), and how often it may be asked again.
  static var reset: TimeSpan { .milliseconds(10) }
  static var resetPolls: Int { 10 }
  /// From one line of the configuration to the next to be compared. Of two in a row at least one is not as after a
  /// reset: a chip that lost its supply is found after two.
  static var verification: TimeSpan { .milliseconds(50) }
  /// The longest that a running chip at normal power is left alone: half of the 200 ms in which a fault is to be found.
  static var longestWait: TimeSpan { .milliseconds(100) }
  /// After so many samples without an edge the chip is polled: reads that come periods late could not tell how many.
  static var silence: Int { 3 }
}

/// The maker's self-test (AN4602, and ST's public example for this part).
enum LIS3MDLSelfTest {
  /// Before conversions start, and from their start to the first sample that counts.
  static var settling: TimeSpan { .milliseconds(20) }
  /// From the stimulus to the first sample that counts.
  static var stimulus: TimeSpan { .milliseconds(60) }
  /// Of each six samples the first is thrown away.
  static var samples: Int { 6 }
  /// A look each fifth of a period of 80 Hz, for no longer than eight periods.
  static var look: TimeSpan { .microseconds(2500) }
  static var looks: Int { 40 }

  /// What the stimulus must change on an axis, in microtesla: 1.0 to 3.0 gauss on X and Y, 0.1 to 1.0 on Z.
  static func limits(ofAxis axis: UInt8) -> (lowest: Scalar, highest: Scalar) {
    axis == 2 ? (10, 100) : (100, 300)
  }

  /// 12 gauss, 80 Hz at low performance, block update, no temperature.
  static var configuration: LIS3MDLConfiguration {
    LIS3MDLConfiguration(
      rate: .hz80, performance: .lowPower, fullScale: .gauss12, acquisition: .polling, power: .low)
  }
}
