// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The registers of the ICM-20948 (TDK DS-000189 revision 1.3, sections 7 to 11).
public struct ICM20948Map: BankedMap {
  public static let window = RegisterWindow(selector: 0x7F, field: 0x30, 0x00...0x7E)

  // Bank 0.
  public let whoAmI = Register(0x00, RO.self, reset: 0xEA)
  public let userControl = Register(
    0x03, RW.self, reset: 0x00,
    (
      processorEnable: Bit(7), fifoEnable: Bit(6), auxiliaryMasterEnable: Bit(5),
      i2cDisable: Bit(4), processorReset: Bit(3), memoryReset: Bit(2), auxiliaryMasterReset: Bit(1)
    ))
  public let lowPowerConfig = Register(
    0x05, RW.self, reset: 0x40, (auxiliaryCycle: Bit(6), accelCycle: Bit(5), gyroCycle: Bit(4)))
  public let power1 = Register(
    0x06, RW.self, reset: 0x41,
    (
      deviceReset: Bit(7), sleep: Bit(6), lowPower: Bit(5), temperatureDisable: Bit(3),
      clockSource: Bits<ClockSource>(0...2)
    ))
  public let power2 = Register(
    0x07, RW.self, reset: 0x00, (standbyAccel: Bits<UInt8>(3...5), standbyGyro: Bits<UInt8>(0...2))
  )
  public let interruptPin = Register(
    0x0F, RW.self, reset: 0x00,
    (
      activeLow: Bit(7), openDrain: Bit(6), latched: Bit(5), clearedByAnyRead: Bit(4),
      frameSyncActiveLow: Bit(3), frameSyncInterrupt: Bit(2), auxiliaryBypass: Bit(1)
    ))
  public let interruptEnable = Register(
    0x10, RW.self, reset: 0x00,
    (
      wakeOnFrameSync: Bit(7), motion: Bit(3), clockReady: Bit(2), processor: Bit(1),
      auxiliaryMaster: Bit(0)
    ))
  public let interruptEnable1 = Register(0x11, RW.self, reset: 0x00, DataReady())
  public let interruptEnable2 = Register(0x12, RW.self, reset: 0x00, Queues())
  public let interruptEnable3 = Register(0x13, RW.self, reset: 0x00, Queues())
  public let auxiliaryStatus = Register(
    0x17, RO.self, reset: 0x00, effect: .clears, MPU6050Map.AuxiliaryStatus())
  public let interruptStatus = Register(
    0x19, RO.self, reset: 0x00, effect: .clears,
    (motion: Bit(3), clockReady: Bit(2), processor: Bit(1), auxiliaryMaster: Bit(0)))
  public let interruptStatus1 = Register(0x1A, RO.self, reset: 0x00, effect: .clears, DataReady())
  public let interruptStatus2 = Register(0x1B, RO.self, reset: 0x00, effect: .clears, Queues())
  public let interruptStatus3 = Register(0x1C, RO.self, reset: 0x00, effect: .clears, Queues())
  public let delayHigh = Register(0x28, RO.self, reset: 0x00)
  public let delayLow = Register(0x29, RO.self, reset: 0x00)
  public let accelXHigh = Register(0x2D, RO.self, reset: 0x00)
  public let accelXLow = Register(0x2E, RO.self, reset: 0x00)
  public let accelYHigh = Register(0x2F, RO.self, reset: 0x00)
  public let accelYLow = Register(0x30, RO.self, reset: 0x00)
  public let accelZHigh = Register(0x31, RO.self, reset: 0x00)
  public let accelZLow = Register(0x32, RO.self, reset: 0x00)
  public let gyroXHigh = Register(0x33, RO.self, reset: 0x00)
  public let gyroXLow = Register(0x34, RO.self, reset: 0x00)
  public let gyroYHigh = Register(0x35, RO.self, reset: 0x00)
  public let gyroYLow = Register(0x36, RO.self, reset: 0x00)
  public let gyroZHigh = Register(0x37, RO.self, reset: 0x00)
  public let gyroZLow = Register(0x38, RO.self, reset: 0x00)
  public let temperatureHigh = Register(0x39, RO.self, reset: 0x00)
  public let temperatureLow = Register(0x3A, RO.self, reset: 0x00)
  // What the auxiliary master has read: the first of 24 alike.
  public let externalData0 = Register(0x3B, RO.self, reset: 0x00)
  public let fifoEnable1 = Register(
    0x66, RW.self, reset: 0x00,
    (slave3: Bit(3), slave2: Bit(2), slave1: Bit(1), slave0: Bit(0)))
  public let fifoEnable2 = Register(
    0x67, RW.self, reset: 0x00,
    (accel: Bit(4), gyroZ: Bit(3), gyroY: Bit(2), gyroX: Bit(1), temperature: Bit(0)))
  public let fifoReset = Register(0x68, RW.self, reset: 0x00, Queues())
  // Of each queue: whether it stops when it is full.
  public let fifoMode = Register(0x69, RW.self, reset: 0x00, Queues())
  public let fifoCountHigh = Register(0x70, RO.self, reset: 0x00)
  public let fifoCountLow = Register(0x71, RO.self, reset: 0x00)
  public let fifoData = Register(0x72, RW.self, reset: nil, effect: .popsQueue)
  public let dataReadyStatus = Register(
    0x74, RO.self, reset: 0x00, (wakeOnFrameSync: Bit(7), rawDataReady: Bits<UInt8>(0...3)))
  public let fifoConfig = Register(0x76, RW.self, reset: 0x00, FIFOConfig())
  public let bankSelect = Register(0x7F, RW.self, reset: 0x00, BankSelect())

  // Bank 1. Trim codes, offsets and the clock's deviation are the factory's.
  public let selfTestXGyro = Banked(1, Register(0x02, RW.self, reset: nil))
  public let selfTestYGyro = Banked(1, Register(0x03, RW.self, reset: nil))
  public let selfTestZGyro = Banked(1, Register(0x04, RW.self, reset: nil))
  public let selfTestXAccel = Banked(1, Register(0x0E, RW.self, reset: nil))
  public let selfTestYAccel = Banked(1, Register(0x0F, RW.self, reset: nil))
  public let selfTestZAccel = Banked(1, Register(0x10, RW.self, reset: nil))
  public let accelXOffsetHigh = Banked(1, Register(0x14, RW.self, reset: nil))
  public let accelXOffsetLow = Banked(1, Register(0x15, RW.self, reset: nil))
  public let accelYOffsetHigh = Banked(1, Register(0x17, RW.self, reset: nil))
  public let accelYOffsetLow = Banked(1, Register(0x18, RW.self, reset: nil))
  public let accelZOffsetHigh = Banked(1, Register(0x1A, RW.self, reset: nil))
  public let accelZOffsetLow = Banked(1, Register(0x1B, RW.self, reset: nil))
  public let clockCorrection = Banked(1, Register(0x28, RO.self, reset: nil))

  // Bank 2.
  public let gyroDivider = Banked(2, Register(0x00, RW.self, reset: 0x00))
  // `usesFilter`: the rates that the divider divides are those behind it.
  public let gyroConfig1 = Banked(
    2,
    Register(
      0x01, RW.self, reset: 0x01,
      (
        lowPassFilter: Bits<LowPassFilter>(3...5), fullScale: Bits<MPU6050Map.GyroFullScale>(1...2),
        usesFilter: Bit(0)
      )))
  public let gyroConfig2 = Banked(
    2,
    Register(
      0x02, RW.self, reset: 0x00,
      (selfTestX: Bit(5), selfTestY: Bit(4), selfTestZ: Bit(3), averages: Bits<UInt8>(0...2))))
  public let gyroXOffsetHigh = Banked(2, Register(0x03, RW.self, reset: 0x00))
  public let gyroXOffsetLow = Banked(2, Register(0x04, RW.self, reset: 0x00))
  public let gyroYOffsetHigh = Banked(2, Register(0x05, RW.self, reset: 0x00))
  public let gyroYOffsetLow = Banked(2, Register(0x06, RW.self, reset: 0x00))
  public let gyroZOffsetHigh = Banked(2, Register(0x07, RW.self, reset: 0x00))
  public let gyroZOffsetLow = Banked(2, Register(0x08, RW.self, reset: 0x00))
  public let alignment = Banked(2, Register(0x09, RW.self, reset: 0x00, Alignment()))
  public let accelDividerHigh = Banked(2, Register(0x10, RW.self, reset: 0x00, DividerHigh()))
  public let accelDividerLow = Banked(2, Register(0x11, RW.self, reset: 0x00))
  public let motionControl = Banked(
    2, Register(0x12, RW.self, reset: 0x00, (enable: Bit(1), comparesWithPrevious: Bit(0))))
  public let motionThreshold = Banked(2, Register(0x13, RW.self, reset: 0x00))
  public let accelConfig = Banked(
    2,
    Register(
      0x14, RW.self, reset: 0x01,
      (
        lowPassFilter: Bits<LowPassFilter>(3...5),
        fullScale: Bits<MPU6050Map.AccelFullScale>(1...2), usesFilter: Bit(0)
      )))
  public let accelConfig2 = Banked(
    2,
    Register(
      0x15, RW.self, reset: 0x00,
      (selfTestX: Bit(4), selfTestY: Bit(3), selfTestZ: Bit(2), averages: Bits<UInt8>(0...1))))
  public let frameSync = Banked(
    2,
    Register(
      0x52, RW.self, reset: 0x00,
      (delayEnable: Bit(7), deglitch: Bit(5), edge: Bit(4), place: Bits<UInt8>(0...3))))
  public let temperatureConfig = Banked(2, Register(0x53, RW.self, reset: 0x00, Temperature()))
  public let moduleControl = Banked(2, Register(0x54, RW.self, reset: 0x03, ModuleControl()))

  // Bank 3. Four slaves for the master of the auxiliary bus, read or written with each sample, and
  // one for single bytes.
  public let auxiliaryRate = Banked(3, Register(0x00, RW.self, reset: 0x00, AuxiliaryRate()))
  public let auxiliaryControl = Banked(
    3,
    Register(
      0x01, RW.self, reset: 0x00,
      (multiMaster: Bit(7), stopsBetween: Bit(4), clock: Bits<UInt8>(0...3))))
  public let auxiliaryDelay = Banked(
    3,
    Register(
      0x02, RW.self, reset: 0x00,
      (
        shadowsExternal: Bit(7), slave4: Bit(4), slave3: Bit(3), slave2: Bit(2), slave1: Bit(1),
        slave0: Bit(0)
      )))
  public let slave0Address = Banked(
    3, Register(0x03, RW.self, reset: 0x00, MPU6050Map.SlaveAddress()))
  public let slave0Register = Banked(3, Register(0x04, RW.self, reset: 0x00))
  public let slave0Control = Banked(
    3, Register(0x05, RW.self, reset: 0x00, MPU6050Map.SlaveControl()))
  public let slave0Out = Banked(3, Register(0x06, RW.self, reset: 0x00))
  public let slave1Address = Banked(
    3, Register(0x07, RW.self, reset: 0x00, MPU6050Map.SlaveAddress()))
  public let slave1Register = Banked(3, Register(0x08, RW.self, reset: 0x00))
  public let slave1Control = Banked(
    3, Register(0x09, RW.self, reset: 0x00, MPU6050Map.SlaveControl()))
  public let slave1Out = Banked(3, Register(0x0A, RW.self, reset: 0x00))
  public let slave2Address = Banked(
    3, Register(0x0B, RW.self, reset: 0x00, MPU6050Map.SlaveAddress()))
  public let slave2Register = Banked(3, Register(0x0C, RW.self, reset: 0x00))
  public let slave2Control = Banked(
    3, Register(0x0D, RW.self, reset: 0x00, MPU6050Map.SlaveControl()))
  public let slave2Out = Banked(3, Register(0x0E, RW.self, reset: 0x00))
  public let slave3Address = Banked(
    3, Register(0x0F, RW.self, reset: 0x00, MPU6050Map.SlaveAddress()))
  public let slave3Register = Banked(3, Register(0x10, RW.self, reset: 0x00))
  public let slave3Control = Banked(
    3, Register(0x11, RW.self, reset: 0x00, MPU6050Map.SlaveControl()))
  public let slave3Out = Banked(3, Register(0x12, RW.self, reset: 0x00))
  public let slave4Address = Banked(
    3, Register(0x13, RW.self, reset: 0x00, MPU6050Map.SlaveAddress()))
  public let slave4Register = Banked(3, Register(0x14, RW.self, reset: 0x00))
  public let slave4Control = Banked(
    3, Register(0x15, RW.self, reset: 0x00, MPU6050Map.SingleControl()))
  public let slave4Out = Banked(3, Register(0x16, RW.self, reset: 0x00))
  public let slave4In = Banked(3, Register(0x17, RO.self, reset: 0x00))
  public init() {}
}

extension ICM20948Map {
  public struct DataReady: Sendable {
    public let dataReady = Bit(0)
  }

  /// Of five queues the first is what others call theirs.
  public struct Queues: Sendable {
    public let queues = Bits<UInt8>(0...4)
  }

  public struct FIFOConfig: Sendable {
    public let oneForEach = Bit(0)
  }

  public struct BankSelect: Sendable {
    public let bank = Bits<UInt8>(4...5)
  }

  public struct Alignment: Sendable {
    public let enable = Bit(0)
  }

  public struct AuxiliaryRate: Sendable {
    public let halvings = Bits<UInt8>(0...3)
  }

  public struct DividerHigh: Sendable {
    public let value = Bits<UInt8>(0...3)
  }

  public struct Temperature: Sendable {
    public let lowPassFilter = Bits<UInt8>(0...2)
  }

  /// Undocumented but for bit 0; the other is set after a reset.
  public struct ModuleControl: Sendable {
    public let other = Bit(1)
    public let lowPowerProcessor = Bit(0)
  }

  /// Section 8.4. `best`: the gyroscope's clock while it runs.
  public enum ClockSource: UInt8, FieldValue, CaseIterable {
    case internalOscillator = 0, best, best2, best3, best4, best5, internalOscillator2, stopped
  }

  /// Tables 16 and 18, named by the gyroscope's cut-off; the accelerometer's differ.
  public enum LowPassFilter: UInt8, FieldValue, CaseIterable {
    case hz197 = 0, hz152, hz120, hz51, hz24, hz12, hz6, hz361
  }
}

extension ICM20948Map.LowPassFilter {
  /// The gyroscope's bandwidth at -3 dB, in Hz (table 16).
  public var gyroBandwidth: Scalar {
    switch self {
    case .hz197: 196.6
    case .hz152: 151.8
    case .hz120: 119.5
    case .hz51: 51.2
    case .hz24: 23.9
    case .hz12: 11.6
    case .hz6: 5.7
    case .hz361: 361.4
    }
  }

  /// The accelerometer's bandwidth at -3 dB, in Hz (table 18).
  public var accelBandwidth: Scalar {
    switch self {
    case .hz197, .hz152: 246
    case .hz120: 111.4
    case .hz51: 50.4
    case .hz24: 23.9
    case .hz12: 11.5
    case .hz6: 5.7
    case .hz361: 473
    }
  }

  /// Returns the widest that is no wider than `bandwidth`, else the narrowest.
  static func widest(within bandwidth: Scalar, _ size: (Self) -> Scalar) -> Self {
    var found = Self.hz6
    for filter in allCases where size(filter) <= bandwidth && size(filter) > size(found) {
      found = filter
    }
    return found
  }
}
