// SPDX-License-Identifier: Apache-2.0
public import Registers

/// The registers of parts with identity 0x69: LSM6DS3, LSM6DS3H, LSM6DS33 (ST's lsm6ds3-pid
/// 1b0caf4). The map of the 0x6A parts, `LSM6DS3TRCMap`, is similar but conflicts with this map.
public struct LSM6DS3Map: RegisterMap {
  public let funcCfgAccess = RW(0x01, Bit(7))
  public let sensorSyncTimeFrame = RW(0x04)
  public let fifoCtrl1 = RW(0x06)
  public let fifoCtrl2 = RW(
    0x07, (timerPedoFifoEn: Bit(7), timerPedoFifoDrdy: Bit(6), fth: Bits(0...3)))
  public let fifoCtrl3 = RW(
    0x08, (decFifoGyro: Bits<Decimation>(3...5), decFifoXl: Bits<Decimation>(0...2)))
  public let fifoCtrl4 = RW(
    0x09, (onlyHighData: Bit(6), decDs4Fifo: Bits(3...5), decDs3Fifo: Bits(0...2)))
  public let fifoCtrl5 = RW(
    0x0A, (odrFifo: Bits<OutputRate>(3...6), fifoMode: Bits<QueueMode>(0...2)))
  public let orientCfgG = RW(0x0B, (signG: Bits(3...5), orient: Bits(0...2)))
  public let int1Ctrl = RW(
    0x0D,
    (
      int1StepDetector: Bit(7), int1SignMot: Bit(6), int1FullFlag: Bit(5), int1FifoOvr: Bit(4),
      int1Fth: Bit(3), int1Boot: Bit(2), int1DrdyG: Bit(1), int1DrdyXl: Bit(0)
    ))
  public let int2Ctrl = RW(
    0x0E,
    (
      int2StepDelta: Bit(7), int2StepCountOv: Bit(6), int2FullFlag: Bit(5), int2FifoOvr: Bit(4),
      int2Fth: Bit(3), int2DrdyTemp: Bit(2), int2DrdyG: Bit(1), int2DrdyXl: Bit(0)
    ))
  public let whoAmI = RO(0x0F, reset: 0x69)
  public let ctrl1Xl = RW(
    0x10,
    (
      odrXl: Bits<OutputRate>(4...7), fsXl: Bits<AccelFullScale>(2...3),
      bwXl: Bits<AntiAlias>(0...1)
    ))
  public let ctrl2G = RW(0x11, (odrG: Bits<OutputRate>(4...7), fsG: Bits<GyroFullScale>(1...3)))
  public let ctrl3C = RW(
    0x12, reset: 0x04,
    (
      boot: Bit(7), bdu: Bit(6), hLactive: Bit(5), ppOd: Bit(4), sim: Bit(3), ifInc: Bit(2),
      ble: Bit(1), swReset: Bit(0)
    ))
  public let ctrl4C = RW(
    0x13,
    (
      xlBwScalOdr: Bit(7), sleepG: Bit(6), int2OnInt1: Bit(5), fifoTempEn: Bit(4), drdyMask: Bit(3),
      i2cDisable: Bit(2), stopOnFth: Bit(0)
    ))
  public let ctrl5C = RW(
    0x14, (rounding: Bits(5...7), stG: Bits<GyroStimulus>(2...3), stXl: Bits<AccelStimulus>(0...1)))
  public let ctrl6C = RW(0x15, (denMode: Bits(5...7), xlHmMode: Bit(4)))
  public let ctrl7G = RW(
    0x16,
    (gHmMode: Bit(7), hpGEn: Bit(6), hpGRst: Bit(5), hpcfG: Bits(3...4), roundingStatus: Bit(2)))
  public let ctrl8Xl = RW(
    0x17, (lpf2XlEn: Bit(7), hpcfXl: Bits<LowPass>(5...6), hpSlopeXlEn: Bit(2), lowPassOn6d: Bit(0))
  )
  // The reset value of this register is known only from secondary sources.
  public let ctrl9Xl = RW(
    0x18, reset: 0x38, (zenXl: Bit(5), yenXl: Bit(4), xenXl: Bit(3), softEn: Bit(2)))
  // The reset value of this register is known only from secondary sources.
  public let ctrl10C = RW(
    0x19, reset: 0x38,
    (
      zenG: Bit(5), yenG: Bit(4), xenG: Bit(3), funcEn: Bit(2), pedoRstStep: Bit(1),
      signMotionEn: Bit(0)
    ))
  public let masterConfig = RW(
    0x1A,
    (
      drdyOnInt1: Bit(7), dataValidSelFifo: Bit(6), startConfig: Bit(4), pullUpEn: Bit(3),
      passThroughMode: Bit(2), ironEn: Bit(1), masterOn: Bit(0)
    ))
  public let wakeUpSrc = RO(
    0x1B, reset: nil,
    (ffIa: Bit(5), sleepStateIa: Bit(4), wuIa: Bit(3), xWu: Bit(2), yWu: Bit(1), zWu: Bit(0)))
  public let tapSrc = RO(
    0x1C, reset: nil,
    (
      tapIa: Bit(6), singleTap: Bit(5), doubleTap: Bit(4), tapSign: Bit(3), xTap: Bit(2),
      yTap: Bit(1), zTap: Bit(0)
    ))
  public let d6dSrc = RO(
    0x1D, reset: nil,
    (d6dIa: Bit(6), zh: Bit(5), zl: Bit(4), yh: Bit(3), yl: Bit(2), xh: Bit(1), xl: Bit(0)))
  public let statusReg = RO(0x1E, reset: nil, (tda: Bit(2), gda: Bit(1), xlda: Bit(0)))
  public let outTemp = RO.words(0x20, .lowFirst, reset: nil)
  public let outG = RO.axisWords(0x22, .lowFirst, reset: nil)
  public let outXl = RO.axisWords(0x28, .lowFirst, reset: nil)
  public let fifoStatus1 = RO(0x3A, reset: nil)
  public let fifoStatus2 = RO(
    0x3B, reset: nil,
    (fth: Bit(7), fifoOverRun: Bit(6), fifoFull: Bit(5), fifoEmpty: Bit(4), diffFifo: Bits(0...3)))
  public let fifoStatus3 = RO(0x3C, reset: nil)
  public let fifoStatus4 = RO(0x3D, reset: nil, Bits(0...1))
  public let fifoDataOut = RO.words(0x3E, .lowFirst, reset: nil, effect: .popsQueue)
  public let timestamp0Reg = RO(0x40, reset: nil)
  public let timestamp1Reg = RO(0x41, reset: nil)
  public let timestamp2Reg = RW(0x42)
  public let stepTimestamp = RO.words(0x49, .lowFirst, reset: nil)
  public let stepCounter = RO.words(0x4B, .lowFirst, reset: nil)
  public let funcSrc = RO(
    0x53, reset: nil,
    (
      stepCountDeltaIa: Bit(7), signMotionIa: Bit(6), tiltIa: Bit(5), stepDetected: Bit(4),
      stepOverflow: Bit(3), siEndOp: Bit(1), sensorHubEndOp: Bit(0)
    ))
  public let tapCfg = RW(
    0x58,
    (
      timerEn: Bit(7), pedoEn: Bit(6), tiltEn: Bit(5), slopeFds: Bit(4), tapXEn: Bit(3),
      tapYEn: Bit(2), tapZEn: Bit(1), lir: Bit(0)
    ))
  public let tapThs6d = RW(
    0x59, (d4dEn: Bit(7), sixdThs: Bits<TurnAngle>(5...6), tapThs: Bits(0...4)))
  public let intDur2 = RW(0x5A, (dur: Bits(4...7), quiet: Bits(2...3), shock: Bits(0...1)))
  public let wakeUpThs = RW(0x5B, (singleDoubleTap: Bit(7), inactivity: Bit(6), wkThs: Bits(0...5)))
  public let wakeUpDur = RW(
    0x5C, (ffDur: Bit(7), wakeDur: Bits(5...6), timerHr: Bit(4), sleepDur: Bits(0...3)))
  public let freeFall = RW(0x5D, (ffDur: Bits(3...7), ffThs: Bits<FreeFallThreshold>(0...2)))
  public let md1Cfg = RW(
    0x5E,
    (
      int1InactState: Bit(7), int1SingleTap: Bit(6), int1Wu: Bit(5), int1Ff: Bit(4),
      int1DoubleTap: Bit(3), int16d: Bit(2), int1Tilt: Bit(1), int1Timer: Bit(0)
    ))
  public let md2Cfg = RW(
    0x5F,
    (
      int2InactState: Bit(7), int2SingleTap: Bit(6), int2Wu: Bit(5), int2Ff: Bit(4),
      int2DoubleTap: Bit(3), int26d: Bit(2), int2Tilt: Bit(1), int2Iron: Bit(0)
    ))
  public let outMagRaw = RO.axisWords(0x66, .lowFirst, reset: nil)
  public init() {}
}

// The registers that FUNC_CFG_ACCESS selects on 0x69 parts: the embedded functions and the sensor
// hub.
public struct LSM6DS3EmbeddedMap: RegisterMap {
  public let slv0Add = RW(0x02, reset: nil, (slave0Add: Bits(1...7), rw0: Bit(0)))
  public let slv0Subadd = RW(0x03, reset: nil)
  public let slave0Config = RW(
    0x04, reset: nil,
    (slave0Rate: Bits(6...7), auxSensOn: Bits(4...5), srcMode: Bit(3), slave0Numop: Bits(0...2)))
  public let slv1Add = RW(0x05, reset: nil, (slave1Add: Bits(1...7), r1: Bit(0)))
  public let slv1Subadd = RW(0x06, reset: nil)
  public let slave1Config = RW(
    0x07, reset: nil, (slave1Rate: Bits(6...7), slave1Numop: Bits(0...2)))
  public let slv2Add = RW(0x08, reset: nil, (slave2Add: Bits(1...7), r2: Bit(0)))
  public let slv2Subadd = RW(0x09, reset: nil)
  public let slave2Config = RW(
    0x0A, reset: nil, (slave2Rate: Bits(6...7), slave2Numop: Bits(0...2)))
  public let slv3Add = RW(0x0B, reset: nil, (slave3Add: Bits(1...7), r3: Bit(0)))
  public let slv3Subadd = RW(0x0C, reset: nil)
  public let slave3Config = RW(
    0x0D, reset: nil, (slave3Rate: Bits(6...7), slave3Numop: Bits(0...2)))
  public let datawriteSrcModeSubSlv0 = RW(0x0E, reset: nil)
  public let pedoThsReg = RW(0x0F, reset: nil, (pedo4g: Bit(7), thsMin: Bits(0...4)))
  public let smThs = RW(0x13, reset: nil)
  public let pedoDebReg = RW(0x14, reset: nil, (debTime: Bits(3...7), debStep: Bits(0...2)))
  public let stepCountDelta = RW(0x15, reset: nil)
  // The soft-iron matrix of the sensor hub's magnetometer, row by row: XX, XY and so on.
  public let magSi = RW.bytes(0x24, 9, reset: nil)
  public let magOff = RW.axisWords(0x2D, .lowFirst, reset: nil)
  public init() {}
}

/// The registers that FUNC_CFG_ACCESS selects on 0x6A parts: the embedded functions (bank A, and
/// bank B from 0x50 on) and the sensor hub.
public struct LSM6DS3TRCEmbeddedMap: DerivedMap {
  public typealias Base = LSM6DS3EmbeddedMap

  public let slave1Config = RW(
    0x07, reset: nil, (slave1Rate: Bits(6...7), writeOnce: Bit(5), slave1Numop: Bits(0...2)))
  public let configPedoThsMin = RW(0x0F, reset: nil, (pedoFs: Bit(7), thsMin: Bits(0...4)))
  public let aWristTiltLat = RW(0x50, reset: nil)
  public let aWristTiltThs = RW(0x54, reset: nil)
  public let aWristTiltMask = RW(
    0x59, reset: nil,
    (
      wristTiltMaskXpos: Bit(7), wristTiltMaskXneg: Bit(6), wristTiltMaskYpos: Bit(5),
      wristTiltMaskYneg: Bit(4), wristTiltMaskZpos: Bit(3), wristTiltMaskZneg: Bit(2)
    ))
  public init() {}
}
