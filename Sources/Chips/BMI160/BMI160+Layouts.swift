// SPDX-License-Identifier: Apache-2.0
public import Registers

// What the bits of each register mean.
extension BMI160Map {
  public struct ErrReg: RegisterLayout {
    public let magDrdyErr = Bit(7)
    public let dropCmdErr = Bit(6)
    public let errCode = Bits<UInt8>(1...4)
    public let fatalErr = Bit(0)
    public init() {}
  }

  public struct PMUStatus: RegisterLayout {
    public let accPmuStatus = Bits<PowerMode>(4...5)
    public let gyrPmuStatus = Bits<PowerMode>(2...3)
    public let magPmuStatus = Bits<PowerMode>(0...1)
    public init() {}
  }

  public struct Status: RegisterLayout {
    public let drdyAcc = Bit(7)
    public let drdyGyr = Bit(6)
    public let drdyMag = Bit(5)
    public let nvmRdy = Bit(4)
    public let focRdy = Bit(3)
    public let magManOp = Bit(2)
    public let gyrSelfTestOk = Bit(1)
    public init() {}
  }

  public struct IntStatus0: RegisterLayout {
    public let flatInt = Bit(7)
    public let orientInt = Bit(6)
    public let sTapInt = Bit(5)
    public let dTapInt = Bit(4)
    public let pmuTriggerInt = Bit(3)
    public let anymInt = Bit(2)
    public let sigmotInt = Bit(1)
    public let stepInt = Bit(0)
    public init() {}
  }

  public struct IntStatus1: RegisterLayout {
    public let nomoInt = Bit(7)
    public let fwmInt = Bit(6)
    public let ffullInt = Bit(5)
    public let drdyInt = Bit(4)
    public let lowgInt = Bit(3)
    public let highgInt = Bit(2)
    public init() {}
  }

  public struct IntStatus2: RegisterLayout {
    public let tapSign = Bit(7)
    public let tapFirstZ = Bit(6)
    public let tapFirstY = Bit(5)
    public let tapFirstX = Bit(4)
    public let anymSign = Bit(3)
    public let anymFirstZ = Bit(2)
    public let anymFirstY = Bit(1)
    public let anymFirstX = Bit(0)
    public init() {}
  }

  public struct IntStatus3: RegisterLayout {
    public let flat = Bit(7)
    public let orient2 = Bit(6)
    public let orient10 = Bits<UInt8>(4...5)
    public let highSign = Bit(3)
    public let highFirstZ = Bit(2)
    public let highFirstY = Bit(1)
    public let highFirstX = Bit(0)
    public init() {}
  }

  public struct FIFOLength1: RegisterLayout {
    public let fifoByteCounter = Bits<UInt8>(0...2)
    public init() {}
  }

  public struct AccelConf: RegisterLayout {
    public let accUs = Bit(7)
    public let accBwp = Bits<FilterMode>(4...6)
    public let accOdr = Bits<Rate>(0...3)
    public init() {}
  }

  public struct AccelRangeRegister: RegisterLayout {
    public let accRange = Bits<AccelRange>(0...3)
    public init() {}
  }

  public struct GyroConf: RegisterLayout {
    public let gyrBwp = Bits<FilterMode>(4...5)
    public let gyrOdr = Bits<Rate>(0...3)
    public init() {}
  }

  public struct GyroRangeRegister: RegisterLayout {
    public let gyrRange = Bits<GyroRange>(0...2)
    public init() {}
  }

  public struct MagConf: RegisterLayout {
    public let magOdr = Bits<UInt8>(0...3)
    public init() {}
  }

  public struct FIFODowns: RegisterLayout {
    public let accFifoFiltData = Bit(7)
    public let accFifoDowns = Bits<UInt8>(4...6)
    public let gyrFifoFiltData = Bit(3)
    public let gyrFifoDowns = Bits<UInt8>(0...2)
    public init() {}
  }

  public struct FIFOConfig1: RegisterLayout {
    public let fifoGyrEn = Bit(7)
    public let fifoAccEn = Bit(6)
    public let fifoMagEn = Bit(5)
    public let fifoHeaderEn = Bit(4)
    public let fifoTagInt1En = Bit(3)
    public let fifoTagInt2En = Bit(2)
    public let fifoTimeEn = Bit(1)
    public init() {}
  }

  public struct MagIf0: RegisterLayout {
    public let magI2cAddr = Bits<UInt8>(1...7)
    public init() {}
  }

  public struct MagIf1: RegisterLayout {
    public let magManualEn = Bit(7)
    public let magOffset = Bits<UInt8>(2...5)
    public let magRdBurst = Bits<UInt8>(0...1)
    public init() {}
  }

  public struct IntEn0: RegisterLayout {
    public let flatEn = Bit(7)
    public let orientEn = Bit(6)
    public let sTapEn = Bit(5)
    public let dTapEn = Bit(4)
    public let anymoZ = Bit(2)
    public let anymoY = Bit(1)
    public let anymoX = Bit(0)
    public init() {}
  }

  public struct IntEn1: RegisterLayout {
    public let fwmEn = Bit(6)
    public let ffullEn = Bit(5)
    public let drdyEn = Bit(4)
    public let lowgEn = Bit(3)
    public let highgZ = Bit(2)
    public let highgY = Bit(1)
    public let highgX = Bit(0)
    public init() {}
  }

  public struct IntEn2: RegisterLayout {
    public let stepDetEn = Bit(3)
    public let nomoZ = Bit(2)
    public let nomoY = Bit(1)
    public let nomoX = Bit(0)
    public init() {}
  }

  public struct IntOutCtrl: RegisterLayout {
    public let int2OutputEn = Bit(7)
    public let int2Od = Bit(6)
    public let int2Lvl = Bit(5)
    public let int2Edge = Bit(4)
    public let int1OutputEn = Bit(3)
    public let int1Od = Bit(2)
    public let int1Lvl = Bit(1)
    public let int1Edge = Bit(0)
    public init() {}
  }

  public struct IntLatch: RegisterLayout {
    public let int2InputEn = Bit(5)
    public let int1InputEn = Bit(4)
    public let intLatch = Bits<UInt8>(0...3)
    public init() {}
  }

  /// What an interrupt pin carries of what the chip detects: INT_MAP[0] for INT1, INT_MAP[2] for INT2.
  public struct IntMap: RegisterLayout {
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
    public init() {}
  }

  public struct IntMap1: RegisterLayout {
    public let int1Drdy = Bit(7)
    public let int1Fwm = Bit(6)
    public let int1Ffull = Bit(5)
    public let int1Pmu = Bit(4)
    public let int2Drdy = Bit(3)
    public let int2Fwm = Bit(2)
    public let int2Ffull = Bit(1)
    public let int2Pmu = Bit(0)
    public init() {}
  }

  public struct IntData0: RegisterLayout {
    public let lowhighSrc = Bit(7)
    public let tapSrc = Bit(3)
    public init() {}
  }

  public struct IntData1: RegisterLayout {
    public let motionSrc = Bit(7)
    public init() {}
  }

  public struct IntLowhigh2: RegisterLayout {
    public let highHy = Bits<UInt8>(6...7)
    public let lowMode = Bit(2)
    public let lowHy = Bits<UInt8>(0...1)
    public init() {}
  }

  public struct IntMotion0: RegisterLayout {
    public let slowNoMotDur = Bits<UInt8>(2...7)
    public let anymDur = Bits<UInt8>(0...1)
    public init() {}
  }

  public struct IntMotion3: RegisterLayout {
    public let sigMotProof = Bits<UInt8>(4...5)
    public let sigMotSkip = Bits<UInt8>(2...3)
    public let sigMotSel = Bit(1)
    public let noMotSel = Bit(0)
    public init() {}
  }

  public struct IntTap0: RegisterLayout {
    public let tapQuiet = Bit(7)
    public let tapShock = Bit(6)
    public let tapDur = Bits<UInt8>(0...2)
    public init() {}
  }

  public struct IntTap1: RegisterLayout {
    public let tapTh = Bits<UInt8>(0...4)
    public init() {}
  }

  public struct IntOrient0: RegisterLayout {
    public let orientHyst = Bits<UInt8>(4...7)
    public let orientBlocking = Bits<UInt8>(2...3)
    public let orientMode = Bits<UInt8>(0...1)
    public init() {}
  }

  public struct IntOrient1: RegisterLayout {
    public let orientAxesEx = Bit(7)
    public let orientUdEn = Bit(6)
    public let orientTheta = Bits<UInt8>(0...5)
    public init() {}
  }

  public struct IntFlat0: RegisterLayout {
    public let flatTheta = Bits<UInt8>(0...5)
    public init() {}
  }

  public struct IntFlat1: RegisterLayout {
    public let flatHoldTime = Bits<UInt8>(4...5)
    public let flatHy = Bits<UInt8>(0...2)
    public init() {}
  }

  public struct FOCConf: RegisterLayout {
    public let focGyrEn = Bit(6)
    public let focAccX = Bits<UInt8>(4...5)
    public let focAccY = Bits<UInt8>(2...3)
    public let focAccZ = Bits<UInt8>(0...1)
    public init() {}
  }

  public struct NVMControl: RegisterLayout {
    public let nvmProgEn = Bit(1)
    public init() {}
  }

  public struct IfConf: RegisterLayout {
    public let ifMode = Bits<UInt8>(4...5)
    public let spi3 = Bit(0)
    public init() {}
  }

  public struct PMUTrigger: RegisterLayout {
    public let wakeupInt = Bit(6)
    public let gyrSleepState = Bit(5)
    public let gyrWakeupTrigger = Bits<UInt8>(3...4)
    public let gyrSleepTrigger = Bits<UInt8>(0...2)
    public init() {}
  }

  public struct SelfTest: RegisterLayout {
    public let gyrSelfTestEn = Bit(4)
    public let accSelfTestAmp = Bit(3)
    public let accSelfTestSign = Bit(2)
    public let accSelfTestEn = Bits<UInt8>(0...1)
    public init() {}
  }

  public struct NvConf: RegisterLayout {
    public let uSpare0 = Bits<UInt8>(4...7)
    public let i2cWdtEn = Bit(2)
    public let i2cWdtSel = Bit(1)
    public let spiEn = Bit(0)
    public init() {}
  }

  public struct Offset6: RegisterLayout {
    public let gyrOffEn = Bit(7)
    public let accOffEn = Bit(6)
    public let offGyrZMsb = Bits<UInt8>(4...5)
    public let offGyrYMsb = Bits<UInt8>(2...3)
    public let offGyrXMsb = Bits<UInt8>(0...1)
    public init() {}
  }

  public struct StepConf1: RegisterLayout {
    public let stepCntEn = Bit(3)
    public let stepConf108 = Bits<UInt8>(0...2)
    public init() {}
  }

  public struct CommandRegister: RegisterLayout {
    public let cmd = Bits<Command>(0...7)
    public init() {}
  }
}
