// SPDX-License-Identifier: Apache-2.0
public import Registers

/// The registers of the MPU-6500 and MPU-9250 (InvenSense RM-MPU-6500A-00 revision 2.1, section 3 and 4). Layouts that
/// are the MPU-6050's are not said twice.
public struct MPU6500Map: RegisterMap {
  // Trim codes are the factory's: every part has others.
  public let selfTestXGyro = Register(0x00, WholeByte.self, RW.self, reset: nil)
  public let selfTestYGyro = Register(0x01, WholeByte.self, RW.self, reset: nil)
  public let selfTestZGyro = Register(0x02, WholeByte.self, RW.self, reset: nil)
  public let selfTestXAccel = Register(0x0D, WholeByte.self, RW.self, reset: nil)
  public let selfTestYAccel = Register(0x0E, WholeByte.self, RW.self, reset: nil)
  public let selfTestZAccel = Register(0x0F, WholeByte.self, RW.self, reset: nil)
  public let sampleRateDivider = Register(0x19, WholeByte.self, RW.self, reset: 0x00)
  public let config = Register(0x1A, Config.self, RW.self, reset: 0x00)
  public let gyroConfig = Register(0x1B, GyroConfig.self, RW.self, reset: 0x00)
  public let accelConfig = Register(0x1C, MPU6050Map.AccelConfig.self, RW.self, reset: 0x00)
  public let accelConfig2 = Register(0x1D, AccelConfig2.self, RW.self, reset: 0x00)
  public let lowPowerRate = Register(0x1E, LowPowerRate.self, RW.self, reset: 0x00)
  public let wakeOnMotionThreshold = Register(0x1F, WholeByte.self, RW.self, reset: 0x00)
  public let fifoEnable = Register(0x23, MPU6050Map.FIFOEnable.self, RW.self, reset: 0x00)
  public let interruptPin = Register(0x37, MPU6050Map.InterruptPin.self, RW.self, reset: 0x00)
  public let interruptEnable = Register(0x38, MPU6050Map.Interrupts.self, RW.self, reset: 0x00)
  public let interruptStatus = Register(
    0x3A, MPU6050Map.Interrupts.self, RO.self, reset: 0x00, effect: .clears)
  public let accelXHigh = Register(0x3B, WholeByte.self, RO.self, reset: 0x00)
  public let accelXLow = Register(0x3C, WholeByte.self, RO.self, reset: 0x00)
  public let accelYHigh = Register(0x3D, WholeByte.self, RO.self, reset: 0x00)
  public let accelYLow = Register(0x3E, WholeByte.self, RO.self, reset: 0x00)
  public let accelZHigh = Register(0x3F, WholeByte.self, RO.self, reset: 0x00)
  public let accelZLow = Register(0x40, WholeByte.self, RO.self, reset: 0x00)
  public let temperatureHigh = Register(0x41, WholeByte.self, RO.self, reset: 0x00)
  public let temperatureLow = Register(0x42, WholeByte.self, RO.self, reset: 0x00)
  public let gyroXHigh = Register(0x43, WholeByte.self, RO.self, reset: 0x00)
  public let gyroXLow = Register(0x44, WholeByte.self, RO.self, reset: 0x00)
  public let gyroYHigh = Register(0x45, WholeByte.self, RO.self, reset: 0x00)
  public let gyroYLow = Register(0x46, WholeByte.self, RO.self, reset: 0x00)
  public let gyroZHigh = Register(0x47, WholeByte.self, RO.self, reset: 0x00)
  public let gyroZLow = Register(0x48, WholeByte.self, RO.self, reset: 0x00)
  public let signalPathReset = Register(
    0x68, MPU6050Map.SignalPathReset.self, WO.self, reset: 0x00)
  public let motionControl = Register(0x69, MotionControl.self, RW.self, reset: 0x00)
  public let userControl = Register(0x6A, MPU6050Map.UserControl.self, RW.self, reset: 0x00)
  // The document says 0x01 after reset, Linux' and PX4's authors saw 0x40: written, never assumed.
  public let power1 = Register(0x6B, MPU6050Map.Power1.self, RW.self, reset: 0x40)
  public let power2 = Register(0x6C, MPU6050Map.Power2.self, RW.self, reset: 0x00)
  public let fifoCountHigh = Register(0x72, WholeByte.self, RO.self, reset: 0x00)
  public let fifoCountLow = Register(0x73, WholeByte.self, RO.self, reset: 0x00)
  public let fifoData = Register(0x74, WholeByte.self, RW.self, reset: nil, effect: .popsQueue)
  public let whoAmI = Register(0x75, WholeByte.self, RO.self, reset: 0x70)
  public init() {}
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
