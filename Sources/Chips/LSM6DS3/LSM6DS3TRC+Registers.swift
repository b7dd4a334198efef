// SPDX-License-Identifier: Apache-2.0
public import Registers

/// The registers of parts that say 0x6A: LSM6DS3TR-C, LSM6DSL, LSM6DSM, ISM330DLC (data sheet of the LSM6DS3TR-C,
/// revision 3, and ST's lsm6ds3tr-c-pid 83f1e3f).
public struct LSM6DS3TRCMap: DerivedMap {
  public typealias Base = LSM6DS3Map

  public let funcCfgAccess = Register(0x01, FuncCfgAccess.self, RW.self, reset: 0x00)
  public let sensorSyncTimeFrame = Register(0x04, SensorSyncTimeFrame.self, RW.self, reset: 0x00)
  public let sensorSyncResRatio = Register(0x05, SensorSyncResRatio.self, RW.self, reset: 0x00)
  public let fifoCtrl2 = Register(0x07, FifoCtrl2.self, RW.self, reset: 0x00)
  public let fifoCtrl4 = Register(0x09, FifoCtrl4.self, RW.self, reset: 0x00)
  public let drdyPulseCfgG = Register(0x0B, DrdyPulseCfgG.self, RW.self, reset: 0x00)
  public let whoAmI = Register(0x0F, WholeByte.self, RO.self, reset: 0x6A)
  public let ctrl1Xl = Register(0x10, Ctrl1Xl.self, RW.self, reset: 0x00)
  public let ctrl4C = Register(0x13, Ctrl4C.self, RW.self, reset: 0x00)
  public let ctrl5C = Register(0x14, Ctrl5C.self, RW.self, reset: 0x00)
  public let ctrl6C = Register(0x15, Ctrl6C.self, RW.self, reset: 0x00)
  public let ctrl7G = Register(0x16, Ctrl7G.self, RW.self, reset: 0x00)
  public let ctrl8Xl = Register(0x17, Ctrl8Xl.self, RW.self, reset: 0x00)
  // The data sheet contradicts itself: 0x00 in its table, 0xE0 in the field's text.
  public let ctrl9Xl = Register(0x18, Ctrl9Xl.self, RW.self, reset: nil)
  public let ctrl10C = Register(0x19, Ctrl10C.self, RW.self, reset: 0x00)
  public let d6dSrc = Register(0x1D, D6dSrc.self, RO.self, reset: nil)
  public let fifoStatus2 = Register(0x3B, FifoStatus2.self, RO.self, reset: nil)
  public let funcSrc1 = Register(0x53, FuncSrc1.self, RO.self, reset: nil)
  public let funcSrc2 = Register(0x54, FuncSrc2.self, RO.self, reset: nil)
  public let wristTiltIa = Register(0x55, WristTiltIa.self, RO.self, reset: nil)
  public let tapCfg = Register(0x58, TapCfg.self, RW.self, reset: 0x00)
  public let wakeUpThs = Register(0x5B, WakeUpThs.self, RW.self, reset: 0x00)
  public let masterCmdCode = Register(0x60, WholeByte.self, RW.self, reset: 0x00)
  public let sensSyncSpiErrorCode = Register(0x61, WholeByte.self, RW.self, reset: 0x00)
  public let xOfsUsr = Register(0x73, WholeByte.self, RW.self, reset: 0x00)
  public let yOfsUsr = Register(0x74, WholeByte.self, RW.self, reset: 0x00)
  public let zOfsUsr = Register(0x75, WholeByte.self, RW.self, reset: 0x00)
  public init() {}
}

// Only what differs from the 0x69 map.
extension LSM6DS3TRCMap {
  public struct FuncCfgAccess: RegisterLayout {
    public let funcCfgEn = Bits<UInt8>(5...7)
    public init() {}
  }

  public struct SensorSyncTimeFrame: RegisterLayout {
    public let tph = Bits<UInt8>(0...3)
    public init() {}
  }

  public struct SensorSyncResRatio: RegisterLayout {
    public let rr = Bits<UInt8>(0...1)
    public init() {}
  }

  public struct FifoCtrl2: RegisterLayout {
    public let timerPedoFifoEn = Bit(7)
    public let timerPedoFifoDrdy = Bit(6)
    public let fifoTempEn = Bit(3)
    public let fth = Bits<UInt8>(0...2)
    public init() {}
  }

  public struct FifoCtrl4: RegisterLayout {
    public let stopOnFth = Bit(7)
    public let onlyHighData = Bit(6)
    public let decDs4Fifo = Bits<UInt8>(3...5)
    public let decDs3Fifo = Bits<UInt8>(0...2)
    public init() {}
  }

  public struct DrdyPulseCfgG: RegisterLayout {
    public let drdyPulsed = Bit(7)
    public let int2WristTilt = Bit(0)
    public init() {}
  }

  public struct Ctrl1Xl: RegisterLayout {
    public let odrXl = Bits<LSM6DS3Map.OutputRate>(4...7)
    public let fsXl = Bits<LSM6DS3Map.AccelFullScale>(2...3)
    public let lpf1BwSel = Bit(1)
    public let bw0Xl = Bit(0)
    public init() {}
  }

  public struct Ctrl4C: RegisterLayout {
    public let denXlEn = Bit(7)
    public let sleep = Bit(6)
    public let int2OnInt1 = Bit(5)
    public let denDrdyInt1 = Bit(4)
    public let drdyMask = Bit(3)
    public let i2cDisable = Bit(2)
    public let lpf1SelG = Bit(1)
    public init() {}
  }

  public struct Ctrl5C: RegisterLayout {
    public let rounding = Bits<UInt8>(5...7)
    public let denLh = Bit(4)
    public let stG = Bits<LSM6DS3Map.GyroStimulus>(2...3)
    public let stXl = Bits<LSM6DS3Map.AccelStimulus>(0...1)
    public init() {}
  }

  public struct Ctrl6C: RegisterLayout {
    public let denMode = Bits<UInt8>(5...7)
    public let xlHmMode = Bit(4)
    public let usrOffW = Bit(3)
    public let ftype = Bits<GyroLowPass>(0...1)
    public init() {}
  }

  public struct Ctrl7G: RegisterLayout {
    public let gHmMode = Bit(7)
    public let hpEnG = Bit(6)
    public let hpmG = Bits<UInt8>(4...5)
    public let roundingStatus = Bit(2)
    public init() {}
  }

  public struct Ctrl8Xl: RegisterLayout {
    public let lpf2XlEn = Bit(7)
    public let hpcfXl = Bits<LSM6DS3Map.LowPass>(5...6)
    public let hpRefMode = Bit(4)
    public let inputComposite = Bit(3)
    public let hpSlopeXlEn = Bit(2)
    public let lowPassOn6d = Bit(0)
    public init() {}
  }

  public struct Ctrl9Xl: RegisterLayout {
    public let denX = Bit(7)
    public let denY = Bit(6)
    public let denZ = Bit(5)
    public let denXlG = Bit(4)
    public let softEn = Bit(2)
    public init() {}
  }

  public struct Ctrl10C: RegisterLayout {
    public let wristTiltEn = Bit(7)
    public let timerEn = Bit(5)
    public let pedoEn = Bit(4)
    public let tiltEn = Bit(3)
    public let funcEn = Bit(2)
    public let pedoRstStep = Bit(1)
    public let signMotionEn = Bit(0)
    public init() {}
  }

  public struct D6dSrc: RegisterLayout {
    public let denDrdy = Bit(7)
    public let d6dIa = Bit(6)
    public let zh = Bit(5)
    public let zl = Bit(4)
    public let yh = Bit(3)
    public let yl = Bit(2)
    public let xh = Bit(1)
    public let xl = Bit(0)
    public init() {}
  }

  public struct FifoStatus2: RegisterLayout {
    public let waterm = Bit(7)
    public let overRun = Bit(6)
    public let fifoFullSmart = Bit(5)
    public let fifoEmpty = Bit(4)
    public let diffFifo = Bits<UInt8>(0...2)
    public init() {}
  }

  public struct FuncSrc1: RegisterLayout {
    public let stepCountDeltaIa = Bit(7)
    public let signMotionIa = Bit(6)
    public let tiltIa = Bit(5)
    public let stepDetected = Bit(4)
    public let stepOverflow = Bit(3)
    public let hiFail = Bit(2)
    public let siEndOp = Bit(1)
    public let sensorhubEndOp = Bit(0)
    public init() {}
  }

  public struct FuncSrc2: RegisterLayout {
    public let slave3Nack = Bit(6)
    public let slave2Nack = Bit(5)
    public let slave1Nack = Bit(4)
    public let slave0Nack = Bit(3)
    public let wristTiltIa = Bit(0)
    public init() {}
  }

  public struct WristTiltIa: RegisterLayout {
    public let wristTiltIaXpos = Bit(7)
    public let wristTiltIaXneg = Bit(6)
    public let wristTiltIaYpos = Bit(5)
    public let wristTiltIaYneg = Bit(4)
    public let wristTiltIaZpos = Bit(3)
    public let wristTiltIaZneg = Bit(2)
    public init() {}
  }

  public struct TapCfg: RegisterLayout {
    public let interruptsEnable = Bit(7)
    public let inactEn = Bits<Inactivity>(5...6)
    public let slopeFds = Bit(4)
    public let tapXEn = Bit(3)
    public let tapYEn = Bit(2)
    public let tapZEn = Bit(1)
    public let lir = Bit(0)
    public init() {}
  }

  public struct WakeUpThs: RegisterLayout {
    public let singleDoubleTap = Bit(7)
    public let wkThs = Bits<UInt8>(0...5)
    public init() {}
  }
}
