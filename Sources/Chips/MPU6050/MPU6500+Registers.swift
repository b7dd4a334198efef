// SPDX-License-Identifier: Apache-2.0
public import Registers

/// The registers of the MPU-6500 and MPU-9250 (InvenSense RM-MPU-6500A-00 revision 2.1, section 3
/// and 4): what is not the MPU-6050's. (Of PWR_MGMT_1 the document says 0x01 after reset; Linux'
/// and PX4's authors saw 0x40. It is written, never assumed.)
public struct MPU6500Map: DerivedMap {
  public typealias Base = MPU6050Map

  // Trim codes are the factory's: every part has others.
  public let selfTestXGyro = Register(0x00, RW.self, reset: nil)
  public let selfTestYGyro = Register(0x01, RW.self, reset: nil)
  public let selfTestZGyro = Register(0x02, RW.self, reset: nil)
  public let selfTestXAccel = Register(0x0D, RW.self, reset: nil)
  public let selfTestYAccel = Register(0x0E, RW.self, reset: nil)
  public let selfTestZAccel = Register(0x0F, RW.self, reset: nil)
  // `stopsWhenFull`: a full queue takes nothing more, instead of losing its oldest.
  public let config = Register(
    0x1A, RW.self, reset: 0x00,
    (
      stopsWhenFull: Bit(6), externalSync: Bits<UInt8>(3...5),
      lowPassFilter: Bits<MPU6050Map.LowPassFilter>(0...2)
    ))
  public let gyroConfig = Register(
    0x1B, RW.self, reset: 0x00,
    (
      selfTestX: Bit(7), selfTestY: Bit(6), selfTestZ: Bit(5),
      fullScale: Bits<MPU6050Map.GyroFullScale>(3...4), filterBypass: Bits<UInt8>(0...1)
    ))
  // `lowPassFilter`: the codes are the gyroscope's, the cut-offs within a hertz or two too.
  public let accelConfig2 = Register(
    0x1D, RW.self, reset: 0x00,
    (filterBypass: Bit(3), lowPassFilter: Bits<MPU6050Map.LowPassFilter>(0...2)))
  public let lowPowerRate = Register(0x1E, RW.self, reset: 0x00, LowPowerRate())
  public let wakeOnMotionThreshold = Register(0x1F, RW.self, reset: 0x00)
  // `comparesWithPrevious`: compares each sample with the one before.
  public let motionControl = Register(
    0x69, RW.self, reset: 0x00, (enable: Bit(7), comparesWithPrevious: Bit(6)))
  public let whoAmI = Register(0x75, RO.self, reset: 0x70)
  public init() {}

  /// SELF_TEST_A.
  public static func lacks(_ address: UInt8) -> Bool { address == 0x10 }
}

extension MPU6500Map {
  public struct LowPowerRate: Sendable {
    /// 500 Hz / 2^(11 - code), up to 11.
    public let code = Bits<UInt8>(0...3)
  }
}

/// A register of its own for what the others have in USER_CTRL (ICM-20602 data sheet DS-000176,
/// register 0x70).
struct ICM20602I2CSwitch: Sendable {
  static var register: Register<ICM20602I2CSwitch, RW> {
    Register(0x70, RW.self, reset: 0x00, ICM20602I2CSwitch())
  }
  let i2cDisable = Bit(6)
  init() {}
}
