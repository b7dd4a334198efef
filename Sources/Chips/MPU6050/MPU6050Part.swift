// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Sensors

/// A row of the family: what differs between parts that one driver serves. The identity that is
/// read from the chip selects the row; boards are sold as MPU-6050 with many of them.
public struct MPU6050Part: ChipPart, BitwiseCopyable {
  /// The generation whose registers it has beyond those that all share.
  public enum Generation: UInt8, Sendable, BitwiseCopyable {
    /// One filter for both sensors, cycle mode with four wake rates.
    case mpu6050
    /// A filter for each sensor, cycle mode by LP_ACCEL_ODR, wake-on-motion.
    case mpu6500
    /// A filter for each sensor. Where cycle mode and wake-on-motion are differs from part to part
    /// (LP_MODE_CFG, thresholds axis by axis), so neither is used.
    case icm20600
  }

  /// The contents of WHO_AM_I (0x75).
  public var identity: UInt8
  public var generation: Generation
  /// Bytes that its queue holds.
  public var fifoSize: Int
  /// True where I2C_IF_DIS is bit 6 of a register of its own (0x70) instead of bit 4 of USER_CTRL.
  public var hasOwnI2CSwitch: Bool

  @inline(__always)
  private init(
    _ identity: UInt8, _ generation: Generation, fifo: Int, ownI2CSwitch: Bool = false
  ) {
    self.identity = identity
    self.generation = generation
    fifoSize = fifo
    hasOwnI2CSwitch = ownI2CSwitch
  }

  /// Creates the row of `identity`; `nil` for one that no document and no public driver names.
  public init?(identity: UInt8) {
    for index in Self.rows.indices where Self.rows[index].identity == identity {
      self = Self.rows[index]
      return
    }
    return nil
  }

  public func says(_ identity: UInt8) -> Bool { identity == self.identity }

  public static var expected: MPU6050Part { .mpu6050 }

  /// True where it has a second bus for a magnetometer.
  public var hasAuxiliaryBus: Bool { generation != .icm20600 }

  /// A magnetometer is inside it: of the MPU-9250 and the MPU-9255.
  public var hasMagnetometer: Bool { identity == 0x71 || identity == 0x73 }

  /// The thermometer (register map 4.18): counts per degree Celsius, and degrees where it counts 0.
  @inline(__always)
  public var thermometer: (countsPerDegree: Scalar, degreesAtZero: Scalar) {
    switch generation {
    case .mpu6050: (340, 36.53)
    case .mpu6500: (333.87, 21)
    case .icm20600: (326.8, 25)
    }
  }

  /// MPU-6000, MPU-6050, MPU-9150.
  public static var mpu6050: MPU6050Part { MPU6050Part(0x68, .mpu6050, fifo: 1024) }

  /// MPU-6500.
  public static var mpu6500: MPU6050Part { MPU6050Part(0x70, .mpu6500, fifo: 512) }

  /// MPU-9250.
  public static var mpu9250: MPU6050Part { MPU6050Part(0x71, .mpu6500, fifo: 512) }

  /// ICM-20602.
  public static var icm20602: MPU6050Part {
    MPU6050Part(0x12, .icm20600, fifo: 1008, ownI2CSwitch: true)
  }

  /// The rows of all parts. Identities, queues and thermometers are those of Linux' table of this
  /// family; 0x72 is in no table and needs to be told what to be treated as.
  public static let rows: InlineArray<14, MPU6050Part> = [
    MPU6050Part(0x68, .mpu6050, fifo: 1024),
    // MPU-6500, 9250, 9255, 6515, 6880.
    MPU6050Part(0x70, .mpu6500, fifo: 512),
    MPU6050Part(0x71, .mpu6500, fifo: 512),
    MPU6050Part(0x73, .mpu6500, fifo: 512),
    MPU6050Part(0x74, .mpu6500, fifo: 512),
    MPU6050Part(0x78, .mpu6500, fifo: 4096),
    // ICM-20608, 20608D, 20609, 20689.
    MPU6050Part(0xAF, .icm20600, fifo: 512),
    MPU6050Part(0xAE, .icm20600, fifo: 512),
    MPU6050Part(0xA6, .icm20600, fifo: 4096),
    MPU6050Part(0x98, .icm20600, fifo: 4096),
    // ICM-20600, 20602.
    MPU6050Part(0x11, .icm20600, fifo: 1008, ownI2CSwitch: true),
    MPU6050Part(0x12, .icm20600, fifo: 1008, ownI2CSwitch: true),
    // ICM-20690, IAM-20680.
    MPU6050Part(0x20, .icm20600, fifo: 1024),
    MPU6050Part(0xA9, .icm20600, fifo: 512),
  ]
}
