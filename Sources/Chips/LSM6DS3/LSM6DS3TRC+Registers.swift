// SPDX-License-Identifier: Apache-2.0
public import Registers

/// The registers of parts that say 0x6A: LSM6DS3TR-C, LSM6DSL, LSM6DSM, ISM330DLC (data sheet of
/// the LSM6DS3TR-C, revision 3, and ST's lsm6ds3tr-c-pid 83f1e3f).
public struct LSM6DS3TRCMap: DerivedMap {
  public typealias Base = LSM6DS3Map

  public let funcCfgAccess = Register(0x01, RW.self, reset: 0x00, FuncCfgAccess())
  public let sensorSyncTimeFrame = Register(0x04, RW.self, reset: 0x00, SensorSyncTimeFrame())
  public let sensorSyncResRatio = Register(0x05, RW.self, reset: 0x00, SensorSyncResRatio())
  public let fifoCtrl2 = Register(
    0x07, RW.self, reset: 0x00,
    (
      timerPedoFifoEn: Bit(7), timerPedoFifoDrdy: Bit(6), fifoTempEn: Bit(3),
      fth: Bits<UInt8>(0...2)
    ))
  public let fifoCtrl4 = Register(
    0x09, RW.self, reset: 0x00,
    (
      stopOnFth: Bit(7), onlyHighData: Bit(6), decDs4Fifo: Bits<UInt8>(3...5),
      decDs3Fifo: Bits<UInt8>(0...2)
    ))
  public let drdyPulseCfgG = Register(
    0x0B, RW.self, reset: 0x00, (drdyPulsed: Bit(7), int2WristTilt: Bit(0)))
  public let whoAmI = Register(0x0F, RO.self, reset: 0x6A)
  public let ctrl1Xl = Register(
    0x10, RW.self, reset: 0x00,
    (
      odrXl: Bits<LSM6DS3Map.OutputRate>(4...7), fsXl: Bits<LSM6DS3Map.AccelFullScale>(2...3),
      lpf1BwSel: Bit(1), bw0Xl: Bit(0)
    ))
  public let ctrl4C = Register(
    0x13, RW.self, reset: 0x00,
    (
      denXlEn: Bit(7), sleep: Bit(6), int2OnInt1: Bit(5), denDrdyInt1: Bit(4), drdyMask: Bit(3),
      i2cDisable: Bit(2), lpf1SelG: Bit(1)
    ))
  public let ctrl5C = Register(
    0x14, RW.self, reset: 0x00,
    (
      rounding: Bits<UInt8>(5...7), denLh: Bit(4), stG: Bits<LSM6DS3Map.GyroStimulus>(2...3),
      stXl: Bits<LSM6DS3Map.AccelStimulus>(0...1)
    ))
  public let ctrl6C = Register(
    0x15, RW.self, reset: 0x00,
    (
      denMode: Bits<UInt8>(5...7), xlHmMode: Bit(4), usrOffW: Bit(3),
      ftype: Bits<GyroLowPass>(0...1)
    ))
  public let ctrl7G = Register(
    0x16, RW.self, reset: 0x00,
    (gHmMode: Bit(7), hpEnG: Bit(6), hpmG: Bits<UInt8>(4...5), roundingStatus: Bit(2)))
  public let ctrl8Xl = Register(
    0x17, RW.self, reset: 0x00,
    (
      lpf2XlEn: Bit(7), hpcfXl: Bits<LSM6DS3Map.LowPass>(5...6), hpRefMode: Bit(4),
      inputComposite: Bit(3), hpSlopeXlEn: Bit(2), lowPassOn6d: Bit(0)
    ))
  // The data sheet contradicts itself: 0x00 in its table, 0xE0 in the field's text.
  public let ctrl9Xl = Register(
    0x18, RW.self, reset: nil,
    (denX: Bit(7), denY: Bit(6), denZ: Bit(5), denXlG: Bit(4), softEn: Bit(2)))
  public let ctrl10C = Register(
    0x19, RW.self, reset: 0x00,
    (
      wristTiltEn: Bit(7), timerEn: Bit(5), pedoEn: Bit(4), tiltEn: Bit(3), funcEn: Bit(2),
      pedoRstStep: Bit(1), signMotionEn: Bit(0)
    ))
  public let d6dSrc = Register(
    0x1D, RO.self, reset: nil,
    (
      denDrdy: Bit(7), d6dIa: Bit(6), zh: Bit(5), zl: Bit(4), yh: Bit(3), yl: Bit(2), xh: Bit(1),
      xl: Bit(0)
    ))
  public let fifoStatus2 = Register(
    0x3B, RO.self, reset: nil,
    (
      waterm: Bit(7), overRun: Bit(6), fifoFullSmart: Bit(5), fifoEmpty: Bit(4),
      diffFifo: Bits<UInt8>(0...2)
    ))
  public let funcSrc1 = Register(
    0x53, RO.self, reset: nil,
    (
      stepCountDeltaIa: Bit(7), signMotionIa: Bit(6), tiltIa: Bit(5), stepDetected: Bit(4),
      stepOverflow: Bit(3), hiFail: Bit(2), siEndOp: Bit(1), sensorhubEndOp: Bit(0)
    ))
  public let funcSrc2 = Register(
    0x54, RO.self, reset: nil,
    (
      slave3Nack: Bit(6), slave2Nack: Bit(5), slave1Nack: Bit(4), slave0Nack: Bit(3),
      wristTiltIa: Bit(0)
    ))
  public let wristTiltIa = Register(
    0x55, RO.self, reset: nil,
    (
      wristTiltIaXpos: Bit(7), wristTiltIaXneg: Bit(6), wristTiltIaYpos: Bit(5),
      wristTiltIaYneg: Bit(4), wristTiltIaZpos: Bit(3), wristTiltIaZneg: Bit(2)
    ))
  public let tapCfg = Register(
    0x58, RW.self, reset: 0x00,
    (
      interruptsEnable: Bit(7), inactEn: Bits<Inactivity>(5...6), slopeFds: Bit(4), tapXEn: Bit(3),
      tapYEn: Bit(2), tapZEn: Bit(1), lir: Bit(0)
    ))
  public let wakeUpThs = Register(
    0x5B, RW.self, reset: 0x00, (singleDoubleTap: Bit(7), wkThs: Bits<UInt8>(0...5)))
  public let masterCmdCode = Register(0x60, RW.self, reset: 0x00)
  public let sensSyncSpiErrorCode = Register(0x61, RW.self, reset: 0x00)
  public let xOfsUsr = Register(0x73, RW.self, reset: 0x00)
  public let yOfsUsr = Register(0x74, RW.self, reset: 0x00)
  public let zOfsUsr = Register(0x75, RW.self, reset: 0x00)
  public init() {}
}

// Only what differs from the 0x69 map.
extension LSM6DS3TRCMap {
  public struct FuncCfgAccess: Sendable {
    public let funcCfgEn = Bits<UInt8>(5...7)
  }

  public struct SensorSyncTimeFrame: Sendable {
    public let tph = Bits<UInt8>(0...3)
  }

  public struct SensorSyncResRatio: Sendable {
    public let rr = Bits<UInt8>(0...1)
  }
}
