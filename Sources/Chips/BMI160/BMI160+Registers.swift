// SPDX-License-Identifier: Apache-2.0
public import Registers

/// The registers of the BMI160. Addresses, fields and reset values as the vendor's open driver
/// (BMI160_SensorAPI), Linux and the emulator of ChromiumOS have them; where they disagree, the
/// line says so.
public struct BMI160Map: RegisterMap {
  public let chipID = Register(0x00, RO.self, reset: 0xD1)
  public let errReg = Register(
    0x02, RO.self, reset: 0x00, effect: .clears,
    (magDrdyErr: Bit(7), dropCmdErr: Bit(6), errCode: Bits<UInt8>(1...4), fatalErr: Bit(0)))
  public let pmuStatus = Register(
    0x03, RO.self, reset: 0x00,
    (
      accPmuStatus: Bits<PowerMode>(4...5), gyrPmuStatus: Bits<PowerMode>(2...3),
      magPmuStatus: Bits<PowerMode>(0...1)
    ))
  public let magXLow = Register(0x04, RO.self, reset: 0x00)
  public let magXHigh = Register(0x05, RO.self, reset: 0x00)
  public let magYLow = Register(0x06, RO.self, reset: 0x00)
  public let magYHigh = Register(0x07, RO.self, reset: 0x00)
  public let magZLow = Register(0x08, RO.self, reset: 0x00)
  public let magZHigh = Register(0x09, RO.self, reset: 0x00)
  public let rhallLow = Register(0x0A, RO.self, reset: 0x00)
  public let rhallHigh = Register(0x0B, RO.self, reset: 0x00)
  public let gyrXLow = Register(0x0C, RO.self, reset: 0x00)
  public let gyrXHigh = Register(0x0D, RO.self, reset: 0x00)
  public let gyrYLow = Register(0x0E, RO.self, reset: 0x00)
  public let gyrYHigh = Register(0x0F, RO.self, reset: 0x00)
  public let gyrZLow = Register(0x10, RO.self, reset: 0x00)
  public let gyrZHigh = Register(0x11, RO.self, reset: 0x00)
  public let accXLow = Register(0x12, RO.self, reset: 0x00)
  public let accXHigh = Register(0x13, RO.self, reset: 0x00)
  public let accYLow = Register(0x14, RO.self, reset: 0x00)
  public let accYHigh = Register(0x15, RO.self, reset: 0x00)
  public let accZLow = Register(0x16, RO.self, reset: 0x00)
  public let accZHigh = Register(0x17, RO.self, reset: 0x00)
  public let sensortime0 = Register(0x18, RO.self, reset: 0x00)
  public let sensortime1 = Register(0x19, RO.self, reset: 0x00)
  public let sensortime2 = Register(0x1A, RO.self, reset: 0x00)
  public let status = Register(
    0x1B, RO.self, reset: 0x01,
    (
      drdyAcc: Bit(7), drdyGyr: Bit(6), drdyMag: Bit(5), nvmRdy: Bit(4), focRdy: Bit(3),
      magManOp: Bit(2), gyrSelfTestOk: Bit(1)
    ))
  public let intStatus0 = Register(
    0x1C, RO.self, reset: 0x00,
    (
      flatInt: Bit(7), orientInt: Bit(6), sTapInt: Bit(5), dTapInt: Bit(4), pmuTriggerInt: Bit(3),
      anymInt: Bit(2), sigmotInt: Bit(1), stepInt: Bit(0)
    ))
  public let intStatus1 = Register(
    0x1D, RO.self, reset: 0x00,
    (
      nomoInt: Bit(7), fwmInt: Bit(6), ffullInt: Bit(5), drdyInt: Bit(4), lowgInt: Bit(3),
      highgInt: Bit(2)
    ))
  public let intStatus2 = Register(
    0x1E, RO.self, reset: 0x00,
    (
      tapSign: Bit(7), tapFirstZ: Bit(6), tapFirstY: Bit(5), tapFirstX: Bit(4), anymSign: Bit(3),
      anymFirstZ: Bit(2), anymFirstY: Bit(1), anymFirstX: Bit(0)
    ))
  public let intStatus3 = Register(
    0x1F, RO.self, reset: 0x00,
    (
      flat: Bit(7), orient2: Bit(6), orient10: Bits<UInt8>(4...5), highSign: Bit(3),
      highFirstZ: Bit(2), highFirstY: Bit(1), highFirstX: Bit(0)
    ))
  public let temperature0 = Register(0x20, RO.self, reset: 0x00)
  public let temperature1 = Register(0x21, RO.self, reset: 0x80)
  public let fifoLength0 = Register(0x22, RO.self, reset: 0x00)
  public let fifoLength1 = Register(0x23, RO.self, reset: 0x00, FIFOLength1())
  public let fifoData = Register(0x24, RO.self, reset: nil, effect: .popsQueue)
  public let accConf = Register(
    0x40, RW.self, reset: 0x28,
    (accUs: Bit(7), accBwp: Bits<FilterMode>(4...6), accOdr: Bits<Rate>(0...3)))
  public let accRange = Register(0x41, RW.self, reset: 0x03, AccelRangeRegister())
  public let gyrConf = Register(
    0x42, RW.self, reset: 0x28, (gyrBwp: Bits<FilterMode>(4...5), gyrOdr: Bits<Rate>(0...3)))
  public let gyrRange = Register(0x43, RW.self, reset: 0x00, GyroRangeRegister())
  public let magConf = Register(0x44, RW.self, reset: 0x0B, MagConf())
  public let fifoDowns = Register(
    0x45, RW.self, reset: 0x88,
    (
      accFifoFiltData: Bit(7), accFifoDowns: Bits<UInt8>(4...6), gyrFifoFiltData: Bit(3),
      gyrFifoDowns: Bits<UInt8>(0...2)
    ))
  public let fifoConfig0 = Register(0x46, RW.self, reset: 0x80)
  public let fifoConfig1 = Register(
    0x47, RW.self, reset: 0x10,
    (
      fifoGyrEn: Bit(7), fifoAccEn: Bit(6), fifoMagEn: Bit(5), fifoHeaderEn: Bit(4),
      fifoTagInt1En: Bit(3), fifoTagInt2En: Bit(2), fifoTimeEn: Bit(1)
    ))
  public let magIf0 = Register(0x4B, RW.self, reset: 0x20, MagIf0())
  public let magIf1 = Register(
    0x4C, RW.self, reset: 0x80,
    (magManualEn: Bit(7), magOffset: Bits<UInt8>(2...5), magRdBurst: Bits<UInt8>(0...1)))
  public let magIf2 = Register(0x4D, RW.self, reset: 0x42)
  public let magIf3 = Register(0x4E, RW.self, reset: 0x4C)
  public let magIf4 = Register(0x4F, RW.self, reset: 0x00)
  public let intEn0 = Register(
    0x50, RW.self, reset: 0x00,
    (
      flatEn: Bit(7), orientEn: Bit(6), sTapEn: Bit(5), dTapEn: Bit(4), anymoZ: Bit(2),
      anymoY: Bit(1), anymoX: Bit(0)
    ))
  public let intEn1 = Register(
    0x51, RW.self, reset: 0x00,
    (
      fwmEn: Bit(6), ffullEn: Bit(5), drdyEn: Bit(4), lowgEn: Bit(3), highgZ: Bit(2),
      highgY: Bit(1), highgX: Bit(0)
    ))
  public let intEn2 = Register(
    0x52, RW.self, reset: 0x00, (stepDetEn: Bit(3), nomoZ: Bit(2), nomoY: Bit(1), nomoX: Bit(0)))
  public let intOutCtrl = Register(
    0x53, RW.self, reset: 0x00,
    (
      int2OutputEn: Bit(7), int2Od: Bit(6), int2Lvl: Bit(5), int2Edge: Bit(4), int1OutputEn: Bit(3),
      int1Od: Bit(2), int1Lvl: Bit(1), int1Edge: Bit(0)
    ))
  public let intLatch = Register(
    0x54, RW.self, reset: 0x00,
    (int2InputEn: Bit(5), int1InputEn: Bit(4), intLatch: Bits<UInt8>(0...3)))
  public let intMap0 = Register(0x55, RW.self, reset: 0x00, IntMap())
  public let intMap1 = Register(
    0x56, RW.self, reset: 0x00,
    (
      int1Drdy: Bit(7), int1Fwm: Bit(6), int1Ffull: Bit(5), int1Pmu: Bit(4), int2Drdy: Bit(3),
      int2Fwm: Bit(2), int2Ffull: Bit(1), int2Pmu: Bit(0)
    ))
  public let intMap2 = Register(0x57, RW.self, reset: 0x00, IntMap())
  public let intData0 = Register(0x58, RW.self, reset: 0x00, (lowhighSrc: Bit(7), tapSrc: Bit(3)))
  public let intData1 = Register(0x59, RW.self, reset: 0x00, IntData1())
  public let intLowhigh0 = Register(0x5A, RW.self, reset: 0x07)
  public let intLowhigh1 = Register(0x5B, RW.self, reset: 0x30)
  public let intLowhigh2 = Register(
    0x5C, RW.self, reset: 0x81,
    (highHy: Bits<UInt8>(6...7), lowMode: Bit(2), lowHy: Bits<UInt8>(0...1)))
  // Public sources disagree on this reset value.
  public let intLowhigh3 = Register(0x5D, RW.self, reset: 0x0B)
  public let intLowhigh4 = Register(0x5E, RW.self, reset: 0xC0)
  public let intMotion0 = Register(
    0x5F, RW.self, reset: 0x00, (slowNoMotDur: Bits<UInt8>(2...7), anymDur: Bits<UInt8>(0...1)))
  public let intMotion1 = Register(0x60, RW.self, reset: 0x14)
  public let intMotion2 = Register(0x61, RW.self, reset: 0x14)
  public let intMotion3 = Register(
    0x62, RW.self, reset: 0x24,
    (
      sigMotProof: Bits<UInt8>(4...5), sigMotSkip: Bits<UInt8>(2...3), sigMotSel: Bit(1),
      noMotSel: Bit(0)
    ))
  public let intTap0 = Register(
    0x63, RW.self, reset: 0x04, (tapQuiet: Bit(7), tapShock: Bit(6), tapDur: Bits<UInt8>(0...2)))
  // Public sources disagree on this reset value.
  public let intTap1 = Register(0x64, RW.self, reset: 0x0A, IntTap1())
  public let intOrient0 = Register(
    0x65, RW.self, reset: 0x18,
    (
      orientHyst: Bits<UInt8>(4...7), orientBlocking: Bits<UInt8>(2...3),
      orientMode: Bits<UInt8>(0...1)
    ))
  public let intOrient1 = Register(
    0x66, RW.self, reset: 0x48,
    (orientAxesEx: Bit(7), orientUdEn: Bit(6), orientTheta: Bits<UInt8>(0...5)))
  public let intFlat0 = Register(0x67, RW.self, reset: 0x08, IntFlat0())
  public let intFlat1 = Register(
    0x68, RW.self, reset: 0x11, (flatHoldTime: Bits<UInt8>(4...5), flatHy: Bits<UInt8>(0...2)))
  public let focConf = Register(
    0x69, RW.self, reset: 0x00,
    (
      focGyrEn: Bit(6), focAccX: Bits<UInt8>(4...5), focAccY: Bits<UInt8>(2...3),
      focAccZ: Bits<UInt8>(0...1)
    ))
  public let conf = Register(0x6A, RW.self, reset: 0x00, NVMControl())
  public let ifConf = Register(
    0x6B, RW.self, reset: 0x00, (ifMode: Bits<UInt8>(4...5), spi3: Bit(0)))
  public let pmuTrigger = Register(
    0x6C, RW.self, reset: 0x00,
    (
      wakeupInt: Bit(6), gyrSleepState: Bit(5), gyrWakeupTrigger: Bits<UInt8>(3...4),
      gyrSleepTrigger: Bits<UInt8>(0...2)
    ))
  public let selfTest = Register(
    0x6D, RW.self, reset: 0x00,
    (
      gyrSelfTestEn: Bit(4), accSelfTestAmp: Bit(3), accSelfTestSign: Bit(2),
      accSelfTestEn: Bits<UInt8>(0...1)
    ))
  public let nvConf = Register(
    0x70, RW.self, reset: nil,
    (uSpare0: Bits<UInt8>(4...7), i2cWdtEn: Bit(2), i2cWdtSel: Bit(1), spiEn: Bit(0)))
  public let offset0 = Register(0x71, RW.self, reset: 0x00)
  public let offset1 = Register(0x72, RW.self, reset: 0x00)
  public let offset2 = Register(0x73, RW.self, reset: 0x00)
  public let offset3 = Register(0x74, RW.self, reset: 0x00)
  public let offset4 = Register(0x75, RW.self, reset: 0x00)
  public let offset5 = Register(0x76, RW.self, reset: 0x00)
  public let offset6 = Register(
    0x77, RW.self, reset: 0x00,
    (
      gyrOffEn: Bit(7), accOffEn: Bit(6), offGyrZMsb: Bits<UInt8>(4...5),
      offGyrYMsb: Bits<UInt8>(2...3), offGyrXMsb: Bits<UInt8>(0...1)
    ))
  public let stepCnt0 = Register(0x78, RO.self, reset: 0x00)
  public let stepCnt1 = Register(0x79, RO.self, reset: 0x00)
  // Public sources disagree on this reset value.
  public let stepConf0 = Register(0x7A, RW.self, reset: 0x15)
  // Public sources disagree on this reset value.
  public let stepConf1 = Register(
    0x7B, RW.self, reset: 0x03, (stepCntEn: Bit(3), stepConf108: Bits<UInt8>(0...2)))
  public let cmd = Register(0x7E, WO.self, reset: 0x03, CommandRegister())
  public init() {}
}

// Fields that are one alone, or of two registers.
extension BMI160Map {
  public struct FIFOLength1: Sendable {
    public let fifoByteCounter = Bits<UInt8>(0...2)
  }

  public struct AccelRangeRegister: Sendable {
    public let accRange = Bits<AccelRange>(0...3)
  }

  public struct GyroRangeRegister: Sendable {
    public let gyrRange = Bits<GyroRange>(0...2)
  }

  public struct MagConf: Sendable {
    public let magOdr = Bits<UInt8>(0...3)
  }

  public struct MagIf0: Sendable {
    public let magI2cAddr = Bits<UInt8>(1...7)
  }

  /// The detections that an interrupt pin carries: INT_MAP[0] for INT1, INT_MAP[2] for INT2.
  public struct IntMap: Sendable {
    public let flat = Bit(7)
    public let orient = Bit(6)
    public let sTap = Bit(5)
    public let dTap = Bit(4)
    public let nomotion = Bit(3)
    /// Any motion or significant motion, whichever is selected.
    public let anymotion = Bit(2)
    public let highg = Bit(1)
    /// Free fall and steps share a bit.
    public let lowgStep = Bit(0)
  }

  public struct IntData1: Sendable {
    public let motionSrc = Bit(7)
  }

  public struct IntTap1: Sendable {
    public let tapTh = Bits<UInt8>(0...4)
  }

  public struct IntFlat0: Sendable {
    public let flatTheta = Bits<UInt8>(0...5)
  }

  public struct NVMControl: Sendable {
    public let nvmProgEn = Bit(1)
  }

  public struct CommandRegister: Sendable {
    public let cmd = Bits<Command>(0...7)
  }
}
