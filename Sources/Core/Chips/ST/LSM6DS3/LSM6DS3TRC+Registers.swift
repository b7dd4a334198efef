// SPDX-License-Identifier: Apache-2.0
public import Registers

/// The registers of parts with identity 0x6A: LSM6DS3TR-C, LSM6DSL, LSM6DSM, ISM330DLC (data sheet
/// of the LSM6DS3TR-C, revision 3, and ST's lsm6ds3tr-c-pid 83f1e3f).
public struct LSM6DS3TRCMap: DerivedMap {
  public typealias Base = LSM6DS3Map

  public let funcCfgAccess = RW(0x01, Bits(5...7))
  public let sensorSyncTimeFrame = RW(0x04, Bits(0...3))
  public let sensorSyncResRatio = RW(0x05, Bits(0...1))
  public let fifoCtrl2 = RW(
    0x07, (timerPedoFifoEn: Bit(7), timerPedoFifoDrdy: Bit(6), fifoTempEn: Bit(3), fth: Bits(0...2))
  )
  public let fifoCtrl4 = RW(
    0x09,
    (stopOnFth: Bit(7), onlyHighData: Bit(6), decDs4Fifo: Bits(3...5), decDs3Fifo: Bits(0...2)))
  public let drdyPulseCfgG = RW(0x0B, (drdyPulsed: Bit(7), int2WristTilt: Bit(0)))
  public let whoAmI = RO(0x0F, reset: 0x6A)
  public let ctrl1Xl = RW(
    0x10,
    (
      odrXl: Bits<LSM6DS3Map.OutputRate>(4...7), fsXl: Bits<LSM6DS3Map.AccelFullScale>(2...3),
      lpf1BwSel: Bit(1), bw0Xl: Bit(0)
    ))
  public let ctrl4C = RW(
    0x13,
    (
      denXlEn: Bit(7), sleep: Bit(6), int2OnInt1: Bit(5), denDrdyInt1: Bit(4), drdyMask: Bit(3),
      i2cDisable: Bit(2), lpf1SelG: Bit(1)
    ))
  public let ctrl5C = RW(
    0x14,
    (
      rounding: Bits(5...7), denLh: Bit(4), stG: Bits<LSM6DS3Map.GyroStimulus>(2...3),
      stXl: Bits<LSM6DS3Map.AccelStimulus>(0...1)
    ))
  public let ctrl6C = RW(
    0x15, (denMode: Bits(5...7), xlHmMode: Bit(4), usrOffW: Bit(3), ftype: Bits<GyroLowPass>(0...1))
  )
  public let ctrl7G = RW(
    0x16, (gHmMode: Bit(7), hpEnG: Bit(6), hpmG: Bits(4...5), roundingStatus: Bit(2)))
  public let ctrl8Xl = RW(
    0x17,
    (
      lpf2XlEn: Bit(7), hpcfXl: Bits<LSM6DS3Map.LowPass>(5...6), hpRefMode: Bit(4),
      inputComposite: Bit(3), hpSlopeXlEn: Bit(2), lowPassOn6d: Bit(0)
    ))
  // The data sheet contradicts itself about this reset value: 0x00 in the table of registers, 0xE0
  // in the field's description.
  public let ctrl9Xl = RW(
    0x18, reset: nil, (denX: Bit(7), denY: Bit(6), denZ: Bit(5), denXlG: Bit(4), softEn: Bit(2)))
  public let ctrl10C = RW(
    0x19,
    (
      wristTiltEn: Bit(7), timerEn: Bit(5), pedoEn: Bit(4), tiltEn: Bit(3), funcEn: Bit(2),
      pedoRstStep: Bit(1), signMotionEn: Bit(0)
    ))
  public let d6dSrc = RO(
    0x1D, reset: nil,
    (
      denDrdy: Bit(7), d6dIa: Bit(6), zh: Bit(5), zl: Bit(4), yh: Bit(3), yl: Bit(2), xh: Bit(1),
      xl: Bit(0)
    ))
  public let fifoStatus2 = RO(
    0x3B, reset: nil,
    (
      waterm: Bit(7), overRun: Bit(6), fifoFullSmart: Bit(5), fifoEmpty: Bit(4),
      diffFifo: Bits(0...2)
    ))
  public let funcSrc1 = RO(
    0x53, reset: nil,
    (
      stepCountDeltaIa: Bit(7), signMotionIa: Bit(6), tiltIa: Bit(5), stepDetected: Bit(4),
      stepOverflow: Bit(3), hiFail: Bit(2), siEndOp: Bit(1), sensorhubEndOp: Bit(0)
    ))
  public let funcSrc2 = RO(
    0x54, reset: nil,
    (
      slave3Nack: Bit(6), slave2Nack: Bit(5), slave1Nack: Bit(4), slave0Nack: Bit(3),
      wristTiltIa: Bit(0)
    ))
  public let wristTiltIa = RO(
    0x55, reset: nil,
    (
      wristTiltIaXpos: Bit(7), wristTiltIaXneg: Bit(6), wristTiltIaYpos: Bit(5),
      wristTiltIaYneg: Bit(4), wristTiltIaZpos: Bit(3), wristTiltIaZneg: Bit(2)
    ))
  public let tapCfg = RW(
    0x58,
    (
      interruptsEnable: Bit(7), inactEn: Bits<Inactivity>(5...6), slopeFds: Bit(4), tapXEn: Bit(3),
      tapYEn: Bit(2), tapZEn: Bit(1), lir: Bit(0)
    ))
  public let wakeUpThs = RW(0x5B, (singleDoubleTap: Bit(7), wkThs: Bits(0...5)))
  public let masterCmdCode = RW(0x60)
  public let sensSyncSpiErrorCode = RW(0x61)
  public let ofsUsr = RW.axes(0x73)
  public init() {}
}

// The registers whose layout differs from the layout on 0x69 parts.
