// SPDX-License-Identifier: Apache-2.0
public import Registers

/// The registers of parts that say 0x69: LSM6DS3, LSM6DS3H, LSM6DS33 (ST's lsm6ds3-pid 1b0caf4).
/// The map of the 0x6A parts looks alike and collides: see `LSM6DS3TRCMap`.
public struct LSM6DS3Map: RegisterMap {
  public let funcCfgAccess = Register(0x01, RW.self, reset: 0x00, FuncCfgAccess())
  public let sensorSyncTimeFrame = Register(0x04, RW.self, reset: 0x00)
  public let fifoCtrl1 = Register(0x06, RW.self, reset: 0x00)
  public let fifoCtrl2 = Register(
    0x07, RW.self, reset: 0x00,
    (timerPedoFifoEn: Bit(7), timerPedoFifoDrdy: Bit(6), fth: Bits<UInt8>(0...3)))
  public let fifoCtrl3 = Register(
    0x08, RW.self, reset: 0x00,
    (decFifoGyro: Bits<Decimation>(3...5), decFifoXl: Bits<Decimation>(0...2)))
  public let fifoCtrl4 = Register(
    0x09, RW.self, reset: 0x00,
    (onlyHighData: Bit(6), decDs4Fifo: Bits<UInt8>(3...5), decDs3Fifo: Bits<UInt8>(0...2)))
  public let fifoCtrl5 = Register(
    0x0A, RW.self, reset: 0x00, (odrFifo: Bits<OutputRate>(3...6), fifoMode: Bits<QueueMode>(0...2))
  )
  public let orientCfgG = Register(
    0x0B, RW.self, reset: 0x00, (signG: Bits<UInt8>(3...5), orient: Bits<UInt8>(0...2)))
  public let int1Ctrl = Register(
    0x0D, RW.self, reset: 0x00,
    (
      int1StepDetector: Bit(7), int1SignMot: Bit(6), int1FullFlag: Bit(5), int1FifoOvr: Bit(4),
      int1Fth: Bit(3), int1Boot: Bit(2), int1DrdyG: Bit(1), int1DrdyXl: Bit(0)
    ))
  public let int2Ctrl = Register(
    0x0E, RW.self, reset: 0x00,
    (
      int2StepDelta: Bit(7), int2StepCountOv: Bit(6), int2FullFlag: Bit(5), int2FifoOvr: Bit(4),
      int2Fth: Bit(3), int2DrdyTemp: Bit(2), int2DrdyG: Bit(1), int2DrdyXl: Bit(0)
    ))
  public let whoAmI = Register(0x0F, RO.self, reset: 0x69)
  public let ctrl1Xl = Register(
    0x10, RW.self, reset: 0x00,
    (
      odrXl: Bits<OutputRate>(4...7), fsXl: Bits<AccelFullScale>(2...3),
      bwXl: Bits<AntiAlias>(0...1)
    ))
  public let ctrl2G = Register(
    0x11, RW.self, reset: 0x00, (odrG: Bits<OutputRate>(4...7), fsG: Bits<GyroFullScale>(1...3)))
  public let ctrl3C = Register(
    0x12, RW.self, reset: 0x04,
    (
      boot: Bit(7), bdu: Bit(6), hLactive: Bit(5), ppOd: Bit(4), sim: Bit(3), ifInc: Bit(2),
      ble: Bit(1), swReset: Bit(0)
    ))
  public let ctrl4C = Register(
    0x13, RW.self, reset: 0x00,
    (
      xlBwScalOdr: Bit(7), sleepG: Bit(6), int2OnInt1: Bit(5), fifoTempEn: Bit(4), drdyMask: Bit(3),
      i2cDisable: Bit(2), stopOnFth: Bit(0)
    ))
  public let ctrl5C = Register(
    0x14, RW.self, reset: 0x00,
    (rounding: Bits<UInt8>(5...7), stG: Bits<GyroStimulus>(2...3), stXl: Bits<AccelStimulus>(0...1))
  )
  public let ctrl6C = Register(
    0x15, RW.self, reset: 0x00, (denMode: Bits<UInt8>(5...7), xlHmMode: Bit(4)))
  public let ctrl7G = Register(
    0x16, RW.self, reset: 0x00,
    (
      gHmMode: Bit(7), hpGEn: Bit(6), hpGRst: Bit(5), hpcfG: Bits<UInt8>(3...4),
      roundingStatus: Bit(2)
    ))
  public let ctrl8Xl = Register(
    0x17, RW.self, reset: 0x00,
    (lpf2XlEn: Bit(7), hpcfXl: Bits<LowPass>(5...6), hpSlopeXlEn: Bit(2), lowPassOn6d: Bit(0)))
  // The reset value is from secondary sources.
  public let ctrl9Xl = Register(
    0x18, RW.self, reset: 0x38, (zenXl: Bit(5), yenXl: Bit(4), xenXl: Bit(3), softEn: Bit(2)))
  // The reset value is from secondary sources.
  public let ctrl10C = Register(
    0x19, RW.self, reset: 0x38,
    (
      zenG: Bit(5), yenG: Bit(4), xenG: Bit(3), funcEn: Bit(2), pedoRstStep: Bit(1),
      signMotionEn: Bit(0)
    ))
  public let masterConfig = Register(
    0x1A, RW.self, reset: 0x00,
    (
      drdyOnInt1: Bit(7), dataValidSelFifo: Bit(6), startConfig: Bit(4), pullUpEn: Bit(3),
      passThroughMode: Bit(2), ironEn: Bit(1), masterOn: Bit(0)
    ))
  public let wakeUpSrc = Register(
    0x1B, RO.self, reset: nil,
    (ffIa: Bit(5), sleepStateIa: Bit(4), wuIa: Bit(3), xWu: Bit(2), yWu: Bit(1), zWu: Bit(0)))
  public let tapSrc = Register(
    0x1C, RO.self, reset: nil,
    (
      tapIa: Bit(6), singleTap: Bit(5), doubleTap: Bit(4), tapSign: Bit(3), xTap: Bit(2),
      yTap: Bit(1), zTap: Bit(0)
    ))
  public let d6dSrc = Register(
    0x1D, RO.self, reset: nil,
    (d6dIa: Bit(6), zh: Bit(5), zl: Bit(4), yh: Bit(3), yl: Bit(2), xh: Bit(1), xl: Bit(0)))
  public let statusReg = Register(
    0x1E, RO.self, reset: nil, (tda: Bit(2), gda: Bit(1), xlda: Bit(0)))
  public let outTempL = Register(0x20, RO.self, reset: nil)
  public let outTempH = Register(0x21, RO.self, reset: nil)
  public let outxLG = Register(0x22, RO.self, reset: nil)
  public let outxHG = Register(0x23, RO.self, reset: nil)
  public let outyLG = Register(0x24, RO.self, reset: nil)
  public let outyHG = Register(0x25, RO.self, reset: nil)
  public let outzLG = Register(0x26, RO.self, reset: nil)
  public let outzHG = Register(0x27, RO.self, reset: nil)
  public let outxLXl = Register(0x28, RO.self, reset: nil)
  public let outxHXl = Register(0x29, RO.self, reset: nil)
  public let outyLXl = Register(0x2A, RO.self, reset: nil)
  public let outyHXl = Register(0x2B, RO.self, reset: nil)
  public let outzLXl = Register(0x2C, RO.self, reset: nil)
  public let outzHXl = Register(0x2D, RO.self, reset: nil)
  public let fifoStatus1 = Register(0x3A, RO.self, reset: nil)
  public let fifoStatus2 = Register(
    0x3B, RO.self, reset: nil,
    (
      fth: Bit(7), fifoOverRun: Bit(6), fifoFull: Bit(5), fifoEmpty: Bit(4),
      diffFifo: Bits<UInt8>(0...3)
    ))
  public let fifoStatus3 = Register(0x3C, RO.self, reset: nil)
  public let fifoStatus4 = Register(0x3D, RO.self, reset: nil, FifoStatus4())
  public let fifoDataOutL = Register(0x3E, RO.self, reset: nil, effect: .popsQueue)
  public let fifoDataOutH = Register(0x3F, RO.self, reset: nil, effect: .popsQueue)
  public let timestamp0Reg = Register(0x40, RO.self, reset: nil)
  public let timestamp1Reg = Register(0x41, RO.self, reset: nil)
  public let timestamp2Reg = Register(0x42, RW.self, reset: 0x00)
  public let stepTimestampL = Register(0x49, RO.self, reset: nil)
  public let stepTimestampH = Register(0x4A, RO.self, reset: nil)
  public let stepCounterL = Register(0x4B, RO.self, reset: nil)
  public let stepCounterH = Register(0x4C, RO.self, reset: nil)
  public let funcSrc = Register(
    0x53, RO.self, reset: nil,
    (
      stepCountDeltaIa: Bit(7), signMotionIa: Bit(6), tiltIa: Bit(5), stepDetected: Bit(4),
      stepOverflow: Bit(3), siEndOp: Bit(1), sensorHubEndOp: Bit(0)
    ))
  public let tapCfg = Register(
    0x58, RW.self, reset: 0x00,
    (
      timerEn: Bit(7), pedoEn: Bit(6), tiltEn: Bit(5), slopeFds: Bit(4), tapXEn: Bit(3),
      tapYEn: Bit(2), tapZEn: Bit(1), lir: Bit(0)
    ))
  public let tapThs6d = Register(
    0x59, RW.self, reset: 0x00,
    (d4dEn: Bit(7), sixdThs: Bits<TurnAngle>(5...6), tapThs: Bits<UInt8>(0...4)))
  public let intDur2 = Register(
    0x5A, RW.self, reset: 0x00,
    (dur: Bits<UInt8>(4...7), quiet: Bits<UInt8>(2...3), shock: Bits<UInt8>(0...1)))
  public let wakeUpThs = Register(
    0x5B, RW.self, reset: 0x00,
    (singleDoubleTap: Bit(7), inactivity: Bit(6), wkThs: Bits<UInt8>(0...5)))
  public let wakeUpDur = Register(
    0x5C, RW.self, reset: 0x00,
    (ffDur: Bit(7), wakeDur: Bits<UInt8>(5...6), timerHr: Bit(4), sleepDur: Bits<UInt8>(0...3)))
  public let freeFall = Register(
    0x5D, RW.self, reset: 0x00, (ffDur: Bits<UInt8>(3...7), ffThs: Bits<FreeFallThreshold>(0...2)))
  public let md1Cfg = Register(
    0x5E, RW.self, reset: 0x00,
    (
      int1InactState: Bit(7), int1SingleTap: Bit(6), int1Wu: Bit(5), int1Ff: Bit(4),
      int1DoubleTap: Bit(3), int16d: Bit(2), int1Tilt: Bit(1), int1Timer: Bit(0)
    ))
  public let md2Cfg = Register(
    0x5F, RW.self, reset: 0x00,
    (
      int2InactState: Bit(7), int2SingleTap: Bit(6), int2Wu: Bit(5), int2Ff: Bit(4),
      int2DoubleTap: Bit(3), int26d: Bit(2), int2Tilt: Bit(1), int2Iron: Bit(0)
    ))
  public let outMagRawXL = Register(0x66, RO.self, reset: nil)
  public let outMagRawXH = Register(0x67, RO.self, reset: nil)
  public let outMagRawYL = Register(0x68, RO.self, reset: nil)
  public let outMagRawYH = Register(0x69, RO.self, reset: nil)
  public let outMagRawZL = Register(0x6A, RO.self, reset: nil)
  public let outMagRawZH = Register(0x6B, RO.self, reset: nil)
  public init() {}
}

// Fields that are one alone.
extension LSM6DS3Map {
  public struct FuncCfgAccess: Sendable {
    public let funcCfgEn = Bit(7)
  }

  public struct FifoStatus4: Sendable {
    public let fifoPattern = Bits<UInt8>(0...1)
  }
}

/// The registers behind FUNC_CFG_ACCESS on 0x69 parts: the embedded functions and the sensor hub.
public struct LSM6DS3EmbeddedMap: RegisterMap {
  public let slv0Add = Register(
    0x02, RW.self, reset: nil, (slave0Add: Bits<UInt8>(1...7), rw0: Bit(0)))
  public let slv0Subadd = Register(0x03, RW.self, reset: nil)
  public let slave0Config = Register(
    0x04, RW.self, reset: nil,
    (
      slave0Rate: Bits<UInt8>(6...7), auxSensOn: Bits<UInt8>(4...5), srcMode: Bit(3),
      slave0Numop: Bits<UInt8>(0...2)
    ))
  public let slv1Add = Register(
    0x05, RW.self, reset: nil, (slave1Add: Bits<UInt8>(1...7), r1: Bit(0)))
  public let slv1Subadd = Register(0x06, RW.self, reset: nil)
  public let slave1Config = Register(
    0x07, RW.self, reset: nil, (slave1Rate: Bits<UInt8>(6...7), slave1Numop: Bits<UInt8>(0...2)))
  public let slv2Add = Register(
    0x08, RW.self, reset: nil, (slave2Add: Bits<UInt8>(1...7), r2: Bit(0)))
  public let slv2Subadd = Register(0x09, RW.self, reset: nil)
  public let slave2Config = Register(
    0x0A, RW.self, reset: nil, (slave2Rate: Bits<UInt8>(6...7), slave2Numop: Bits<UInt8>(0...2)))
  public let slv3Add = Register(
    0x0B, RW.self, reset: nil, (slave3Add: Bits<UInt8>(1...7), r3: Bit(0)))
  public let slv3Subadd = Register(0x0C, RW.self, reset: nil)
  public let slave3Config = Register(
    0x0D, RW.self, reset: nil, (slave3Rate: Bits<UInt8>(6...7), slave3Numop: Bits<UInt8>(0...2)))
  public let datawriteSrcModeSubSlv0 = Register(0x0E, RW.self, reset: nil)
  public let pedoThsReg = Register(
    0x0F, RW.self, reset: nil, (pedo4g: Bit(7), thsMin: Bits<UInt8>(0...4)))
  public let smThs = Register(0x13, RW.self, reset: nil)
  public let pedoDebReg = Register(
    0x14, RW.self, reset: nil, (debTime: Bits<UInt8>(3...7), debStep: Bits<UInt8>(0...2)))
  public let stepCountDelta = Register(0x15, RW.self, reset: nil)
  public let magSiXx = Register(0x24, RW.self, reset: nil)
  public let magSiXy = Register(0x25, RW.self, reset: nil)
  public let magSiXz = Register(0x26, RW.self, reset: nil)
  public let magSiYx = Register(0x27, RW.self, reset: nil)
  public let magSiYy = Register(0x28, RW.self, reset: nil)
  public let magSiYz = Register(0x29, RW.self, reset: nil)
  public let magSiZx = Register(0x2A, RW.self, reset: nil)
  public let magSiZy = Register(0x2B, RW.self, reset: nil)
  public let magSiZz = Register(0x2C, RW.self, reset: nil)
  public let magOffxL = Register(0x2D, RW.self, reset: nil)
  public let magOffxH = Register(0x2E, RW.self, reset: nil)
  public let magOffyL = Register(0x2F, RW.self, reset: nil)
  public let magOffyH = Register(0x30, RW.self, reset: nil)
  public let magOffzL = Register(0x31, RW.self, reset: nil)
  public let magOffzH = Register(0x32, RW.self, reset: nil)
  public init() {}
}

/// The registers behind FUNC_CFG_ACCESS on 0x6A parts: the embedded functions (bank A, and bank B
/// from 0x50 on) and the sensor hub.
public struct LSM6DS3TRCEmbeddedMap: DerivedMap {
  public typealias Base = LSM6DS3EmbeddedMap

  public let slave1Config = Register(
    0x07, RW.self, reset: nil,
    (slave1Rate: Bits<UInt8>(6...7), writeOnce: Bit(5), slave1Numop: Bits<UInt8>(0...2)))
  public let configPedoThsMin = Register(
    0x0F, RW.self, reset: nil, (pedoFs: Bit(7), thsMin: Bits<UInt8>(0...4)))
  public let aWristTiltLat = Register(0x50, RW.self, reset: nil)
  public let aWristTiltThs = Register(0x54, RW.self, reset: nil)
  public let aWristTiltMask = Register(
    0x59, RW.self, reset: nil,
    (
      wristTiltMaskXpos: Bit(7), wristTiltMaskXneg: Bit(6), wristTiltMaskYpos: Bit(5),
      wristTiltMaskYneg: Bit(4), wristTiltMaskZpos: Bit(3), wristTiltMaskZneg: Bit(2)
    ))
  public init() {}
}
