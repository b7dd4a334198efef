// SPDX-License-Identifier: Apache-2.0
public import Registers

// The fields of the 0x69 map; the 0x6A map borrows those that are the same.
extension LSM6DS3Map {
  public struct FuncCfgAccess: RegisterLayout {
    public let funcCfgEn = Bit(7)
    public init() {}
  }

  public struct FifoCtrl2: RegisterLayout {
    public let timerPedoFifoEn = Bit(7)
    public let timerPedoFifoDrdy = Bit(6)
    public let fth = Bits<UInt8>(0...3)
    public init() {}
  }

  public struct FifoCtrl3: RegisterLayout {
    public let decFifoGyro = Bits<Decimation>(3...5)
    public let decFifoXl = Bits<Decimation>(0...2)
    public init() {}
  }

  public struct FifoCtrl4: RegisterLayout {
    public let onlyHighData = Bit(6)
    public let decDs4Fifo = Bits<UInt8>(3...5)
    public let decDs3Fifo = Bits<UInt8>(0...2)
    public init() {}
  }

  public struct FifoCtrl5: RegisterLayout {
    public let odrFifo = Bits<OutputRate>(3...6)
    public let fifoMode = Bits<QueueMode>(0...2)
    public init() {}
  }

  public struct OrientCfgG: RegisterLayout {
    public let signG = Bits<UInt8>(3...5)
    public let orient = Bits<UInt8>(0...2)
    public init() {}
  }

  public struct Int1Ctrl: RegisterLayout {
    public let int1StepDetector = Bit(7)
    public let int1SignMot = Bit(6)
    public let int1FullFlag = Bit(5)
    public let int1FifoOvr = Bit(4)
    public let int1Fth = Bit(3)
    public let int1Boot = Bit(2)
    public let int1DrdyG = Bit(1)
    public let int1DrdyXl = Bit(0)
    public init() {}
  }

  public struct Int2Ctrl: RegisterLayout {
    public let int2StepDelta = Bit(7)
    public let int2StepCountOv = Bit(6)
    public let int2FullFlag = Bit(5)
    public let int2FifoOvr = Bit(4)
    public let int2Fth = Bit(3)
    public let int2DrdyTemp = Bit(2)
    public let int2DrdyG = Bit(1)
    public let int2DrdyXl = Bit(0)
    public init() {}
  }

  public struct Ctrl1Xl: RegisterLayout {
    public let odrXl = Bits<OutputRate>(4...7)
    public let fsXl = Bits<AccelFullScale>(2...3)
    public let bwXl = Bits<AntiAlias>(0...1)
    public init() {}
  }

  public struct Ctrl2G: RegisterLayout {
    public let odrG = Bits<OutputRate>(4...7)
    public let fsG = Bits<GyroFullScale>(1...3)
    public init() {}
  }

  public struct Ctrl3C: RegisterLayout {
    public let boot = Bit(7)
    public let bdu = Bit(6)
    public let hLactive = Bit(5)
    public let ppOd = Bit(4)
    public let sim = Bit(3)
    public let ifInc = Bit(2)
    public let ble = Bit(1)
    public let swReset = Bit(0)
    public init() {}
  }

  public struct Ctrl4C: RegisterLayout {
    public let xlBwScalOdr = Bit(7)
    public let sleepG = Bit(6)
    public let int2OnInt1 = Bit(5)
    public let fifoTempEn = Bit(4)
    public let drdyMask = Bit(3)
    public let i2cDisable = Bit(2)
    public let stopOnFth = Bit(0)
    public init() {}
  }

  public struct Ctrl5C: RegisterLayout {
    public let rounding = Bits<UInt8>(5...7)
    public let stG = Bits<GyroStimulus>(2...3)
    public let stXl = Bits<AccelStimulus>(0...1)
    public init() {}
  }

  public struct Ctrl6C: RegisterLayout {
    public let denMode = Bits<UInt8>(5...7)
    public let xlHmMode = Bit(4)
    public init() {}
  }

  public struct Ctrl7G: RegisterLayout {
    public let gHmMode = Bit(7)
    public let hpGEn = Bit(6)
    public let hpGRst = Bit(5)
    public let hpcfG = Bits<UInt8>(3...4)
    public let roundingStatus = Bit(2)
    public init() {}
  }

  public struct Ctrl8Xl: RegisterLayout {
    public let lpf2XlEn = Bit(7)
    public let hpcfXl = Bits<LowPass>(5...6)
    public let hpSlopeXlEn = Bit(2)
    public let lowPassOn6d = Bit(0)
    public init() {}
  }

  public struct Ctrl9Xl: RegisterLayout {
    public let zenXl = Bit(5)
    public let yenXl = Bit(4)
    public let xenXl = Bit(3)
    public let softEn = Bit(2)
    public init() {}
  }

  public struct Ctrl10C: RegisterLayout {
    public let zenG = Bit(5)
    public let yenG = Bit(4)
    public let xenG = Bit(3)
    public let funcEn = Bit(2)
    public let pedoRstStep = Bit(1)
    public let signMotionEn = Bit(0)
    public init() {}
  }

  public struct MasterConfig: RegisterLayout {
    public let drdyOnInt1 = Bit(7)
    public let dataValidSelFifo = Bit(6)
    public let startConfig = Bit(4)
    public let pullUpEn = Bit(3)
    public let passThroughMode = Bit(2)
    public let ironEn = Bit(1)
    public let masterOn = Bit(0)
    public init() {}
  }

  public struct WakeUpSrc: RegisterLayout {
    public let ffIa = Bit(5)
    public let sleepStateIa = Bit(4)
    public let wuIa = Bit(3)
    public let xWu = Bit(2)
    public let yWu = Bit(1)
    public let zWu = Bit(0)
    public init() {}
  }

  public struct TapSrc: RegisterLayout {
    public let tapIa = Bit(6)
    public let singleTap = Bit(5)
    public let doubleTap = Bit(4)
    public let tapSign = Bit(3)
    public let xTap = Bit(2)
    public let yTap = Bit(1)
    public let zTap = Bit(0)
    public init() {}
  }

  public struct D6dSrc: RegisterLayout {
    public let d6dIa = Bit(6)
    public let zh = Bit(5)
    public let zl = Bit(4)
    public let yh = Bit(3)
    public let yl = Bit(2)
    public let xh = Bit(1)
    public let xl = Bit(0)
    public init() {}
  }

  public struct StatusReg: RegisterLayout {
    public let tda = Bit(2)
    public let gda = Bit(1)
    public let xlda = Bit(0)
    public init() {}
  }

  public struct FifoStatus2: RegisterLayout {
    public let fth = Bit(7)
    public let fifoOverRun = Bit(6)
    public let fifoFull = Bit(5)
    public let fifoEmpty = Bit(4)
    public let diffFifo = Bits<UInt8>(0...3)
    public init() {}
  }

  public struct FifoStatus4: RegisterLayout {
    public let fifoPattern = Bits<UInt8>(0...1)
    public init() {}
  }

  public struct FuncSrc: RegisterLayout {
    public let stepCountDeltaIa = Bit(7)
    public let signMotionIa = Bit(6)
    public let tiltIa = Bit(5)
    public let stepDetected = Bit(4)
    public let stepOverflow = Bit(3)
    public let siEndOp = Bit(1)
    public let sensorHubEndOp = Bit(0)
    public init() {}
  }

  public struct TapCfg: RegisterLayout {
    public let timerEn = Bit(7)
    public let pedoEn = Bit(6)
    public let tiltEn = Bit(5)
    public let slopeFds = Bit(4)
    public let tapXEn = Bit(3)
    public let tapYEn = Bit(2)
    public let tapZEn = Bit(1)
    public let lir = Bit(0)
    public init() {}
  }

  public struct TapThs6d: RegisterLayout {
    public let d4dEn = Bit(7)
    public let sixdThs = Bits<TurnAngle>(5...6)
    public let tapThs = Bits<UInt8>(0...4)
    public init() {}
  }

  public struct IntDur2: RegisterLayout {
    public let dur = Bits<UInt8>(4...7)
    public let quiet = Bits<UInt8>(2...3)
    public let shock = Bits<UInt8>(0...1)
    public init() {}
  }

  public struct WakeUpThs: RegisterLayout {
    public let singleDoubleTap = Bit(7)
    public let inactivity = Bit(6)
    public let wkThs = Bits<UInt8>(0...5)
    public init() {}
  }

  public struct WakeUpDur: RegisterLayout {
    public let ffDur = Bit(7)
    public let wakeDur = Bits<UInt8>(5...6)
    public let timerHr = Bit(4)
    public let sleepDur = Bits<UInt8>(0...3)
    public init() {}
  }

  public struct FreeFall: RegisterLayout {
    public let ffDur = Bits<UInt8>(3...7)
    public let ffThs = Bits<FreeFallThreshold>(0...2)
    public init() {}
  }

  public struct Md1Cfg: RegisterLayout {
    public let int1InactState = Bit(7)
    public let int1SingleTap = Bit(6)
    public let int1Wu = Bit(5)
    public let int1Ff = Bit(4)
    public let int1DoubleTap = Bit(3)
    public let int16d = Bit(2)
    public let int1Tilt = Bit(1)
    public let int1Timer = Bit(0)
    public init() {}
  }

  public struct Md2Cfg: RegisterLayout {
    public let int2InactState = Bit(7)
    public let int2SingleTap = Bit(6)
    public let int2Wu = Bit(5)
    public let int2Ff = Bit(4)
    public let int2DoubleTap = Bit(3)
    public let int26d = Bit(2)
    public let int2Tilt = Bit(1)
    public let int2Iron = Bit(0)
    public init() {}
  }
}
