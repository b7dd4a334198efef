// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The only part of its family: the BMI120 has the same registers.
public enum BMI160Part: OnlyPart {
  case bmi160

  public init?(identity: UInt8) {
    guard identity == 0xD1 || identity == 0xD3 else { return nil }
    self = .bmi160
  }

  public static var expected: BMI160Part { .bmi160 }
}

/// Facts about the BMI160 that need no chip.
extension BMI160Chip {
  public static var channels: ChannelSet { [.acceleration, .rotationRate, .temperature] }

  /// After power-up and each soft reset the chip listens to I2C until its chip select has risen
  /// once. A read of this reserved register makes that edge; the result is ignored, and on I2C the
  /// read is harmless.
  public static var interfaceSelect: RO<WholeByte> { RO(0x7F, reset: nil) }

  /// The size of the FIFO in bytes.
  public static var fifoSize: Int { 1024 }

  /// Bytes of a FIFO frame: header, gyroscope, accelerometer, low byte first.
  public static var queueFrameSize: Int { 13 }

  /// Bytes of a FIFO frame with the accelerometer only.
  public static var accelQueueFrameSize: Int { 7 }

  /// Bytes of a frame from the registers: gyroscope (0x0C) to temperature (0x21) in one burst.
  public static var registerFrameSize: Int { 22 }

  /// Bytes of a frame from the registers that starts at the accelerometer (0x12).
  public static var accelRegisterFrameSize: Int { 16 }

  /// Returns the largest watermark, in frames of `frameSize` bytes: it leaves a third of the FIFO
  /// for a late host.
  public static func longestBatch(of frameSize: Int) -> Int { fifoSize * 2 / 3 / frameSize }

  /// The events that the chip can detect. Motion and significant motion share one circuit: if both
  /// are requested, the latter is detected.
  public static var detections: DetectionSet {
    [
      .step, .singleTap, .doubleTap, .freeFall, .motion, .noMotion, .significantMotion,
      .orientation, .flat,
    ]
  }

  public static func rate(at index: Int) -> Scalar? {
    guard (0...6).contains(index) else { return nil }
    return BMI160Map.Rate(rawValue: UInt8(12 - index))?.hertz
  }

  /// Returns degrees Celsius from counts; `nil` for the code before the first measurement.
  public static func temperature(_ counts: Int16) -> Scalar? {
    counts == .min ? nil : 23 + Scalar(Int(counts)) / 512
  }
}

/// The headers of FIFO frames. The two lowest bits of a header are interrupt tags.
public enum BMI160Header {
  public static var tags: UInt8 { 0x03 }
  public static var accel: UInt8 { 0x84 }
  public static var gyro: UInt8 { 0x88 }
  public static var gyroAndAccel: UInt8 { 0x8C }
  /// One byte follows: the number of dropped frames.
  public static var skipped: UInt8 { 0x40 }
  /// Three bytes of sensor time follow.
  public static var sensorTime: UInt8 { 0x44 }
  /// One byte follows: the configuration that changed.
  public static var configuration: UInt8 { 0x48 }
  /// Read past the last frame.
  public static var empty: UInt8 { 0x80 }
}

/// Timing, from the data sheet and from the experience in public drivers; numbers are microseconds.
@usableFromInline
enum BMI160Timing {
  /// From the chip select edge to the first valid transfer (150 to 200 us).
  static var interfaceSelect: UInt32 { 200 }
  /// After a soft reset (1 ms in Bosch's driver, Linux and Zephyr).
  static var reset: UInt32 { 1000 }
  /// From suspend to normal mode: accelerometer 3.8 ms, 5 in Bosch's driver; gyroscope 80 ms.
  static var accelStart: UInt32 { 5000 }
  static var gyroStart: UInt32 { 80_000 }
  /// The interval and number of polls for the end of a reset or start: 200 ms in total. ArduPilot
  /// observed that one reset in a hundred takes long.
  static var poll: UInt32 { 5000 }
  static var polls: UInt16 { 40 }
  /// The interval at which the power modes and one configuration row are verified, with a FIFO the
  /// temperature is read, and detections are polled where no line signals them.
  static var verification: TimeSpan { .milliseconds(100) }
  /// Between two writes while no sensor is in normal mode: 450 us (Linux); Bosch's driver waits for
  /// 1 ms.
  static var idleWrite: UInt32 { 1000 }
  /// From normal to low power; Bosch's driver waits as long as for normal mode.
  static var accelLowPower: UInt32 { 5000 }
  /// The settling time of the self-test's deflections (Bosch's driver), and the polls for the
  /// gyroscope's result: Bosch checks once after 20 ms, this driver polls for up to 100 ms.
  static var deflection: UInt32 { 50_000 }
  static var gyroTestPoll: UInt32 { 10_000 }
  static var gyroTestPolls: Int { 10 }
}

extension BMI160Chip {
  /// Returns the filter delays with `settings`: estimates from the filters' bandwidths (data sheet,
  /// sections 2.4.1 and 2.4.2), as Bosch publishes no delays.
  public static func delays(of settings: SensorSettings) -> StreamDelays {
    var settings = settings
    let configuration = BMI160Configuration(nearest: &settings, of: .bmi160, isSPI: false)
    if configuration.isUndersampled {
      // The delay of a mean of n samples at 1600 Hz is half of their span.
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
