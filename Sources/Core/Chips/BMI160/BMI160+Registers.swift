// SPDX-License-Identifier: Apache-2.0
public import Registers

/// The registers of the BMI160. Addresses, fields and reset values are from the manufacturer's open
/// driver (BMI160_SensorAPI), Linux and ChromiumOS's emulator; comments mark values on which these
/// sources disagree.
public struct BMI160Map: RegisterMap {
  public let chipID = RO(0x00, reset: 0xD1)
  public let errReg = RO(
    0x02, effect: .clears,
    (magDrdyErr: Bit(7), dropCmdErr: Bit(6), errCode: Bits(1...4), fatalErr: Bit(0)))
  public let pmuStatus = RO(
    0x03,
    (
      accPmuStatus: Bits<PowerMode>(4...5), gyrPmuStatus: Bits<PowerMode>(2...3),
      magPmuStatus: Bits<PowerMode>(0...1)
    ))
  public let mag = RO.axisWords(0x04, .lowFirst)
  public let rhall = RO.words(0x0A, .lowFirst)
  public let gyr = RO.axisWords(0x0C, .lowFirst)
  public let acc = RO.axisWords(0x12, .lowFirst)
  public let sensorTime = RO.bytes(0x18, 3)
  public let status = RO(
    0x1B, reset: 0x01,
    (
      drdyAcc: Bit(7), drdyGyr: Bit(6), drdyMag: Bit(5), nvmRdy: Bit(4), focRdy: Bit(3),
      magManOp: Bit(2), gyrSelfTestOk: Bit(1)
    ))
  public let intStatus0 = RO(
    0x1C,
    (
      flatInt: Bit(7), orientInt: Bit(6), sTapInt: Bit(5), dTapInt: Bit(4), pmuTriggerInt: Bit(3),
      anymInt: Bit(2), sigmotInt: Bit(1), stepInt: Bit(0)
    ))
  public let intStatus1 = RO(
    0x1D,
    (
      nomoInt: Bit(7), fwmInt: Bit(6), ffullInt: Bit(5), drdyInt: Bit(4), lowgInt: Bit(3),
      highgInt: Bit(2)
    ))
  public let intStatus2 = RO(
    0x1E,
    (
      tapSign: Bit(7), tapFirstZ: Bit(6), tapFirstY: Bit(5), tapFirstX: Bit(4), anymSign: Bit(3),
      anymFirstZ: Bit(2), anymFirstY: Bit(1), anymFirstX: Bit(0)
    ))
  public let intStatus3 = RO(
    0x1F,
    (
      flat: Bit(7), orient2: Bit(6), orient10: Bits(4...5), highSign: Bit(3), highFirstZ: Bit(2),
      highFirstY: Bit(1), highFirstX: Bit(0)
    ))
  public let temperature = RO.words(0x20, .lowFirst, reset: 0x8000)
  public let fifoLength0 = RO(0x22)
  public let fifoLength1 = RO(0x23, Bits(0...2))
  public let fifoData = RO(0x24, reset: nil, effect: .popsQueue)
  public let accConf = RW(
    0x40, reset: 0x28, (accUs: Bit(7), accBwp: Bits<FilterMode>(4...6), accOdr: Bits<Rate>(0...3)))
  public let accRange = RW(0x41, reset: 0x03, Bits<AccelFullScale>(0...3))
  public let gyrConf = RW(
    0x42, reset: 0x28, (gyrBwp: Bits<FilterMode>(4...5), gyrOdr: Bits<Rate>(0...3)))
  public let gyrRange = RW(0x43, Bits<GyroFullScale>(0...2))
  public let magConf = RW(0x44, reset: 0x0B, Bits(0...3))
  public let fifoDowns = RW(
    0x45, reset: 0x88,
    (
      accFifoFiltData: Bit(7), accFifoDowns: Bits(4...6), gyrFifoFiltData: Bit(3),
      gyrFifoDowns: Bits(0...2)
    ))
  public let fifoConfig0 = RW(0x46, reset: 0x80)
  public let fifoConfig1 = RW(
    0x47, reset: 0x10,
    (
      fifoGyrEn: Bit(7), fifoAccEn: Bit(6), fifoMagEn: Bit(5), fifoHeaderEn: Bit(4),
      fifoTagInt1En: Bit(3), fifoTagInt2En: Bit(2), fifoTimeEn: Bit(1)
    ))
  public let magIf0 = RW(0x4B, reset: 0x20, Bits(1...7))
  public let magIf1 = RW(
    0x4C, reset: 0x80, (magManualEn: Bit(7), magOffset: Bits(2...5), magRdBurst: Bits(0...1)))
  public let magIf2 = RW(0x4D, reset: 0x42)
  public let magIf3 = RW(0x4E, reset: 0x4C)
  public let magIf4 = RW(0x4F)
  public let intEn0 = RW(
    0x50,
    (
      flatEn: Bit(7), orientEn: Bit(6), sTapEn: Bit(5), dTapEn: Bit(4), anymoZ: Bit(2),
      anymoY: Bit(1), anymoX: Bit(0)
    ))
  public let intEn1 = RW(
    0x51,
    (
      fwmEn: Bit(6), ffullEn: Bit(5), drdyEn: Bit(4), lowgEn: Bit(3), highgZ: Bit(2),
      highgY: Bit(1), highgX: Bit(0)
    ))
  public let intEn2 = RW(0x52, (stepDetEn: Bit(3), nomoZ: Bit(2), nomoY: Bit(1), nomoX: Bit(0)))
  public let intOutCtrl = RW(
    0x53,
    (
      int2OutputEn: Bit(7), int2Od: Bit(6), int2Lvl: Bit(5), int2Edge: Bit(4), int1OutputEn: Bit(3),
      int1Od: Bit(2), int1Lvl: Bit(1), int1Edge: Bit(0)
    ))
  public let intLatch = RW(0x54, (int2InputEn: Bit(5), int1InputEn: Bit(4), intLatch: Bits(0...3)))
  public let intMap0 = RW(0x55, IntMap())
  public let intMap1 = RW(
    0x56,
    (
      int1Drdy: Bit(7), int1Fwm: Bit(6), int1Ffull: Bit(5), int1Pmu: Bit(4), int2Drdy: Bit(3),
      int2Fwm: Bit(2), int2Ffull: Bit(1), int2Pmu: Bit(0)
    ))
  public let intMap2 = RW(0x57, IntMap())
  public let intData0 = RW(0x58, (lowhighSrc: Bit(7), tapSrc: Bit(3)))
  public let intData1 = RW(0x59, Bit(7))
  public let intLowhigh0 = RW(0x5A, reset: 0x07)
  public let intLowhigh1 = RW(0x5B, reset: 0x30)
  public let intLowhigh2 = RW(
    0x5C, reset: 0x81, (highHy: Bits(6...7), lowMode: Bit(2), lowHy: Bits(0...1)))
  // Public sources disagree on this reset value.
  public let intLowhigh3 = RW(0x5D, reset: 0x0B)
  public let intLowhigh4 = RW(0x5E, reset: 0xC0)
  public let intMotion0 = RW(0x5F, (slowNoMotDur: Bits(2...7), anymDur: Bits(0...1)))
  public let intMotion1 = RW(0x60, reset: 0x14)
  public let intMotion2 = RW(0x61, reset: 0x14)
  public let intMotion3 = RW(
    0x62, reset: 0x24,
    (sigMotProof: Bits(4...5), sigMotSkip: Bits(2...3), sigMotSel: Bit(1), noMotSel: Bit(0)))
  public let intTap0 = RW(
    0x63, reset: 0x04, (tapQuiet: Bit(7), tapShock: Bit(6), tapDur: Bits(0...2)))
  // Public sources disagree on this reset value.
  public let intTap1 = RW(0x64, reset: 0x0A, Bits(0...4))
  public let intOrient0 = RW(
    0x65, reset: 0x18,
    (orientHyst: Bits(4...7), orientBlocking: Bits(2...3), orientMode: Bits(0...1)))
  public let intOrient1 = RW(
    0x66, reset: 0x48, (orientAxesEx: Bit(7), orientUdEn: Bit(6), orientTheta: Bits(0...5)))
  public let intFlat0 = RW(0x67, reset: 0x08, Bits(0...5))
  public let intFlat1 = RW(0x68, reset: 0x11, (flatHoldTime: Bits(4...5), flatHy: Bits(0...2)))
  public let focConf = RW(
    0x69, (focGyrEn: Bit(6), focAccX: Bits(4...5), focAccY: Bits(2...3), focAccZ: Bits(0...1)))
  public let conf = RW(0x6A, Bit(1))
  public let ifConf = RW(0x6B, (ifMode: Bits(4...5), spi3: Bit(0)))
  public let pmuTrigger = RW(
    0x6C,
    (
      wakeupInt: Bit(6), gyrSleepState: Bit(5), gyrWakeupTrigger: Bits(3...4),
      gyrSleepTrigger: Bits(0...2)
    ))
  public let selfTest = RW(
    0x6D,
    (
      gyrSelfTestEn: Bit(4), accSelfTestAmp: Bit(3), accSelfTestSign: Bit(2),
      accSelfTestEn: Bits(0...1)
    ))
  public let nvConf = RW(
    0x70, reset: nil, (uSpare0: Bits(4...7), i2cWdtEn: Bit(2), i2cWdtSel: Bit(1), spiEn: Bit(0)))
  public let offset = RW.bytes(0x71, 6)
  public let offset6 = RW(
    0x77,
    (
      gyrOffEn: Bit(7), accOffEn: Bit(6), offGyrZMsb: Bits(4...5), offGyrYMsb: Bits(2...3),
      offGyrXMsb: Bits(0...1)
    ))
  public let stepCnt = RO.words(0x78, .lowFirst)
  // Public sources disagree on this reset value.
  public let stepConf0 = RW(0x7A, reset: 0x15)
  // Public sources disagree on this reset value.
  public let stepConf1 = RW(0x7B, reset: 0x03, (stepCntEn: Bit(3), stepConf108: Bits(0...2)))
  public let cmd = WO(0x7E, reset: 0x03, Bits<Command>(0...7))
  public init() {}
}

// Layouts of register fields that are shared by two registers or have a single field.
extension BMI160Map {
  /// The mapping of detections to an interrupt pin: INT_MAP[0] for INT1, INT_MAP[2] for INT2.
  public struct IntMap: Sendable {
    public let flat = Bit(7)
    public let orient = Bit(6)
    public let sTap = Bit(5)
    public let dTap = Bit(4)
    public let nomotion = Bit(3)
    /// The flag of any-motion or of significant motion, whichever of the two is selected.
    public let anymotion = Bit(2)
    public let highg = Bit(1)
    /// Free fall and step detection share this interrupt bit.
    public let lowgStep = Bit(0)
  }

}
