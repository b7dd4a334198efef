// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The registers of the ICM-20948 (TDK DS-000189 revision 1.3, sections 7 to 11).
public struct ICM20948Map: BankedMap {
  public static let window = RegisterWindow(selector: 0x7F, field: 0x30, 0x00...0x7E)

  // Registers of bank 0.
  public let whoAmI = RO(0x00, reset: 0xEA)
  public let userControl = RW(
    0x03,
    (
      processorEnable: Bit(7), fifoEnable: Bit(6), auxiliaryMasterEnable: Bit(5),
      i2cDisable: Bit(4), processorReset: Bit(3), memoryReset: Bit(2), auxiliaryMasterReset: Bit(1)
    ))
  public let lowPowerConfig = RW(
    0x05, reset: 0x40, (auxiliaryCycle: Bit(6), accelCycle: Bit(5), gyroCycle: Bit(4)))
  public let power1 = RW(
    0x06, reset: 0x41,
    (
      deviceReset: Bit(7), sleep: Bit(6), lowPower: Bit(5), temperatureDisable: Bit(3),
      clockSource: Bits<ClockSource>(0...2)
    ))
  public let power2 = RW(0x07, (standbyAccel: Bits(3...5), standbyGyro: Bits(0...2)))
  public let interruptPin = RW(
    0x0F,
    (
      activeLow: Bit(7), openDrain: Bit(6), latched: Bit(5), clearedByAnyRead: Bit(4),
      frameSyncActiveLow: Bit(3), frameSyncInterrupt: Bit(2), auxiliaryBypass: Bit(1)
    ))
  public let interruptEnable = RW(
    0x10,
    (
      wakeOnFrameSync: Bit(7), motion: Bit(3), clockReady: Bit(2), processor: Bit(1),
      auxiliaryMaster: Bit(0)
    ))
  public let interruptEnable1 = RW(0x11, Bit(0))
  public let interruptEnable2 = RW(0x12, Bits(0...4))
  public let interruptEnable3 = RW(0x13, Bits(0...4))
  public let auxiliaryStatus = RO(0x17, effect: .clears, MPU6050Map.AuxiliaryStatus())
  public let interruptStatus = RO(
    0x19, effect: .clears,
    (motion: Bit(3), clockReady: Bit(2), processor: Bit(1), auxiliaryMaster: Bit(0)))
  public let interruptStatus1 = RO(0x1A, effect: .clears, Bit(0))
  public let interruptStatus2 = RO(0x1B, effect: .clears, Bits(0...4))
  public let interruptStatus3 = RO(0x1C, effect: .clears, Bits(0...4))
  public let delay = RO.words(0x28, .highFirst)
  public let accel = RO.axisWords(0x2D, .highFirst)
  public let gyro = RO.axisWords(0x33, .highFirst)
  public let temperature = RO.words(0x39, .highFirst)
  // The data that the auxiliary master has read. This is the first of 24 registers with the same
  // layout.
  public let externalData0 = RO(0x3B)
  public let fifoEnable1 = RW(
    0x66, (slave3: Bit(3), slave2: Bit(2), slave1: Bit(1), slave0: Bit(0)))
  public let fifoEnable2 = RW(
    0x67, (accel: Bit(4), gyroZ: Bit(3), gyroY: Bit(2), gyroX: Bit(1), temperature: Bit(0)))
  public let fifoReset = RW(0x68, Bits(0...4))
  // One bit for each FIFO. The bit makes the FIFO stop when it is full.
  public let fifoMode = RW(0x69, Bits(0...4))
  public let fifoCount = RO.words(0x70, .highFirst)
  public let fifoData = RW(0x72, reset: nil, effect: .popsQueue)
  public let dataReadyStatus = RO(0x74, (wakeOnFrameSync: Bit(7), rawDataReady: Bits(0...3)))
  public let fifoConfig = RW(0x76, Bit(0))
  public let bankSelect = RW(0x7F, Bits(4...5))

  // Registers of bank 1. The factory sets trim codes, offsets and the clock's deviation.
  public let selfTestGyro = RW.axes(0x02, reset: nil).inBank(1)
  public let selfTestAccel = RW.axes(0x0E, reset: nil).inBank(1)
  public let accelXOffset = RW.words(0x14, .highFirst, reset: nil).inBank(1)
  public let accelYOffset = RW.words(0x17, .highFirst, reset: nil).inBank(1)
  public let accelZOffset = RW.words(0x1A, .highFirst, reset: nil).inBank(1)
  public let clockCorrection = RO.bank(1, 0x28, reset: nil)

  // Registers of bank 2.
  public let gyroDivider = RW.bank(2, 0x00)
  // `usesFilter` enables the low-pass filter; the rate divider then divides the filtered rate.
  public let gyroConfig1 = RW.bank(
    2, 0x01, reset: 0x01,
    (
      lowPassFilter: Bits<LowPassFilter>(3...5), fullScale: Bits<MPU6050Map.GyroFullScale>(1...2),
      usesFilter: Bit(0)
    ))
  public let gyroConfig2 = RW.bank(
    2, 0x02, (selfTestX: Bit(5), selfTestY: Bit(4), selfTestZ: Bit(3), averages: Bits(0...2)))
  public let gyroOffset = RW.axisWords(0x03, .highFirst).inBank(2)
  public let alignment = RW.bank(2, 0x09, Bit(0))
  public let accelDividerHigh = RW.bank(2, 0x10, Bits(0...3))
  public let accelDividerLow = RW.bank(2, 0x11)
  public let motionControl = RW.bank(2, 0x12, (enable: Bit(1), comparesWithPrevious: Bit(0)))
  public let motionThreshold = RW.bank(2, 0x13)
  public let accelConfig = RW.bank(
    2, 0x14, reset: 0x01,
    (
      lowPassFilter: Bits<LowPassFilter>(3...5), fullScale: Bits<MPU6050Map.AccelFullScale>(1...2),
      usesFilter: Bit(0)
    ))
  public let accelConfig2 = RW.bank(
    2, 0x15, (selfTestX: Bit(4), selfTestY: Bit(3), selfTestZ: Bit(2), averages: Bits(0...1)))
  public let frameSync = RW.bank(
    2, 0x52, (delayEnable: Bit(7), deglitch: Bit(5), edge: Bit(4), place: Bits(0...3)))
  public let temperatureConfig = RW.bank(2, 0x53, Bits(0...2))
  // Only bit 0 of this register is documented; bit 1 is set after a reset.
  public let moduleControl = RW.bank(
    2, 0x54, reset: 0x03, (other: Bit(1), lowPowerProcessor: Bit(0)))

  // Registers of bank 3. The auxiliary master has four slaves that are read or written with each
  // sample, and one slave for single bytes.
  public let auxiliaryRate = RW.bank(3, 0x00, Bits(0...3))
  public let auxiliaryControl = RW.bank(
    3, 0x01, (multiMaster: Bit(7), stopsBetween: Bit(4), clock: Bits(0...3)))
  public let auxiliaryDelay = RW.bank(
    3, 0x02,
    (
      shadowsExternal: Bit(7), slave4: Bit(4), slave3: Bit(3), slave2: Bit(2), slave1: Bit(1),
      slave0: Bit(0)
    ))
  public let slave0Address = RW.bank(3, 0x03, MPU6050Map.SlaveAddress())
  public let slave0Register = RW.bank(3, 0x04)
  public let slave0Control = RW.bank(3, 0x05, MPU6050Map.SlaveControl())
  public let slave0Out = RW.bank(3, 0x06)
  public let slave1Address = RW.bank(3, 0x07, MPU6050Map.SlaveAddress())
  public let slave1Register = RW.bank(3, 0x08)
  public let slave1Control = RW.bank(3, 0x09, MPU6050Map.SlaveControl())
  public let slave1Out = RW.bank(3, 0x0A)
  public let slave2Address = RW.bank(3, 0x0B, MPU6050Map.SlaveAddress())
  public let slave2Register = RW.bank(3, 0x0C)
  public let slave2Control = RW.bank(3, 0x0D, MPU6050Map.SlaveControl())
  public let slave2Out = RW.bank(3, 0x0E)
  public let slave3Address = RW.bank(3, 0x0F, MPU6050Map.SlaveAddress())
  public let slave3Register = RW.bank(3, 0x10)
  public let slave3Control = RW.bank(3, 0x11, MPU6050Map.SlaveControl())
  public let slave3Out = RW.bank(3, 0x12)
  public let slave4Address = RW.bank(3, 0x13, MPU6050Map.SlaveAddress())
  public let slave4Register = RW.bank(3, 0x14)
  public let slave4Control = RW.bank(3, 0x15, MPU6050Map.SingleControl())
  public let slave4Out = RW.bank(3, 0x16)
  public let slave4In = RO.bank(3, 0x17)
  public init() {}
}

extension ICM20948Map {
  /// The clock sources (section 8.4). `best` selects the gyroscope's clock while the gyroscope
  /// runs.
  public enum ClockSource: UInt8, FieldValue, CaseIterable {
    case internalOscillator = 0, best, best2, best3, best4, best5, internalOscillator2, stopped
  }

  /// The low-pass filters, named by the gyroscope's bandwidth (table 16). The accelerometer has
  /// other bandwidths for the same codes (table 18).
  public enum LowPassFilter: UInt8, FieldValue, CaseIterable {
    case hz197 = 0, hz152, hz120, hz51, hz24, hz12, hz6, hz361
  }
}

extension ICM20948Map.LowPassFilter {
  /// The 3 dB bandwidth of the gyroscope, in Hz (table 16).
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

  /// The 3 dB bandwidth of the accelerometer, in Hz (table 18).
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
}
