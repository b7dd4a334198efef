// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The registers of the MPU-6050 (InvenSense RM-MPU-6000A-00 revision 4.2, sections 3 and 4).
public struct MPU6050Map: RegisterMap {
  // The chip adds these offsets to its output words. The accelerometer's offsets have 2048 counts
  // per g in bits 15 to 1, and the factory sets them for each part. The gyroscope's offsets have
  // 32.8 counts per degree per second, and are 0 after a reset. (RM-MPU-6000A lacks the offset
  // registers; they are in i2cdevlib's `setXAccelOffset` and `setXGyroOffset`, and in
  // RM-MPU-9250A-00 section 4.3.)
  public let accelOffset = RW.axisWords(0x06, .highFirst, reset: nil)
  public let gyroOffset = RW.axisWords(0x13, .highFirst)
  // The factory sets the trim codes of each part.
  public let selfTestX = RW(0x0D, reset: nil, SelfTest())
  public let selfTestY = RW(0x0E, reset: nil, SelfTest())
  public let selfTestZ = RW(0x0F, reset: nil, SelfTest())
  public let selfTestA = RW(
    0x10, reset: nil,
    (accelXCodeLow: Bits(4...5), accelYCodeLow: Bits(2...3), accelZCodeLow: Bits(0...1)))
  public let sampleRateDivider = RW(0x19)
  public let config = RW(
    0x1A, (externalSync: Bits(3...5), lowPassFilter: Bits<LowPassFilter>(0...2)))
  public let gyroConfig = RW(
    0x1B,
    (selfTestX: Bit(7), selfTestY: Bit(6), selfTestZ: Bit(5), fullScale: Bits<GyroFullScale>(3...4))
  )
  public let accelConfig = RW(
    0x1C,
    (
      selfTestX: Bit(7), selfTestY: Bit(6), selfTestZ: Bit(5),
      fullScale: Bits<AccelFullScale>(3...4)
    ))
  public let fifoEnable = RW(
    0x23,
    (
      temperature: Bit(7), gyroX: Bit(6), gyroY: Bit(5), gyroZ: Bit(4), accel: Bit(3),
      auxiliary2: Bit(2), auxiliary1: Bit(1), auxiliary0: Bit(0)
    ))
  public let auxiliaryControl = RW(
    0x24,
    (
      multiMaster: Bit(7), waitsForExternal: Bit(6), auxiliary3FIFO: Bit(5), stopsBetween: Bit(4),
      clock: Bits(0...3)
    ))
  // The auxiliary master has four slaves that are read or written with each sample, and one slave
  // for single bytes.
  public let slave0Address = RW(0x25, SlaveAddress())
  public let slave0Register = RW(0x26)
  public let slave0Control = RW(0x27, SlaveControl())
  public let slave1Address = RW(0x28, SlaveAddress())
  public let slave1Register = RW(0x29)
  public let slave1Control = RW(0x2A, SlaveControl())
  public let slave2Address = RW(0x2B, SlaveAddress())
  public let slave2Register = RW(0x2C)
  public let slave2Control = RW(0x2D, SlaveControl())
  public let slave3Address = RW(0x2E, SlaveAddress())
  public let slave3Register = RW(0x2F)
  public let slave3Control = RW(0x30, SlaveControl())
  public let slave4Address = RW(0x31, SlaveAddress())
  public let slave4Register = RW(0x32)
  public let slave4Out = RW(0x33)
  public let slave4Control = RW(0x34, SingleControl())
  public let slave4In = RO(0x35)
  public let auxiliaryStatus = RO(0x36, effect: .clears, AuxiliaryStatus())
  public let interruptPin = RW(
    0x37,
    (
      activeLow: Bit(7), openDrain: Bit(6), latched: Bit(5), clearedByAnyRead: Bit(4),
      frameSyncActiveLow: Bit(3), frameSyncInterrupt: Bit(2), auxiliaryBypass: Bit(1)
    ))
  public let interruptEnable = RW(0x38, Interrupts())
  public let interruptStatus = RO(0x3A, effect: .clears, Interrupts())
  public let accel = RO.axisWords(0x3B, .highFirst)
  public let temperature = RO.words(0x41, .highFirst)
  public let gyro = RO.axisWords(0x43, .highFirst)
  // The data that the auxiliary master has read. This is the first of 24 registers with the same
  // layout.
  public let externalData0 = RO(0x49)
  public let slaveOut = RW.bytes(0x63, 4)
  public let auxiliaryDelay = RW(
    0x67,
    (
      shadowsExternal: Bit(7), slave4: Bit(4), slave3: Bit(3), slave2: Bit(2), slave1: Bit(1),
      slave0: Bit(0)
    ))
  public let signalPathReset = WO(0x68, (gyro: Bit(2), accel: Bit(1), temperature: Bit(0)))
  public let userControl = RW(
    0x6A,
    (
      fifoEnable: Bit(6), auxiliaryMasterEnable: Bit(5), i2cDisable: Bit(4), fifoReset: Bit(2),
      auxiliaryMasterReset: Bit(1), signalPathReset: Bit(0)
    ))
  public let power1 = RW(
    0x6B, reset: 0x40,
    (
      deviceReset: Bit(7), sleep: Bit(6), cycle: Bit(5), temperatureDisable: Bit(3),
      clockSource: Bits<ClockSource>(0...2)
    ))
  // `wakeRate` is the rate in cycle mode: 1.25, 5, 20 or 40 Hz (section 4.29).
  public let power2 = RW(
    0x6C,
    (
      wakeRate: Bits(6...7), standbyAccelX: Bit(5), standbyAccelY: Bit(4), standbyAccelZ: Bit(3),
      standbyGyroX: Bit(2), standbyGyroY: Bit(1), standbyGyroZ: Bit(0)
    ))
  public let fifoCount = RO.words(0x72, .highFirst)
  public let fifoData = RW(0x74, reset: nil, effect: .popsQueue)
  public let whoAmI = RO(0x75, reset: 0x68)
  public init() {}
}

extension MPU6050Map {
  public struct SelfTest: Sendable {
    public let accelCodeHigh = Bits(5...7)
    public let gyroCode = Bits(0...4)
  }

  /// The fields of I2C_SLV0_ADDR and of the corresponding registers for the other slaves.
  public struct SlaveAddress: Sendable {
    public let isRead = Bit(7)
    public let address = Bits(0...6)
  }

  /// The fields of I2C_SLV0_CTRL and of the corresponding registers for the other slaves.
  public struct SlaveControl: Sendable {
    public let enable = Bit(7)
    public let swapsBytes = Bit(6)
    public let hasNoRegister = Bit(5)
    public let groups = Bit(4)
    public let length = Bits(0...3)
  }

  /// The fields of I2C_SLV4_CTRL. The chip clears `enable` when the byte has been transferred.
  public struct SingleControl: Sendable {
    public let enable = Bit(7)
    public let interrupts = Bit(6)
    public let hasNoRegister = Bit(5)
    public let delay = Bits(0...4)
  }

  /// The fields of I2C_MST_STATUS.
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
    /// The flag for the wake-on-motion of the MPU-6500. In older documents of the MPU-6050 this bit
    /// is a motion interrupt.
    public let motion = Bit(6)
    public let fifoOverflow = Bit(4)
    public let auxiliaryMaster = Bit(3)
    public let dataReady = Bit(0)
  }

  /// The low-pass filter (section 4.3). One code sets the bandwidth of both sensors; the cases are
  /// named by the gyroscope's bandwidth.
  public enum LowPassFilter: UInt8, FieldValue, CaseIterable {
    case hz256 = 0, hz188, hz98, hz42, hz20, hz10, hz5
  }

  /// The full scale of the gyroscope in degrees per second (section 4.4).
  public enum GyroFullScale: UInt8, FieldValue, CaseIterable {
    case dps250 = 0, dps500, dps1000, dps2000
  }

  /// The full scale of the accelerometer in g (section 4.5).
  public enum AccelFullScale: UInt8, FieldValue, CaseIterable { case g2 = 0, g4, g8, g16 }

  /// The clock sources (section 4.28). The gyroscope's oscillators are more stable than the
  /// internal oscillator.
  public enum ClockSource: UInt8, FieldValue, CaseIterable {
    case internalOscillator = 0, gyroX, gyroY, gyroZ, external32kHz, external19MHz
    case stopped = 7
  }
}

extension MPU6050Map.LowPassFilter {
  /// Returns the bandwidth of the gyroscope's filter in Hz (RM-MPU-6000A section 4.3; RM-MPU-6500A
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

extension MPU6050Map.GyroFullScale: RotationScale {
  public var degreesPerSecond: Scalar { Scalar(250 << Int(rawValue)) }

  /// The typical counts per degree per second, as the manufacturer specifies them (product
  /// specification section 6.1). Some public drivers use the full scale divided by 32768, which
  /// gives 0.05 percent more.
  public var countsPerDegreePerSecond: Scalar {
    switch self {
    case .dps250: 131
    case .dps500: 65.5
    case .dps1000: 32.8
    case .dps2000: 16.4
    }
  }

  /// The gyroscope's rad/s per count. The value is a constant for each code, which saves a division
  /// on small processors.
  public var radiansPerCount: Scalar {
    switch self {
    case .dps250: radians(fromDegrees: 1) / 131
    case .dps500: radians(fromDegrees: 1) / 65.5
    case .dps1000: radians(fromDegrees: 1) / 32.8
    case .dps2000: radians(fromDegrees: 1) / 16.4
    }
  }
}

extension MPU6050Map.AccelFullScale: AccelerationScale {
  public var g: Scalar { Scalar(2 << Int(rawValue)) }

  /// The accelerometer's g per count, which is a power of two.
  public var gPerCount: Scalar { g / 32768 }

  /// The accelerometer's counts per g (product specification section 6.2).
  public var countsPerG: Scalar { 32768 / g }
}

/// The registers of the MPU-6500 and MPU-9250 that differ from the MPU-6050 (InvenSense
/// RM-MPU-6500A-00 revision 2.1, sections 3 and 4). PWR_MGMT_1 is always written, because its reset
/// value is not certain: the document gives 0x01, but the authors of Linux and PX4 found 0x40.
public struct MPU6500Map: DerivedMap {
  public typealias Base = MPU6050Map

  // The factory sets the trim codes of each part.
  public let selfTestGyro = RW.axes(0x00, reset: nil)
  public let selfTestAccel = RW.axes(0x0D, reset: nil)
  // `stopsWhenFull` makes a full FIFO reject new data instead of dropping its oldest data.
  public let config = RW(
    0x1A,
    (
      stopsWhenFull: Bit(6), externalSync: Bits(3...5),
      lowPassFilter: Bits<MPU6050Map.LowPassFilter>(0...2)
    ))
  public let gyroConfig = RW(
    0x1B,
    (
      selfTestX: Bit(7), selfTestY: Bit(6), selfTestZ: Bit(5),
      fullScale: Bits<MPU6050Map.GyroFullScale>(3...4), filterBypass: Bits(0...1)
    ))
  // `lowPassFilter` has the gyroscope's codes; the bandwidths differ by one or two hertz.
  public let accelConfig2 = RW(
    0x1D, (filterBypass: Bit(3), lowPassFilter: Bits<MPU6050Map.LowPassFilter>(0...2)))
  public let lowPowerRate = RW(0x1E, Bits(0...3))
  public let wakeOnMotionThreshold = RW(0x1F)
  // `comparesWithPrevious` compares each sample with the previous sample.
  public let motionControl = RW(0x69, (enable: Bit(7), comparesWithPrevious: Bit(6)))
  public let whoAmI = RO(0x75, reset: 0x70)
  // The offsets have the same steps as in the MPU-6050 (registers 119 to 126; i2cdevlib selects
  // these addresses by the identity).
  public let accelXOffset = RW.words(0x77, .highFirst, reset: nil)
  public let accelYOffset = RW.words(0x7A, .highFirst, reset: nil)
  public let accelZOffset = RW.words(0x7D, .highFirst, reset: nil)
  public init() {}

  /// Returns true for SELF_TEST_A and for the accelerometer's offsets, because these parts do not
  /// have these registers at the MPU-6050's addresses.
  public static func lacks(_ address: UInt8) -> Bool {
    address == 0x10 || (0x06...0x0B).contains(address)
  }
}

/// The registers of the ICM-20600, ICM-20602 and MPU-6886 that differ from the MPU-6500 (ICM-20602
/// data sheet DS-000176, MPU-6886 data sheet DS-000193). The addresses are also in the register
/// lists of PX4's ICM20602 driver and of Linux.
public struct ICM20602Map: DerivedMap {
  public typealias Base = MPU6500Map

  // Each of the two bits enables a sensor's data and also puts the temperature into the FIFO, so
  // frames have 14 bytes, or 8 with one sensor (Linux, `inv_icm20602_scan_masks`; PX4,
  // `FIFO::DATA`).
  public let fifoEnable = RW(0x23, (gyro: Bit(4), accel: Bit(3)))
  // The factory sets the trim codes. Other parts have these codes at address 0x00. (Register lists
  // of public ICM-20600 drivers have the same addresses.)
  public let selfTestGyro = RW.axes(0x50, reset: nil)
  // The bit that disables I2C has a separate register here; in other parts this bit is in
  // USER_CTRL.
  public let i2cDisable = RW(0x70, Bit(6))
  public let userControl = RW(
    0x6A, (fifoEnable: Bit(6), fifoReset: Bit(2), signalPathReset: Bit(0)))
  public init() {}

  /// Returns true for the registers of the auxiliary bus, which these parts do not have, and for
  /// registers that these parts have at other addresses.
  public static func lacks(_ address: UInt8) -> Bool {
    switch address {
    case 0x00...0x02, 0x24...0x36, 0x49, 0x63...0x67: true
    default: false
    }
  }
}
