// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The registers of the BMI270 (BST-BMI270-DS000-07, section 5). Addresses and fields are also in
/// Bosch's open driver (BMI270_SensorAPI, bmi2_defs.h) and in Zephyr's and Linux's drivers. Reset
/// values are from the data sheet.
public struct BMI270Map: RegisterMap {
  public let chipID = RO(0x00, reset: 0x24)
  public let errReg = RO(
    0x02, effect: .clears,
    (auxErr: Bit(7), fifoErr: Bit(6), internalErr: Bits(1...4), fatalErr: Bit(0)))
  public let status = RO(
    0x03, reset: 0x10,
    (drdyAcc: Bit(7), drdyGyr: Bit(6), drdyAux: Bit(5), cmdRdy: Bit(4), auxBusy: Bit(2)))
  public let aux = RO.bytes(0x04, 8)
  public let acc = RO.axisWords(0x0C, .lowFirst)
  public let gyr = RO.axisWords(0x12, .lowFirst)
  public let sensorTime = RO.bytes(0x18, 3)
  public let event = RO(0x1B, reset: 0x01, effect: .clears, (errorCode: Bits(2...4), por: Bit(0)))
  public let intStatus0 = RO(0x1C, effect: .clears, FeatureInterrupts())
  public let intStatus1 = RO(
    0x1D, effect: .clears,
    (
      accDrdy: Bit(7), gyrDrdy: Bit(6), auxDrdy: Bit(5), err: Bit(2), fwm: Bit(1), ffull: Bit(0)
    ))
  public let stepOut = RO.words(0x1E, .lowFirst)
  public let gestureAndActivity = RO(0x20, (activity: Bits(3...4), gesture: Bits(0...2)))
  public let internalStatus = RO(
    0x21, (odr50HzError: Bit(6), axesRemapError: Bit(5), message: Bits<Message>(0...3)))
  public let temperature = RO.words(0x22, .lowFirst, reset: 0x8000)
  public let fifoLength0 = RO(0x24)
  public let fifoLength1 = RO(0x25, Bits(0...5))
  public let fifoData = RO(0x26, reset: nil, effect: .popsQueue)
  public let featPage = RW(0x2F, Bits(0...2))
  // The registers of the selected page of firmware functions. On page 0, register 0x38 is
  // GYR_GAIN_STATUS and register 0x3C is GYR_CAS; on page 1, register 0x33 is the high byte of
  // G_TRIG_1.
  public let features = RW.bytes(0x30, 8, reset: nil)
  public let gyrGainStatus = RW(
    0x38, reset: nil, (trigger: Bits<TriggerStatus>(3...5), saturation: Bits(0...2)))
  public let featuresMiddle = RW.bytes(0x39, 3, reset: nil)
  public let gyrCas = RW(0x3C, reset: nil, Bits(0...6))
  public let featuresEnd = RW.bytes(0x3D, 3, reset: nil)
  public let accConf = RW(
    0x40, reset: 0xA8,
    (accFilterPerf: Bit(7), accBwp: Bits<FilterMode>(4...6), accOdr: Bits<Rate>(0...3)))
  public let accRange = RW(0x41, reset: 0x02, Bits<AccelFullScale>(0...1))
  public let gyrConf = RW(
    0x42, reset: 0xA9,
    (
      gyrFilterPerf: Bit(7), gyrNoisePerf: Bit(6), gyrBwp: Bits<FilterMode>(4...5),
      gyrOdr: Bits<Rate>(0...3)
    ))
  public let gyrRange = RW(0x43, (oisRange: Bit(3), gyrRange: Bits<GyroFullScale>(0...2)))
  public let auxConf = RW(0x44, reset: 0x46, (auxOffset: Bits(4...7), auxOdr: Bits(0...3)))
  public let fifoDowns = RW(
    0x45, reset: 0x88,
    (
      accFifoFiltData: Bit(7), accFifoDowns: Bits(4...6), gyrFifoFiltData: Bit(3),
      gyrFifoDowns: Bits(0...2)
    ))
  public let fifoWtm0 = RW(0x46)
  public let fifoWtm1 = RW(0x47, reset: 0x02, Bits(0...4))
  public let fifoConfig0 = RW(0x48, reset: 0x02, (fifoTimeEn: Bit(1), fifoStopOnFull: Bit(0)))
  public let fifoConfig1 = RW(
    0x49, reset: 0x10,
    (
      fifoGyrEn: Bit(7), fifoAccEn: Bit(6), fifoAuxEn: Bit(5), fifoHeaderEn: Bit(4),
      fifoTagInt2En: Bits(2...3), fifoTagInt1En: Bits(0...1)
    ))
  public let saturation = RO(
    0x4A,
    (gyrZ: Bit(5), gyrY: Bit(4), gyrX: Bit(3), accZ: Bit(2), accY: Bit(1), accX: Bit(0)))
  public let auxDevID = RW(0x4B, reset: 0x20, Bits(1...7))
  public let auxIfConf = RW(
    0x4C, reset: 0x83,
    (
      auxManualEn: Bit(7), auxFcuWriteEn: Bit(6), manRdBurst: Bits(2...3), auxRdBurst: Bits(0...1)
    ))
  public let auxRdAddr = RW(0x4D, reset: 0x42)
  public let auxWrAddr = RW(0x4E, reset: 0x4C)
  public let auxWrData = RW(0x4F, reset: 0x02)
  public let errRegMsk = RW(
    0x52, (auxErr: Bit(7), fifoErr: Bit(6), internalErr: Bits(1...4), fatalErr: Bit(0)))
  public let int1IOCtrl = RW(0x53, PinControl())
  public let int2IOCtrl = RW(0x54, PinControl())
  public let intLatch = RW(0x55, Bit(0))
  public let int1MapFeat = RW(0x56, FeatureInterrupts())
  public let int2MapFeat = RW(0x57, FeatureInterrupts())
  public let intMapData = RW(
    0x58,
    (
      errInt2: Bit(7), drdyInt2: Bit(6), fwmInt2: Bit(5), ffullInt2: Bit(4), errInt1: Bit(3),
      drdyInt1: Bit(2), fwmInt1: Bit(1), ffullInt1: Bit(0)
    ))
  public let initCtrl = RW(0x59)
  public let initAddr0 = RW(0x5B, Bits(0...3))
  public let initAddr1 = RW(0x5C)
  public let initData = WO(0x5E, reset: nil, effect: .popsQueue)
  public let internalError = RO(
    0x5F, (featEngDisabled: Bit(4), intErr2: Bit(2), intErr1: Bit(1)))
  public let auxIfTrim = RW(0x68, reset: 0x01)
  public let gyrCrtConf = RW(0x69, (rdyForDl: Bit(3), crtRunning: Bit(2)))
  public let nvmConf = RW(0x6A, Bit(1))
  public let ifConf = RW(0x6B, (auxEn: Bit(5), oisEn: Bit(4), spi3OIS: Bit(1), spi3: Bit(0)))
  public let drv = RW(0x6C, reset: 0xFF)
  public let accSelfTest = RW(
    0x6D, (accSelfTestAmp: Bit(3), accSelfTestSign: Bit(2), accSelfTestEn: Bit(0)))
  public let gyrSelfTestAxes = RO(
    0x6E, (gyrAxisZOk: Bit(3), gyrAxisYOk: Bit(2), gyrAxisXOk: Bit(1), gyrStAxesDone: Bit(0)))
  public let nvConf = RW(
    0x70, (accOffEn: Bit(3), i2cWdtEn: Bit(2), i2cWdtSel: Bit(1), spiEn: Bit(0)))
  public let offset = RW.bytes(0x71, 6)
  public let offset6 = RW(
    0x77,
    (
      gyrGainEn: Bit(7), gyrOffEn: Bit(6), offGyrZMsb: Bits(4...5), offGyrYMsb: Bits(2...3),
      offGyrXMsb: Bits(0...1)
    ))
  public let pwrConf = RW(
    0x7C, reset: 0x03, (fupEn: Bit(2), fifoSelfWakeUp: Bit(1), advPowerSave: Bit(0)))
  public let pwrCtrl = RW(0x7D, (tempEn: Bit(3), accEn: Bit(2), gyrEn: Bit(1), auxEn: Bit(0)))
  public let cmd = WO(0x7E, Bits<Command>(0...7))
  public init() {}
}

extension BMI270Map {
  /// The interrupts of the firmware's functions.
  public struct FeatureInterrupts: Sendable {
    public let anyMotion = Bit(6)
    public let noMotion = Bit(5)
    public let wristGesture = Bit(4)
    public let wristWearWakeUp = Bit(3)
    public let activity = Bit(2)
    public let stepCounter = Bit(1)
    public let sigMotion = Bit(0)
  }

  /// The behaviour of an interrupt pin.
  public struct PinControl: Sendable {
    public let inputEn = Bit(4)
    public let outputEn = Bit(3)
    public let od = Bit(2)
    public let lvl = Bit(1)
  }

  /// The rates and the filters have the same register codes as in the BMI160. The accelerometer
  /// also has slower rates and the gyroscope 3200 Hz; these rates are left out, because both
  /// sensors share every FIFO frame and timestamp.
  public typealias Rate = BMI160Map.Rate
  public typealias FilterMode = BMI160Map.FilterMode

  /// The full scales of the accelerometer. PX4's driver names 3, 6, 12 and 24 g, but these are the
  /// full scales of the BMI088. Bosch's, Linux's and Zephyr's drivers agree with the data sheet.
  public enum AccelFullScale: UInt8, FieldValue, CaseIterable {
    case g2 = 0, g4, g8, g16
  }

  /// The full scales of the gyroscope.
  public enum GyroFullScale: UInt8, FieldValue, CaseIterable {
    case dps2000 = 0, dps1000, dps500, dps250, dps125
  }

  /// The state of the firmware.
  public enum Message: UInt8, FieldValue, CaseIterable {
    case notInitialised = 0, initialised, initialisationError, driverError, sensorsStopped
    case memoryError, startUpError, compatibilityError
  }

  /// The result of a gyroscope test: no error, a missing precondition, a download error, or an
  /// early end because the host requested it or the chip was moved (Bosch's driver,
  /// `g_trigger_status`).
  public enum TriggerStatus: UInt8, FieldValue, CaseIterable {
    case noError = 0, precondition, download, aborted
  }

  /// The commands that the CMD register accepts.
  public enum Command: UInt8, FieldValue, CaseIterable {
    case none = 0x00
    case gyroTrigger = 0x02
    case userGain = 0x03
    case programNVM = 0xA0
    case fifoFlush = 0xB0
    case softReset = 0xB6
  }
}

extension BMI270Map.AccelFullScale: AccelerationScale {
  public var g: Scalar { Scalar(2 << Int(rawValue)) }

  /// The accelerometer's g per count. The value is exact, because it is a power of two.
  public var gPerCount: Scalar { g / 32768 }
}

extension BMI270Map.GyroFullScale: RotationScale {
  public var degreesPerSecond: Scalar { Scalar(2000 >> Int(rawValue)) }

  /// The gyroscope's rad/s per count: the full scale divided by 32768, as in Bosch's examples and
  /// Linux. The data sheet gives the counts per degree per second, rounded: 16.4 instead of 16.384.
  public var radiansPerCount: Scalar { radians(fromDegrees: degreesPerSecond) / 32768 }
}
