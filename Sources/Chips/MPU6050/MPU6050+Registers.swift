// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The registers of the MPU-6050 (InvenSense RM-MPU-6000A-00 revision 4.2, section 3 and 4).
public struct MPU6050Map: RegisterMap {
  // Trim codes are the factory's: every part has others.
  public let selfTestX = Register(0x0D, RW.self, reset: nil, SelfTest())
  public let selfTestY = Register(0x0E, RW.self, reset: nil, SelfTest())
  public let selfTestZ = Register(0x0F, RW.self, reset: nil, SelfTest())
  public let selfTestA = Register(
    0x10, RW.self, reset: nil,
    (
      accelXCodeLow: Bits<UInt8>(4...5), accelYCodeLow: Bits<UInt8>(2...3),
      accelZCodeLow: Bits<UInt8>(0...1)
    ))
  public let sampleRateDivider = Register(0x19, RW.self, reset: 0x00)
  public let config = Register(
    0x1A, RW.self, reset: 0x00,
    (externalSync: Bits<UInt8>(3...5), lowPassFilter: Bits<LowPassFilter>(0...2)))
  public let gyroConfig = Register(
    0x1B, RW.self, reset: 0x00,
    (selfTestX: Bit(7), selfTestY: Bit(6), selfTestZ: Bit(5), fullScale: Bits<GyroFullScale>(3...4))
  )
  public let accelConfig = Register(
    0x1C, RW.self, reset: 0x00,
    (
      selfTestX: Bit(7), selfTestY: Bit(6), selfTestZ: Bit(5),
      fullScale: Bits<AccelFullScale>(3...4)
    ))
  public let fifoEnable = Register(
    0x23, RW.self, reset: 0x00,
    (
      temperature: Bit(7), gyroX: Bit(6), gyroY: Bit(5), gyroZ: Bit(4), accel: Bit(3),
      auxiliary2: Bit(2), auxiliary1: Bit(1), auxiliary0: Bit(0)
    ))
  public let auxiliaryControl = Register(
    0x24, RW.self, reset: 0x00,
    (
      multiMaster: Bit(7), waitsForExternal: Bit(6), auxiliary3FIFO: Bit(5), stopsBetween: Bit(4),
      clock: Bits<UInt8>(0...3)
    ))
  // Four slaves for the master of the auxiliary bus, read or written with each sample, and one for
  // single bytes.
  public let slave0Address = Register(0x25, RW.self, reset: 0x00, SlaveAddress())
  public let slave0Register = Register(0x26, RW.self, reset: 0x00)
  public let slave0Control = Register(0x27, RW.self, reset: 0x00, SlaveControl())
  public let slave1Address = Register(0x28, RW.self, reset: 0x00, SlaveAddress())
  public let slave1Register = Register(0x29, RW.self, reset: 0x00)
  public let slave1Control = Register(0x2A, RW.self, reset: 0x00, SlaveControl())
  public let slave2Address = Register(0x2B, RW.self, reset: 0x00, SlaveAddress())
  public let slave2Register = Register(0x2C, RW.self, reset: 0x00)
  public let slave2Control = Register(0x2D, RW.self, reset: 0x00, SlaveControl())
  public let slave3Address = Register(0x2E, RW.self, reset: 0x00, SlaveAddress())
  public let slave3Register = Register(0x2F, RW.self, reset: 0x00)
  public let slave3Control = Register(0x30, RW.self, reset: 0x00, SlaveControl())
  public let slave4Address = Register(0x31, RW.self, reset: 0x00, SlaveAddress())
  public let slave4Register = Register(0x32, RW.self, reset: 0x00)
  public let slave4Out = Register(0x33, RW.self, reset: 0x00)
  public let slave4Control = Register(0x34, RW.self, reset: 0x00, SingleControl())
  public let slave4In = Register(0x35, RO.self, reset: 0x00)
  public let auxiliaryStatus = Register(
    0x36, RO.self, reset: 0x00, effect: .clears, AuxiliaryStatus())
  public let interruptPin = Register(
    0x37, RW.self, reset: 0x00,
    (
      activeLow: Bit(7), openDrain: Bit(6), latched: Bit(5), clearedByAnyRead: Bit(4),
      frameSyncActiveLow: Bit(3), frameSyncInterrupt: Bit(2), auxiliaryBypass: Bit(1)
    ))
  public let interruptEnable = Register(0x38, RW.self, reset: 0x00, Interrupts())
  public let interruptStatus = Register(0x3A, RO.self, reset: 0x00, effect: .clears, Interrupts())
  public let accelXHigh = Register(0x3B, RO.self, reset: 0x00)
  public let accelXLow = Register(0x3C, RO.self, reset: 0x00)
  public let accelYHigh = Register(0x3D, RO.self, reset: 0x00)
  public let accelYLow = Register(0x3E, RO.self, reset: 0x00)
  public let accelZHigh = Register(0x3F, RO.self, reset: 0x00)
  public let accelZLow = Register(0x40, RO.self, reset: 0x00)
  public let temperatureHigh = Register(0x41, RO.self, reset: 0x00)
  public let temperatureLow = Register(0x42, RO.self, reset: 0x00)
  public let gyroXHigh = Register(0x43, RO.self, reset: 0x00)
  public let gyroXLow = Register(0x44, RO.self, reset: 0x00)
  public let gyroYHigh = Register(0x45, RO.self, reset: 0x00)
  public let gyroYLow = Register(0x46, RO.self, reset: 0x00)
  public let gyroZHigh = Register(0x47, RO.self, reset: 0x00)
  public let gyroZLow = Register(0x48, RO.self, reset: 0x00)
  // What the master has read: the first of 24 alike.
  public let externalData0 = Register(0x49, RO.self, reset: 0x00)
  public let slave0Out = Register(0x63, RW.self, reset: 0x00)
  public let slave1Out = Register(0x64, RW.self, reset: 0x00)
  public let slave2Out = Register(0x65, RW.self, reset: 0x00)
  public let slave3Out = Register(0x66, RW.self, reset: 0x00)
  public let auxiliaryDelay = Register(
    0x67, RW.self, reset: 0x00,
    (
      shadowsExternal: Bit(7), slave4: Bit(4), slave3: Bit(3), slave2: Bit(2), slave1: Bit(1),
      slave0: Bit(0)
    ))
  public let signalPathReset = Register(
    0x68, WO.self, reset: 0x00, (gyro: Bit(2), accel: Bit(1), temperature: Bit(0)))
  public let userControl = Register(
    0x6A, RW.self, reset: 0x00,
    (
      fifoEnable: Bit(6), auxiliaryMasterEnable: Bit(5), i2cDisable: Bit(4), fifoReset: Bit(2),
      auxiliaryMasterReset: Bit(1), signalPathReset: Bit(0)
    ))
  public let power1 = Register(
    0x6B, RW.self, reset: 0x40,
    (
      deviceReset: Bit(7), sleep: Bit(6), cycle: Bit(5), temperatureDisable: Bit(3),
      clockSource: Bits<ClockSource>(0...2)
    ))
  // `wakeRate`: in cycle mode: 1.25, 5, 20, 40 Hz (section 4.29).
  public let power2 = Register(
    0x6C, RW.self, reset: 0x00,
    (
      wakeRate: Bits<UInt8>(6...7), standbyAccelX: Bit(5), standbyAccelY: Bit(4),
      standbyAccelZ: Bit(3), standbyGyroX: Bit(2), standbyGyroY: Bit(1), standbyGyroZ: Bit(0)
    ))
  public let fifoCountHigh = Register(0x72, RO.self, reset: 0x00)
  public let fifoCountLow = Register(0x73, RO.self, reset: 0x00)
  public let fifoData = Register(0x74, RW.self, reset: nil, effect: .popsQueue)
  public let whoAmI = Register(0x75, RO.self, reset: 0x68)
  public init() {}
}

extension MPU6050Map {
  public struct SelfTest: Sendable {
    public let accelCodeHigh = Bits<UInt8>(5...7)
    public let gyroCode = Bits<UInt8>(0...4)
  }

  /// I2C_SLV0_ADDR and its like.
  public struct SlaveAddress: Sendable {
    public let isRead = Bit(7)
    public let address = Bits<UInt8>(0...6)
  }

  /// I2C_SLV0_CTRL and its like.
  public struct SlaveControl: Sendable {
    public let enable = Bit(7)
    public let swapsBytes = Bit(6)
    public let hasNoRegister = Bit(5)
    public let groups = Bit(4)
    public let length = Bits<UInt8>(0...3)
  }

  /// I2C_SLV4_CTRL: `enable` clears itself when the byte has travelled.
  public struct SingleControl: Sendable {
    public let enable = Bit(7)
    public let interrupts = Bit(6)
    public let hasNoRegister = Bit(5)
    public let delay = Bits<UInt8>(0...4)
  }

  /// I2C_MST_STATUS.
  public struct AuxiliaryStatus: Sendable {
    public let passThrough = Bit(7)
    public let slave4Done = Bit(6)
    public let lostArbitration = Bit(5)
    public let slave4Refused = Bit(4)
    public let slave3Refused = Bit(3)
    public let slave2Refused = Bit(2)
    public let slave1Refused = Bit(1)
    public let slave0Refused = Bit(0)
  }

  public struct Interrupts: Sendable {
    /// Wake-on-motion of the MPU-6500. On the MPU-6050 older documents have a motion interrupt
    /// here.
    public let motion = Bit(6)
    public let fifoOverflow = Bit(4)
    public let auxiliaryMaster = Bit(3)
    public let dataReady = Bit(0)
  }

  /// Section 4.5: one step sets the bandwidth of both sensors; named by the gyroscope's.
  public enum LowPassFilter: UInt8, FieldValue, CaseIterable {
    case hz256 = 0, hz188, hz98, hz42, hz20, hz10, hz5
  }

  /// Section 4.4, degrees per second.
  public enum GyroFullScale: UInt8, FieldValue, CaseIterable {
    case dps250 = 0, dps500, dps1000, dps2000
  }

  /// Section 4.5, g.
  public enum AccelFullScale: UInt8, FieldValue, CaseIterable {
    case g2 = 0, g4, g8, g16
  }

  /// Section 4.28. The gyroscope's oscillators are steadier than the internal one.
  public enum ClockSource: UInt8, FieldValue, CaseIterable {
    case internalOscillator = 0, gyroX, gyroY, gyroZ, external32kHz, external19MHz
    case stopped = 7
  }
}

extension MPU6050Map.LowPassFilter {
  /// Returns the cut-off of the gyroscope's filter in Hz (RM-MPU-6000A section 4.3; RM-MPU-6500A
  /// section 4.5).
  public func bandwidth(of generation: MPU6050Part.Generation) -> Scalar {
    let isFirst = generation == .mpu6050
    return switch self {
    case .hz256: isFirst ? 256 : 250
    case .hz188: isFirst ? 188 : 184
    case .hz98: isFirst ? 98 : 92
    case .hz42: isFirst ? 42 : 41
    case .hz20: 20
    case .hz10: 10
    case .hz5: 5
    }
  }
}

extension MPU6050Map.GyroFullScale {
  public var degreesPerSecond: Scalar { Scalar(250 << Int(rawValue)) }

  var radiansPerSecond: Scalar { radians(fromDegrees: degreesPerSecond) }

  /// Typical counts per degree per second (product specification section 6.1). Full scale over
  /// 32768 gives 0.05 % more; public drivers are split between the two, and the sheet's figure is
  /// the vendor's word.
  public var countsPerDegreePerSecond: Scalar {
    switch self {
    case .dps250: 131
    case .dps500: 65.5
    case .dps1000: 32.8
    case .dps2000: 16.4
    }
  }

  /// rad/s per count: a constant each, that a small processor need not divide for it.
  var radiansPerSecondPerCount: Scalar {
    switch self {
    case .dps250: radians(fromDegrees: 1) / 131
    case .dps500: radians(fromDegrees: 1) / 65.5
    case .dps1000: radians(fromDegrees: 1) / 32.8
    case .dps2000: radians(fromDegrees: 1) / 16.4
    }
  }
}

extension MPU6050Map.AccelFullScale {
  public var g: Scalar { Scalar(2 << Int(rawValue)) }

  /// g per count, a power of two.
  var gPerCount: Scalar { g / 32768 }

  /// Counts per g (product specification section 6.2).
  public var countsPerG: Scalar { 32768 / g }
}

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
