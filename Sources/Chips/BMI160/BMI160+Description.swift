// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The one part of its family: the BMI120 has the same registers.
public enum BMI160Part: OnlyPart {
  case bmi160

  public init?(identity: UInt8) {
    guard identity == 0xD1 || identity == 0xD3 else { return nil }
    self = .bmi160
  }

  public static var expected: BMI160Part { .bmi160 }
}

/// The properties of the BMI160 that are known without a chip.
extension BMI160Chip {
  public static var channels: ChannelSet { [.acceleration, .rotationRate, .temperature] }

  /// After power-up and after each soft reset the chip listens to I2C until its chip select has
  /// risen once. A read of this reserved register makes that edge; its answer means nothing, and on
  /// I2C it does no harm.
  public static var interfaceSelect: RO<WholeByte> { RO(0x7F, reset: nil) }

  /// Bytes that its queue holds.
  public static var fifoSize: Int { 1024 }

  /// A frame of the queue: its header, gyroscope, accelerometer, low bytes first.
  public static var queueFrameSize: Int { 13 }

  /// The same of the accelerometer alone.
  public static var accelQueueFrameSize: Int { 7 }

  /// A frame out of the registers: from the gyroscope (0x0C) to the temperature (0x21) in one
  /// burst.
  public static var registerFrameSize: Int { 22 }

  /// The same from the accelerometer (0x12) on.
  public static var accelRegisterFrameSize: Int { 16 }

  /// Returns the largest watermark, in frames of so many bytes: a third of the queue is left for a
  /// host that is late.
  public static func longestBatch(of frameSize: Int) -> Int { fifoSize * 2 / 3 / frameSize }

  /// The events that it can detect by itself. Motion and significant motion are one circuit: where
  /// both are asked for, the latter is detected.
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

  /// Returns degC from counts; `nil` for the code of a temperature that was not measured yet.
  public static func temperature(_ counts: Int16) -> Scalar? {
    counts == .min ? nil : 23 + Scalar(Int(counts)) / 512
  }
}

/// The headers of the queue's frames. The two lowest bits of a header carry interrupt tags.
public enum BMI160Header {
  public static var tags: UInt8 { 0x03 }
  public static var accel: UInt8 { 0x84 }
  public static var gyro: UInt8 { 0x88 }
  public static var gyroAndAccel: UInt8 { 0x8C }
  /// One byte follows: how many frames were dropped.
  public static var skipped: UInt8 { 0x40 }
  /// Three bytes of sensor time follow.
  public static var sensorTime: UInt8 { 0x44 }
  /// One byte follows: which configuration changed.
  public static var configuration: UInt8 { 0x48 }
  /// Read beyond the last frame.
  public static var empty: UInt8 { 0x80 }
}

/// Waits, from the data sheet and from what public drivers found necessary; numbers are
/// microseconds.
@usableFromInline
enum BMI160Timing {
  /// From the edge of chip select to the first transfer that counts (150 to 200 us).
  static var interfaceSelect: UInt32 { 200 }
  /// After a soft reset (1 ms in Bosch's driver, Linux and Zephyr).
  static var reset: UInt32 { 1000 }
  /// From suspend to normal: accelerometer 3.8 ms, of which Bosch makes 5; gyroscope 80 ms.
  static var accelStart: UInt32 { 5000 }
  static var gyroStart: UInt32 { 80_000 }
  /// Between two looks whether a reset or a start is over, and how many there may be: 200 ms. One
  /// reset in a hundred was seen to take long (ArduPilot).
  static var poll: UInt32 { 5000 }
  static var polls: UInt16 { 40 }
  /// This often the power modes and one register of the configuration are compared, with a queue
  /// the temperature is read, and what the chip detected is looked up where no line tells it.
  static var verification: TimeSpan { .milliseconds(100) }
  /// Between two writes while no sensor is in normal mode: 450 us (Linux), of which Bosch's driver
  /// makes 1 ms.
  static var idleWrite: UInt32 { 1000 }
  /// From normal to low power; Bosch's driver waits as for normal.
  static var accelLowPower: UInt32 { 5000 }
  /// The time in which the self-test's deflections settle (Bosch's driver), and between two looks
  /// whether the gyroscope passed: Bosch looks once after 20 ms, this driver up to 100 ms long.
  static var deflection: UInt32 { 50_000 }
  static var gyroTestPoll: UInt32 { 10_000 }
  static var gyroTestPolls: Int { 10 }
}

extension BMI160Chip {
  /// Returns the delays of the filters as the chip runs with `settings`: estimates from the widths
  /// of its filters (data sheet, sections 2.4.1 and 2.4.2), as Bosch publishes no delays.
  public static func delays(of settings: SensorSettings) -> StreamDelays {
    var settings = settings
    let configuration = BMI160Configuration(nearest: &settings, of: .bmi160, isSPI: false)
    if configuration.isUndersampled {
      // A mean of n samples at 1600 Hz is as old as half of the time that they take.
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
