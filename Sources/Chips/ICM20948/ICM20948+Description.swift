// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The one part of its family.
public enum ICM20948Part: UInt8, ChipPart {
  case icm20948 = 0xEA

  public static var expected: ICM20948Part { .icm20948 }
}

/// Facts of the ICM-20948 without one at hand.
extension ICM20948Chip {
  public static var channels: ChannelSet { [.acceleration, .rotationRate, .temperature] }

  /// No flag is needed to advance an address, on either wire.
  public static var wireFormat: WireFormat { WireFormat() }

  /// The rate that the dividers divide with the low-pass filters on, in Hz (DS-000189, sections
  /// 10.1 and 10.11).
  public static var baseRate: Scalar { 1125 }

  /// The fastest in cycle mode (table 2).
  public static var fastestCycle: Scalar { 562.5 }

  /// A frame: accelerometer, gyroscope, temperature, in register order, high bytes first.
  public static var frameSize: Int { 14 }

  /// The magnetometer's bytes behind a frame, from its first status to its second.
  public static var magnetometerBytes: Int { 9 }

  /// A frame of the accelerometer alone.
  public static var accelFrameSize: Int { 6 }

  /// Bytes that its queue holds (section 4.16).
  public static var fifoSize: Int { 512 }

  /// Scales and ranges are those of the MPU-6050 (tables 1 and 2).
  public static func range(of channel: Channel, at index: Int) -> Scalar? {
    MPU6050Chip.range(of: channel, at: index)
  }

  public static func rate(at index: Int) -> Scalar? {
    (0...255).contains(index) ? baseRate / Scalar(1 + index) : nil
  }

  public static func rate(at index: Int, of codes: ICM20948Configuration) -> Scalar? {
    rate(at: codes.isAccelOnly ? index + 1 : index)
  }

  /// Returns the delays of the filters as the chip runs with `settings`: the sheet gives their
  /// cut-off and no more.
  public static func delays(of settings: SensorSettings) -> StreamDelays {
    var settings = settings
    let codes = ICM20948Configuration(nearest: &settings, of: .icm20948, isSPI: false)
    // In cycle mode it samples once and sleeps.
    if codes.isAccelOnly { return StreamDelays() }
    return StreamDelays(
      rotationRate: StreamDelays.lowPass(bandwidth: codes.gyroFilter.gyroBandwidth),
      acceleration: StreamDelays.lowPass(bandwidth: codes.accelFilter.accelBandwidth),
      magneticField: codes.magnetometer == nil ? 0 : AK8963Chip.delays.magneticField)
  }
}

/// Waits; numbers are microseconds.
@usableFromInline
enum ICM20948Timing {
  /// After DEVICE_RESET before the first access: a start takes up to 100 ms (table 5), as long as
  /// TDK's driver waits.
  static var reset: UInt32 { 100_000 }
  static var resetPoll: UInt32 { 10_000 }
  static var resetPolls: UInt16 { 20 }
  /// From sleep to a clock that runs.
  static var wake: UInt32 { 20_000 }
  /// From a gyroscope that is switched on to one that has settled: 35 ms (table 1).
  static var gyroStart: UInt32 { 35_000 }
  /// From one comparison of a line to the next.
  static var verification: TimeSpan { .milliseconds(40) }
  /// The longest that a running chip is left alone: half of the 200 ms in which a fault is to be
  /// found.
  static var rest: TimeSpan { .milliseconds(100) }
  /// For output to settle after a self-test's stimulus was switched, and from sample to sample.
  /// TDK's driver waits 20 ms.
  static var selfTestSettling: UInt32 { 100_000 }
  static var selfTestSample: UInt32 { 1000 }
}
