// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The only part of its family. The BMI120 has the same registers.
public enum BMI160Part: OnlyPart {
  case bmi160

  public init?(identity: UInt8) {
    guard identity == 0xD1 || identity == 0xD3 else { return nil }
    self = .bmi160
  }

  public static var expected: BMI160Part { .bmi160 }
}

/// Constants for the BMI160 that do not depend on a driver's state.
extension BMI160Chip {
  public static var channels: ChannelSet { [.acceleration, .rotationRate, .temperature] }

  /// The register whose read selects SPI: after power-up and each soft reset the chip uses I2C
  /// until its chip select has risen once. The read makes the chip select rise, and the read's
  /// result is ignored; on I2C the read is harmless.
  public static var interfaceSelect: RO<WholeByte> { RO(0x7F, reset: nil) }

  /// The size of the BMI160's FIFO in bytes.
  public static var fifoSize: Int { 1024 }

  /// The size of a FIFO frame in bytes: a header, the gyroscope and the accelerometer, low byte
  /// first.
  public static var queueFrameSize: Int { 13 }

  /// The size in bytes of a FIFO frame that holds only the accelerometer: header and three words.
  public static var accelQueueFrameSize: Int { 7 }

  /// The size in bytes of one sample read from the output registers: gyroscope (0x0C) to
  /// temperature (0x21) in one burst.
  public static var registerFrameSize: Int { 22 }

  /// The size in bytes of one sample read from the registers without the gyroscope: accelerometer
  /// (0x12) to temperature (0x21).
  public static var accelRegisterFrameSize: Int { 16 }

  /// Returns the highest watermark, in frames of `frameSize` bytes. This watermark leaves a third
  /// of the FIFO free in case the host's next read is delayed.
  public static func longestBatch(of frameSize: Int) -> Int { fifoSize * 2 / 3 / frameSize }

  /// The events that the chip can detect. Motion and significant motion share one circuit: if both
  /// are requested, only significant motion is detected.
  public static func detections(of codes: BMI160Configuration) -> DetectionSet {
    [
      .step, .singleTap, .doubleTap, .freeFall, .motion, .noMotion, .significantMotion,
      .orientation, .flat,
    ]
  }

  public static func rate(at index: Int, of codes: BMI160Configuration) -> Scalar? {
    guard (0...6).contains(index) else { return nil }
    return BMI160Map.Rate(rawValue: UInt8(12 - index))?.hertz
  }

  /// Returns the temperature in degrees Celsius; `nil` for code 0x8000, which the chip returns
  /// before its first measurement.
  public static func temperature(_ counts: Int16) -> Scalar? {
    counts == .min ? nil : 23 + Scalar(Int(counts)) / 512
  }
}

/// The header bytes of FIFO frames. The two lowest bits of a header are interrupt tags and are
/// ignored.
public enum BMI160Header {
  public static var tags: UInt8 { 0x03 }
  public static var accel: UInt8 { 0x84 }
  public static var gyro: UInt8 { 0x88 }
  public static var gyroAndAccel: UInt8 { 0x8C }
  /// The header of a skip frame. One byte follows, the number of dropped frames.
  public static var skipped: UInt8 { 0x40 }
  /// The header of a sensor-time frame. Three bytes of sensor time follow.
  public static var sensorTime: UInt8 { 0x44 }
  /// The header of a configuration-change frame. One byte follows, which says what was changed.
  public static var configuration: UInt8 { 0x48 }
  /// The value that the chip returns for reads past the last frame.
  public static var empty: UInt8 { 0x80 }
}

/// Waiting times from the data sheet and from public drivers; numbers without a unit are
/// microseconds.
@usableFromInline
enum BMI160Timing {
  /// The waiting time from the rise of chip select to the first valid transfer (data sheet: 150 to
  /// 200 us).
  static var interfaceSelect: UInt32 { 200 }
  /// The wait after a soft reset (1 ms in Bosch's driver, Linux and Zephyr).
  static var reset: UInt32 { 1000 }
  /// The start-up times from suspend to normal mode: 3.8 ms for the accelerometer, for which
  /// Bosch's driver waits for 5 ms, and 80 ms for the gyroscope.
  static var accelStart: UInt32 { 5000 }
  static var gyroStart: UInt32 { 80_000 }
  /// The interval and the number of polls for the end of a reset or start. Together they are 200
  /// ms, because ArduPilot observed that one reset in a hundred takes that long.
  static var poll: UInt32 { 5000 }
  static var polls: UInt16 { 40 }
  /// The interval between verifications of the power modes and one configuration register. In FIFO
  /// mode this is also the interval of temperature reads, and of polls for detections that no
  /// interrupt line signals.
  static var verification: TimeSpan { .milliseconds(100) }
  /// The minimum time between two writes while no sensor is in normal mode: 450 us (Linux); Bosch's
  /// driver waits for 1 ms.
  static var idleWrite: UInt32 { 1000 }
  /// The wait for the change from normal to low-power mode. Bosch's driver waits for the same time
  /// as in a change to normal mode.
  static var accelLowPower: UInt32 { 5000 }
  /// The settling time of the self-test's deflections (Bosch's driver), and the polls for the
  /// gyroscope's result. Bosch's driver checks once after 20 ms; this driver polls for up to 100
  /// ms.
  static var deflection: UInt32 { 50_000 }
  static var gyroTestPoll: UInt32 { 10_000 }
  static var gyroTestPolls: Int { 10 }
}

extension BMI160Chip {
  /// Returns the filter delays for `settings`. The delays are estimated from the filters'
  /// bandwidths (data sheet, sections 2.4.1 and 2.4.2), because Bosch publishes no delays.
  public static func delays(of settings: SensorSettings) -> StreamDelays {
    var settings = settings
    let configuration = BMI160Configuration(nearest: &settings, of: .bmi160, isSPI: false)
    if configuration.isUndersampled {
      // The delay of a mean of n samples at 1600 Hz is half of the time between the first and the
      // last sample.
      let samples = configuration.filter.averagedSamples
      return StreamDelays(acceleration: (samples - 1) / 2 / 1600)
    }
    let divisor = configuration.filter.divisor
    let rate = configuration.rate
    return StreamDelays(
      rotationRate: configuration.hasGyro
        ? StreamDelays.lowPass(bandwidth: rate.gyroCutoff / divisor) : 0,
      acceleration: StreamDelays.lowPass(bandwidth: rate.accelCutoff / divisor))
  }
}
