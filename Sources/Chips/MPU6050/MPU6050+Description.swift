// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// What is known of the MPU-6050 without one at hand: tables that driver, catalogue and tests read.
public enum MPU6050Facts {
  public static var channels: ChannelSet { [.acceleration, .rotationRate, .temperature] }

  /// No flag is needed to advance an address. There is no SPI on this part.
  public static var wireFormat: WireFormat { WireFormat() }

  /// The base rate that the divider divides, with the low-pass filter on (register map section 4.2).
  public static var baseRate: Double { 1000 }

  /// Bytes that its queue holds.
  public static var fifoSize: Int { 1024 }

  /// A frame: accelerometer, temperature, gyroscope, in register order, high bytes first.
  public static var frameSize: Int { 14 }

  public static func range(of channel: Channel, at index: Int) -> Double? {
    guard let code = UInt8(exactly: index) else { return nil }
    switch channel {
    case .acceleration: return MPU6050Map.AccelFullScale(rawValue: code)?.g
    case .rotationRate:
      return MPU6050Map.GyroFullScale(rawValue: code)
        .map { radians(fromDegrees: $0.degreesPerSecond) }
    default: return nil
    }
  }

  public static func rate(at index: Int) -> Double? {
    guard (0...255).contains(index) else { return nil }
    return baseRate / Double(1 + index)
  }

  /// degC from counts (register map section 4.18).
  public static func temperature(_ counts: Int16) -> Double { Double(counts) / 340 + 36.53 }
}

/// Waits, from the register map and the product specification (section 6.3).
enum MPU6050Timing {
  /// After DEVICE_RESET before the first access.
  static var reset: TimeSpan { .milliseconds(100) }
  /// Between two looks whether the reset is over, and how many there may be.
  static var resetPoll: TimeSpan { .milliseconds(10) }
  static var resetPolls: Int { 90 }
  /// From sleep to registers that can be written (10 ms) and a PLL that is locked (10 ms).
  static var wake: TimeSpan { .milliseconds(20) }
  /// From wake to a gyroscope that has settled: 60 ms start, 30 ms zero-rate settling, less `wake`.
  static var gyroStart: TimeSpan { .milliseconds(70) }
  /// One register of the configuration is compared this often: all ten in 0.8 s.
  static var verification: TimeSpan { .milliseconds(80) }
}

/// By how much the kernel's time of an edge may be later than the edge.
var interruptLatency: TimeSpan { .microseconds(50) }
