// SPDX-License-Identifier: Apache-2.0
public import Quantities
internal import Registers
public import Sensors

/// Constants for the MPU-6050's family that do not depend on a driver's state. The driver, the
/// catalogue and the tests use these constants.
extension MPU6050Chip {
  public static var channels: ChannelSet { [.acceleration, .rotationRate, .temperature] }

  /// The rate in Hz that the divider divides while the low-pass filter is on (register map section
  /// 4.2). This is the fastest rate at which every frame is new: without the filter the gyroscope
  /// runs at 8 kHz, but the accelerometer stays at 1 kHz and repeats each sample eight times.
  public static var baseRate: Scalar { 1000 }

  /// The size of a frame in bytes: accelerometer, temperature, gyroscope, in register order, high
  /// byte first.
  public static var frameSize: Int { 14 }

  /// The number of magnetometer bytes after a frame, from ST1 to ST2.
  public static var magnetometerBytes: Int { 8 }

  /// The size in bytes of a frame in a FIFO that is read at each interrupt. This frame has no
  /// temperature, which is read separately.
  public static var motionFrameSize: Int { 12 }

  /// The size in bytes of a frame that holds only the accelerometer.
  public static var accelFrameSize: Int { 6 }

  /// The size in bytes of an ICM-20602's FIFO frame without the gyroscope. This frame always
  /// contains the temperature.
  public static var warmAccelFrameSize: Int { 8 }

  public static func rate(at index: Int) -> Scalar? {
    guard (0...255).contains(index) else { return nil }
    return baseRate / Scalar(1 + index)
  }

  /// Returns the rates of the cycle mode, fastest first, with their codes; `nil` after the last
  /// rate, and for parts whose cycle mode is not used.
  ///
  /// - MPU-6050: LP_WAKE_CTRL, 1.25, 5, 20 and 40 Hz (register map 4.29, product specification
  ///   6.6).
  /// - MPU-6500: LP_ACCEL_ODR, 500 Hz for code 11 and half as much for each lower code (its
  ///   register map 4.9).
  public static func cycleRate(at index: Int, of generation: MPU6050Part.Generation)
    -> (code: UInt8, hertz: Scalar)?
  {
    switch (generation, index) {
    case (.mpu6050, 0): (3, 40)
    case (.mpu6050, 1): (2, 20)
    case (.mpu6050, 2): (1, 5)
    case (.mpu6050, 3): (0, 1.25)
    case (.mpu6500, 0...11): (UInt8(11 - index), 500 / Scalar(1 << index))
    default: nil
    }
  }

  /// Returns the code of the cycle mode's fastest rate. The code of each slower rate is smaller by
  /// one.
  static func fastestCycleCode(of generation: MPU6050Part.Generation) -> UInt8 {
    generation == .mpu6050 ? 3 : 11
  }

  /// Returns the events that the driver can detect: motion, with the wake-on-motion of the
  /// MPU-6500. The motion interrupt of the MPU-6050 is not offered. The manufacturer removed it
  /// from its documents, and public sources disagree on the unit of that interrupt's threshold (2
  /// mg or 32 mg). The threshold could thus be wrong by a factor of 16.
  public static func detections(of generation: MPU6050Part.Generation) -> DetectionSet {
    generation == .mpu6500 ? [.motion] : []
  }

  /// The size in g of one step of WOM_THR (MPU-6500 register map 4.10): 4 mg, so the threshold is
  /// at most 1020 mg.
  public static var gPerMotionStep: Scalar { 0.004 }
}

/// Times from the register map and the product specification (section 6.3); numbers without a unit
/// are microseconds.
@usableFromInline
enum MPU6050Timing {
  /// The wait from DEVICE_RESET to the first access.
  static var reset: UInt32 { 100_000 }
  /// The interval and number of polls for the end of the chip's reset.
  static var resetPoll: UInt32 { 10_000 }
  static var resetPolls: UInt16 { 90 }
  /// The wait after a reset of the signal paths, which the driver makes only on SPI (register map
  /// 4.28).
  static var signalPathReset: UInt32 { 100_000 }
  /// The wait after sleep until registers can be written (10 ms) and the PLL is locked (10 ms).
  static var wake: UInt32 { 20_000 }
  /// The wait from wake-up until the gyroscope has settled: 60 ms for the start and 30 ms for
  /// zero-rate settling, minus `wake`.
  static var gyroStart: UInt32 { 70_000 }
  /// The interval at which one configuration register is verified. The verification of all
  /// registers, at most fourteen, takes 0.84 s.
  @inlinable static var verification: TimeSpan { .milliseconds(60) }
  /// The longest time between two steps. Within two such steps all configuration registers are
  /// verified.
  @inlinable static var rest: TimeSpan { .milliseconds(480) }
  /// The interval between polls for detections that no interrupt signals.
  @inlinable static var detection: TimeSpan { .milliseconds(100) }
  /// The interval between reads of the temperature when frames do not contain it.
  @inlinable static var temperature: TimeSpan { .milliseconds(100) }
  /// The settling time after a change of the self-test's stimulus; public drivers wait for 200 to
  /// 250 ms.
  static var selfTestSettling: UInt32 { 250_000 }
  /// The interval between two samples of a self-test, at 1 kHz.
  static var selfTestSample: UInt32 { 1000 }
}

extension MPU6050Chip {
  /// Returns the filter delays for `settings` of the part with this identity.
  public static func delays(of settings: SensorSettings, identity: UInt8) -> StreamDelays {
    let part = MPU6050Part(identity: identity) ?? .mpu6050
    var settings = settings
    let configuration = MPU6050Configuration(nearest: &settings, of: part, isSPI: false)
    // In cycle mode the chip takes one sample and sleeps, so neither a filter nor the gyroscope
    // delays the sample.
    if configuration.cycles { return StreamDelays() }
    var delays = configuration.lowPassFilter.delays(of: part.generation)
    if configuration.magnetometerRate != nil {
      delays.magneticField = AK8963Chip.delays.magneticField
    }
    return delays
  }
}

extension MPU6050Map.LowPassFilter {
  /// Returns the delays of the filters in seconds.
  ///
  /// - MPU-6050: one filter code for both sensors (RM-MPU-6000A section 4.3).
  /// - Later parts, gyroscope: RM-MPU-6500A section 4.5.
  /// - Later parts, accelerometer, whose separate filter gets the same code: the MPU-9250's
  ///   register map, revision 1.6, ACCEL_CONFIG 2. (The MPU-6500's register map gives twice as
  ///   much, more than filters of this bandwidth can delay.)
  func delays(of generation: MPU6050Part.Generation) -> StreamDelays {
    let isFirst = generation == .mpu6050
    let (gyro, accel) =
      switch self {
      case .hz256: isFirst ? (0.98, 0) : (0.97, 1.88)
      case .hz188: isFirst ? (1.9, 2.0) : (2.9, 1.88)
      case .hz98: isFirst ? (2.8, 3.0) : (3.9, 2.88)
      case .hz42: isFirst ? (4.8, 4.9) : (5.9, 4.88)
      case .hz20: isFirst ? (8.3, 8.5) : (9.9, 8.87)
      case .hz10: isFirst ? (13.4, 13.8) : (17.85, 16.83)
      case .hz5: isFirst ? (18.6, 19.0) : (33.48, 32.48)
      }
    return StreamDelays(rotationRate: gyro / 1000, acceleration: accel / 1000)
  }
}

/// A part of the MPU-6050's family, described by the properties in which the supported parts
/// differ. The identity read from the chip selects the part, because many parts are sold as
/// MPU-6050.
public struct MPU6050Part: ChipPart, BitwiseCopyable {
  /// The generation of the part, which selects the registers that differ between the parts.
  public enum Generation: UInt8, Sendable, BitwiseCopyable {
    /// Parts with one filter for both sensors, and a cycle mode with four wake rates.
    case mpu6050
    /// Parts with a separate filter for each sensor, a cycle mode with LP_ACCEL_ODR, and
    /// wake-on-motion.
    case mpu6500
    /// Parts with a separate filter for each sensor. Their registers for cycle mode and
    /// wake-on-motion differ from part to part (LP_MODE_CFG, thresholds for each axis), so neither
    /// is used.
    case icm20600
  }

  /// The part's identity, the contents of WHO_AM_I (0x75).
  public var identity: UInt8
  public var generation: Generation
  /// The size of the part's FIFO in bytes.
  public var fifoSize: Int
  /// True for the ICM-20600, ICM-20602 and MPU-6886, which have the registers of `ICM20602Map`.
  public var isICM20602: Bool

  @inline(__always)
  private init(
    _ identity: UInt8, _ generation: Generation, fifo: Int, isICM20602: Bool = false
  ) {
    self.identity = identity
    self.generation = generation
    fifoSize = fifo
    self.isICM20602 = isICM20602
  }

  /// Creates the part for `identity`; `nil` for an identity that no document and no public driver
  /// contains.
  public init?(identity: UInt8) {
    for index in Self.rows.indices where Self.rows[index].identity == identity {
      self = Self.rows[index]
      return
    }
    return nil
  }

  public func says(_ identity: UInt8) -> Bool { identity == self.identity }

  public static var expected: MPU6050Part { .mpu6050 }

  /// True if the part has an auxiliary I2C bus for a magnetometer.
  public var hasAuxiliaryBus: Bool { generation != .icm20600 }

  /// True for the MPU-9250 and MPU-9255, which contain a magnetometer.
  public var hasMagnetometer: Bool { identity == 0x71 || identity == 0x73 }

  /// The scale of the thermometer (register map 4.18): the counts per degree Celsius, and the
  /// temperature in degrees Celsius at 0 counts.
  @inline(__always)
  public var thermometer: (countsPerDegree: Scalar, degreesAtZero: Scalar) {
    switch generation {
    case .mpu6050: (340, 36.53)
    case .mpu6500: (333.87, 21)
    case .icm20600: (326.8, 25)
    }
  }

  /// The MPU-6000, MPU-6050 and MPU-9150.
  public static var mpu6050: MPU6050Part { MPU6050Part(0x68, .mpu6050, fifo: 1024) }

  /// The MPU-6500.
  public static var mpu6500: MPU6050Part { MPU6050Part(0x70, .mpu6500, fifo: 512) }

  /// The MPU-9250.
  public static var mpu9250: MPU6050Part { MPU6050Part(0x71, .mpu6500, fifo: 512) }

  /// All parts of the family. Identities, FIFO sizes and thermometers are from Linux's table for
  /// this family; for the MPU-6886 they are from its data sheet and M5Stack's driver. Identity 0x72
  /// is in no table, so it needs an `assumedIdentity`.
  public static let rows: InlineArray<15, MPU6050Part> = [
    MPU6050Part(0x68, .mpu6050, fifo: 1024),
    // The MPU-6500, 9250, 9255, 6515 and 6880.
    MPU6050Part(0x70, .mpu6500, fifo: 512), MPU6050Part(0x71, .mpu6500, fifo: 512),
    MPU6050Part(0x73, .mpu6500, fifo: 512), MPU6050Part(0x74, .mpu6500, fifo: 512),
    MPU6050Part(0x78, .mpu6500, fifo: 4096),
    // The ICM-20608, 20608D, 20609 and 20689.
    MPU6050Part(0xAF, .icm20600, fifo: 512), MPU6050Part(0xAE, .icm20600, fifo: 512),
    MPU6050Part(0xA6, .icm20600, fifo: 4096), MPU6050Part(0x98, .icm20600, fifo: 4096),
    // The ICM-20600 and 20602.
    MPU6050Part(0x11, .icm20600, fifo: 1008, isICM20602: true),
    MPU6050Part(0x12, .icm20600, fifo: 1008, isICM20602: true),
    // This row is the MPU-6886. Data sheet DS-000193 gives a FIFO size of 1 kB, as does the first
    // page of the ICM-20602's data sheet. If the assumed size were too large, overflows would be
    // missed, so this row has the ICM-20602's size.
    MPU6050Part(0x19, .icm20600, fifo: 1008, isICM20602: true),
    // The ICM-20690 and the IAM-20680.
    MPU6050Part(0x20, .icm20600, fifo: 1024), MPU6050Part(0xA9, .icm20600, fifo: 512),
  ]
}
