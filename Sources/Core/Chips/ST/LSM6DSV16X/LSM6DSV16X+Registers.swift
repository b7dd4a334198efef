// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The registers of the LSM6DSV16X, without the pages that FUNC_CFG_ACCESS selects. Outputs, FIFO
/// words, taps and pin routing are as in the LSM6DSO; status, rates, ranges and filters have other
/// registers.
///
/// Addresses, fields and codes are from ST's lsm6dsv16x-pid f9962fa, and were compared with
/// Betaflight's driver and Linux 6.12's st_lsm6dsx (row of identity 0x70). Reset values other than
/// 0 are from a register list of the LSM6DSV32X that quotes ST's data sheet; Betaflight's driver
/// also has the reset values of PIN_CTRL and CTRL3.
public struct LSM6DSV16XMap: DerivedMap {
  public typealias Base = LSM6DSOMap

  public let funcCfgAccess = RW(
    0x01,
    (
      embFuncRegAccess: Bit(7), shubRegAccess: Bit(6), fsmWrCtrlEn: Bit(3), swPor: Bit(2),
      spi2Reset: Bit(1), oisCtrlFromUi: Bit(0)
    ))
  // SW_RESET does not change this register and the next one.
  public let pinCtrl = RW(
    0x02, reset: 0x23, (oisPuDis: Bit(7), sdoPuEn: Bit(6), ibhrPorEn: Bit(5), ones: Bits(0...1)))
  public let ifCfg = RW(
    0x03,
    (
      sdaPuEn: Bit(7), shubPuEn: Bit(6), asfCtrl: Bit(5), hLactive: Bit(4), ppOd: Bit(3),
      sim: Bit(2), i2cI3cDisable: Bit(0)
    ))
  public let odrTrigCfg = RW(0x06)
  public let fifoCtrl2 = RW(
    0x08,
    (
      stopOnWtm: Bit(7), fifoComprRtEn: Bit(6), odrChgEn: Bit(4), uncomprRate: Bits(1...2),
      xlDualcBatchFromFsm: Bit(0)
    ))
  public let fifoCtrl3 = RW(0x09, (bdrGy: Bits<OutputRate>(4...7), bdrXl: Bits<OutputRate>(0...3)))
  public let fifoCtrl4 = RW(
    0x0A,
    (
      decTsBatch: Bits(6...7), odrTBatch: Bits(4...5), gEisFifoEn: Bit(3),
      fifoMode: Bits<QueueMode>(0...2)
    ))
  public let counterBdrReg1 = RW(0x0B, (trigCounterBdr: Bits(5...6), cntBdrTh: Bits(0...1)))
  public let whoAmI = RO(0x0F, reset: 0x70)
  public let ctrl1 = RW(0x10, (opModeXl: Bits<AccelMode>(4...6), odrXl: Bits<OutputRate>(0...3)))
  public let ctrl2 = RW(0x11, (opModeG: Bits<GyroMode>(4...6), odrG: Bits<OutputRate>(0...3)))
  public let ctrl3 = RW(
    0x12, reset: 0x44, (boot: Bit(7), bdu: Bit(6), ifInc: Bit(2), swReset: Bit(0)))
  public let ctrl4 = RW(
    0x13,
    (
      int2OnInt1: Bit(4), drdyMask: Bit(3), int2DrdyTemp: Bit(2), drdyPulsed: Bit(1),
      int2InLh: Bit(0)
    ))
  // Only one source gives this reset value, so it is not used.
  public let ctrl5 = RW(0x14, reset: nil, (busActSel: Bits(1...2), intEnI3c: Bit(0)))
  public let ctrl6 = RW(0x15, (lpf1GBw: Bits(4...6), fsG: Bits<GyroFullScale>(0...3)))
  public let ctrl7 = RW(
    0x16,
    (ahQvarEn: Bit(7), int2DrdyAhQvar: Bit(6), ahQvarCZin: Bits(4...5), lpf1GEn: Bit(0)))
  public let ctrl8 = RW(
    0x17,
    (
      hpLpf2XlBw: Bits<LSM6DSOMap.LowPass>(5...7), xlDualcEn: Bit(3), isWide: Bit(2),
      fsXl: Bits<AccelFullScale>(0...1)
    )
  )
  public let ctrl9 = RW(
    0x18,
    (
      hpRefModeXl: Bit(6), xlFastsettlMode: Bit(5), hpSlopeXlEn: Bit(4), lpf2XlEn: Bit(3),
      usrOffW: Bit(1), usrOffOnOut: Bit(0)
    ))
  public let ctrl10 = RW(
    0x19, (embFuncDebug: Bit(6), stG: Bits<Stimulus>(2...3), stXl: Bits<Stimulus>(0...1)))
  public let ctrlStatus = RO(0x1A, Bit(2))
  public let fifoStatus1 = RO(0x1B, reset: nil)
  public let fifoStatus2 = RO(
    0x1C, reset: nil,
    (
      fifoWtmIa: Bit(7), fifoOvrIa: Bit(6), fifoFullIa: Bit(5), counterBdrIa: Bit(4),
      fifoOvrLatched: Bit(3), diffFifo: Bit(0)
    ))
  public let allIntSrc = RO(
    0x1D, reset: nil, effect: .clears,
    (
      embFuncIa: Bit(7), shubIa: Bit(6), sleepChangeIa: Bit(5), d6dIa: Bit(4), tapIa: Bit(2),
      wuIa: Bit(1), ffIa: Bit(0)
    ))
  public let statusReg = RO(
    0x1E, reset: nil,
    (
      timestampEndcount: Bit(7), oisDrdy: Bit(5), gdaEis: Bit(4), ahQvarda: Bit(3), tda: Bit(2),
      gda: Bit(1), xlda: Bit(0)
    ))
  public let uiOutGOisEis = RO.axisWords(0x2E, .lowFirst, reset: nil)
  public let uiOutAOisDualc = RO.axisWords(0x34, .lowFirst, reset: nil)
  public let ahQvarOut = RO.words(0x3A, .lowFirst, reset: nil)
  public let uiStatusRegOis = RO(
    0x44, reset: nil, (gyroSettling: Bit(2), gdaOis: Bit(1), xldaOis: Bit(0)))
  public let wakeUpSrc = RO(
    0x45, reset: nil, effect: .clears,
    (
      sleepChangeIa: Bit(6), ffIa: Bit(5), sleepState: Bit(4), wuIa: Bit(3), xWu: Bit(2),
      yWu: Bit(1), zWu: Bit(0)
    ))
  public let tapSrc = RO(
    0x46, reset: nil, effect: .clears,
    (
      tapIa: Bit(6), singleTap: Bit(5), doubleTap: Bit(4), tapSign: Bit(3), xTap: Bit(2),
      yTap: Bit(1), zTap: Bit(0)
    ))
  public let d6dSrc = RO(
    0x47, reset: nil, effect: .clears,
    (d6dIa: Bit(6), zh: Bit(5), zl: Bit(4), yh: Bit(3), yl: Bit(2), xh: Bit(1), xl: Bit(0)))
  public let statusMasterMainpage = RO(
    0x48, reset: nil, (wrOnceDone: Bit(7), slaveNacks: Bits(3...6), sensHubEndop: Bit(0)))
  public let embFuncStatusMainpage = RO(
    0x49, reset: nil, (isFsmLc: Bit(7), isSigmot: Bit(5), isTilt: Bit(4), isStepDet: Bit(3)))
  public let fsmStatusMainpage = RO(0x4A, reset: nil)
  public let mlcStatusMainpage = RO(0x4B, reset: nil, Bits(0...3))
  public let internalFreqFine = RO(0x4F, reset: nil)
  public let functionsEnable = RW(
    0x50,
    (
      interruptsEnable: Bit(7), timestampEn: Bit(6), disRstLirAllInt: Bit(3), inactEn: Bits(0...1)
    ))
  public let den = RW(
    0x51, reset: 0x0E,
    (
      lvl1En: Bit(6), lvl2En: Bit(5), denXlEn: Bit(4), denX: Bit(3), denY: Bit(2), denZ: Bit(1),
      denXlG: Bit(0)
    ))
  public let inactivityDur = RW(
    0x54, reset: 0x04,
    (
      sleepStatusOnInt: Bit(7), wuInactThsW: Bits<ThresholdWeight>(4...6),
      xlInactOdr: Bits(2...3), inactDur: Bits(0...1)
    ))
  public let inactivityThs = RW(0x55, Bits(0...5))
  public let tapCfg0 = RW(
    0x56,
    (
      lowPassOn6d: Bit(6), hwFuncMaskXlSettl: Bit(5), slopeFds: Bit(4), tapXEn: Bit(3),
      tapYEn: Bit(2), tapZEn: Bit(1), lir: Bit(0)
    ))
  public let tapCfg2 = RW(0x58, Bits(0...4))
  public let wakeUpDur = RW(0x5C, (ffDur: Bit(7), wakeDur: Bits(5...6), sleepDur: Bits(0...3)))
  public let haodrCfg = RW(0x62, Bits(0...1))
  public let embFuncCfg = RW(
    0x63,
    (
      xlDualcBatchFromIf: Bit(7), embFuncIrqMaskGSettl: Bit(5), embFuncIrqMaskXlSettl: Bit(4),
      embFuncDisable: Bit(3)
    ))
  public let uiHandshakeCtrl = RW(0x64, (uiSharedAck: Bit(1), uiSharedReq: Bit(0)))
  public let uiSpi2Shared = RW.bytes(0x65, 6)
  public let ctrlEis = RW(
    0x6B,
    (odrGEis: Bits(6...7), lpfGEisBw: Bit(4), gEisOnGOisOutReg: Bit(3), fsGEis: Bits(0...2)))
  // Bit 0 of a tag is reserved: unlike the LSM6DSO's tags, these tags have no parity bit.
  public let fifoDataOutTag = RO(
    0x78, reset: nil, effect: .popsQueue,
    (tagSensor: Bits<LSM6DSOMap.Tag>(3...7), tagCnt: Bits(1...2)))
  public init() {}
}

extension LSM6DSV16XMap {
  public typealias QueueMode = LSM6DSOMap.QueueMode

  /// The output data rates of both sensors and the FIFO. In low power the accelerometer lacks 7.5
  /// Hz and the rates above 240 Hz.
  public enum OutputRate: UInt8, FieldValue, CaseIterable {
    case off = 0, hz2, hz7, hz15, hz30, hz60, hz120, hz240, hz480, hz960, hz1920, hz3840, hz7680
  }

  /// The accelerometer's operating mode. The low-power modes average 2, 4 or 8 samples.
  public enum AccelMode: UInt8, FieldValue, CaseIterable {
    case highPerformance = 0, highAccuracy
    case triggered = 3
    case lowPower2, lowPower4, lowPower8, normal
  }

  public enum GyroMode: UInt8, FieldValue, CaseIterable {
    case highPerformance = 0, highAccuracy
    case triggered = 3
    case sleep, lowPower
  }

  public enum AccelFullScale: UInt8, FieldValue, CaseIterable { case g2 = 0, g4, g8, g16 }

  public enum GyroFullScale: UInt8, FieldValue, CaseIterable {
    case dps125 = 0, dps250, dps500, dps1000, dps2000
    case dps4000 = 12
  }

  /// The force or rotation that a self-test adds.
  public enum Stimulus: UInt8, FieldValue, CaseIterable { case off = 0, positive, negative }

  /// The size of one count of the thresholds for motion and stillness.
  public enum ThresholdWeight: UInt8, FieldValue, CaseIterable {
    case mg8 = 0, mg16, mg31, mg62, mg125, mg250
  }
}

extension LSM6DSV16XMap.OutputRate {
  /// The rate in Hz: 7680 Hz, halved for each lower code down to 7.5 Hz; the lowest code is 1.875
  /// Hz.
  public var hertz: Scalar {
    switch self {
    case .off: 0
    case .hz2: 1.875
    default: 7.5 * Scalar(1 << (Int(rawValue) - 2))
    }
  }
}

extension LSM6DSV16XMap.AccelFullScale: AccelerationScale {
  public var g: Scalar { Scalar(2 << Int(rawValue)) }
  /// The accelerometer's typical g per count: 61 micro-g at 2 g, and proportional values for the
  /// other full scales.
  public var gPerCount: Scalar { g * 0.0000305 }
}

extension LSM6DSV16XMap.GyroFullScale: RotationScale {
  public var degreesPerSecond: Scalar { self == .dps4000 ? 4000 : Scalar(125 << Int(rawValue)) }
  /// The gyroscope's typical radians per second per count: 4.375 mdps at 125 degrees per second,
  /// and proportional values for the other full scales.
  public var radiansPerCount: Scalar { radiansPerSecond * 0.000035 }
}

extension LSM6DSV16XMap.ThresholdWeight {
  /// The g per count of a threshold.
  public var g: Scalar { 0.0078125 * Scalar(1 << Int(rawValue)) }
}
