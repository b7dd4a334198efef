// SPDX-License-Identifier: Apache-2.0
public import Registers

/// The registers of the MPU-6500 and MPU-9250 (InvenSense RM-MPU-6500A-00 revision 2.1, section 3 and 4):
/// what is not the MPU-6050's. (Of PWR_MGMT_1 the document says 0x01 after reset; Linux' and PX4's authors
/// saw 0x40. It is written, never assumed.)
public struct MPU6500Map: DerivedMap {
  public typealias Base = MPU6050Map

  // Trim codes are the factory's: every part has others.
  public let selfTestXGyro = Register(0x00, WholeByte.self, RW.self, reset: nil)
  public let selfTestYGyro = Register(0x01, WholeByte.self, RW.self, reset: nil)
  public let selfTestZGyro = Register(0x02, WholeByte.self, RW.self, reset: nil)
  public let selfTestXAccel = Register(0x0D, WholeByte.self, RW.self, reset: nil)
  public let selfTestYAccel = Register(0x0E, WholeByte.self, RW.self, reset: nil)
  public let selfTestZAccel = Register(0x0F, WholeByte.self, RW.self, reset: nil)
  public let config = Register(0x1A, Config.self, RW.self, reset: 0x00)
  public let gyroConfig = Register(0x1B, GyroConfig.self, RW.self, reset: 0x00)
  public let accelConfig2 = Register(0x1D, AccelConfig2.self, RW.self, reset: 0x00)
  public let lowPowerRate = Register(0x1E, LowPowerRate.self, RW.self, reset: 0x00)
  public let wakeOnMotionThreshold = Register(0x1F, WholeByte.self, RW.self, reset: 0x00)
  public let motionControl = Register(0x69, MotionControl.self, RW.self, reset: 0x00)
  public let whoAmI = Register(0x75, WholeByte.self, RO.self, reset: 0x70)
  public init() {}

  /// SELF_TEST_A.
  public static func lacks(_ address: UInt8) -> Bool { address == 0x10 }
}

extension MPU6500Map {
  public struct Config: RegisterLayout {
    /// A full queue takes nothing more, instead of losing its oldest.
    public let stopsWhenFull = Bit(6)
    public let externalSync = Bits<UInt8>(3...5)
    public let lowPassFilter = Bits<MPU6050Map.LowPassFilter>(0...2)
    public init() {}
  }

  public struct GyroConfig: RegisterLayout {
    public let selfTestX = Bit(7)
    public let selfTestY = Bit(6)
    public let selfTestZ = Bit(5)
    public let fullScale = Bits<MPU6050Map.GyroFullScale>(3...4)
    public let filterBypass = Bits<UInt8>(0...1)
    public init() {}
  }

  public struct AccelConfig2: RegisterLayout {
    public let filterBypass = Bit(3)
    /// The codes are the gyroscope's, the cut-offs within a hertz or two too.
    public let lowPassFilter = Bits<MPU6050Map.LowPassFilter>(0...2)
    public init() {}
  }

  public struct LowPowerRate: RegisterLayout {
    /// 500 Hz / 2^(11 - code), up to 11.
    public let code = Bits<UInt8>(0...3)
    public init() {}
  }

  public struct MotionControl: RegisterLayout {
    public let enable = Bit(7)
    /// Compares each sample with the one before.
    public let comparesWithPrevious = Bit(6)
    public init() {}
  }
}

/// A register of its own for what the others have in USER_CTRL (ICM-20602 data sheet DS-000176, register 0x70).
struct ICM20602I2CSwitch: RegisterLayout {
  static var register: Register<ICM20602I2CSwitch, RW> {
    Register(0x70, ICM20602I2CSwitch.self, RW.self, reset: 0x00)
  }
  let i2cDisable = Bit(6)
  init() {}
}
