// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The registers of the LSM6DSO, LSM6DSOX and LSM6DSO32, without the pages that FUNC_CFG_ACCESS
/// selects (ST's lsm6dso-pid 163f39a and lsm6dso32-pid; data sheet DS12140 revision 2). Outputs and
/// detection sources are as in the LSM6DS3TR-C; FIFO, pins and taps differ.
public struct LSM6DSOMap: DerivedMap {
  public typealias Base = LSM6DS3TRCMap

  /// Returns true for registers of the LSM6DS3TR-C that these parts lack: synchronisation, the
  /// untagged FIFO, steps and the sensor hub's magnetometer.
  public static func lacks(_ address: UInt8) -> Bool {
    switch address {
    case 0x04...0x06, 0x3C...0x3F, 0x49...0x55, 0x60, 0x61, 0x66...0x6B: true
    default: false
    }
  }

  public let funcCfgAccess = RW(0x01, (funcCfgEn: Bit(7), shubRegAccess: Bit(6)))
  public let pinCtrl = RW(0x02, reset: 0x3F, (oisPuDis: Bit(7), sdoPuEn: Bit(6), ones: Bits(0...5)))
  public let fifoCtrl1 = RW(0x07)
  public let fifoCtrl2 = RW(
    0x08,
    (
      stopOnWtm: Bit(7), fifoComprRtEn: Bit(6), odrchgEn: Bit(4), uncoptrRate: Bits(1...2),
      wtm8: Bit(0)
    ))
  public let fifoCtrl3 = RW(0x09, (bdrGy: Bits<OutputRate>(4...7), bdrXl: Bits<OutputRate>(0...3)))
  public let fifoCtrl4 = RW(
    0x0A, (odrTsBatch: Bits(6...7), odrTBatch: Bits(4...5), fifoMode: Bits<QueueMode>(0...2)))
  public let counterBdrReg1 = RW(
    0x0B,
    (dataReadyPulsed: Bit(7), rstCounterBdr: Bit(6), trigCounterBdr: Bit(5), cntBdrTh: Bits(0...2)))
  public let counterBdrReg2 = RW(0x0C)
  public let int1Ctrl = RW(0x0D, SamplePin())
  public let int2Ctrl = RW(0x0E, SamplePin())
  public let whoAmI = RO(0x0F, reset: 0x6C)
  public let ctrl1Xl = RW(
    0x10, (odrXl: Bits<OutputRate>(4...7), fsXl: Bits<AccelFullScale>(2...3), lpf2XlEn: Bit(1)))
  // Bit 0 selects 4000 degrees per second on the ISM330DHCX; on the other parts it stays 0.
  public let ctrl2G = RW(0x11, (odrG: Bits<OutputRate>(4...7), fsG: Bits<GyroFullScale>(0...3)))
  public let ctrl3C = RW(
    0x12, reset: 0x04,
    (
      boot: Bit(7), bdu: Bit(6), hLactive: Bit(5), ppOd: Bit(4), sim: Bit(3), ifInc: Bit(2),
      swReset: Bit(0)
    ))
  public let ctrl4C = RW(
    0x13,
    (sleepG: Bit(6), int2OnInt1: Bit(5), drdyMask: Bit(3), i2cDisable: Bit(2), lpf1SelG: Bit(1)))
  public let ctrl5C = RW(
    0x14,
    (
      xlUlpEn: Bit(7), rounding: Bits(5...6), stG: Bits<LSM6DS3Map.GyroStimulus>(2...3),
      stXl: Bits<LSM6DS3Map.AccelStimulus>(0...1)
    ))
  public let ctrl6C = RW(
    0x15, (denMode: Bits(5...7), xlHmMode: Bit(4), usrOffW: Bit(3), ftype: Bits(0...2)))
  public let ctrl7G = RW(
    0x16,
    (
      gHmMode: Bit(7), hpEnG: Bit(6), hpmG: Bits(4...5), oisOnEn: Bit(2), usrOffOnOut: Bit(1),
      oisOn: Bit(0)
    ))
  public let ctrl8Xl = RW(
    0x17,
    (
      hpcfXl: Bits<LowPass>(5...7), hpRefModeXl: Bit(4), fastsettlModeXl: Bit(3),
      hpSlopeXlEn: Bit(2), xlFsMode: Bit(1), lowPassOn6d: Bit(0)
    ))
  // Bit 1 is I3C_DISABLE; the ISM330DHCX calls the same bit DEVICE_CONF.
  public let ctrl9Xl = RW(
    0x18, reset: 0xE0,
    (
      denX: Bit(7), denY: Bit(6), denZ: Bit(5), denXlG: Bits(3...4), denLh: Bit(2),
      i3cDisable: Bit(1)
    ))
  public let ctrl10C = RW(0x19, Bit(5))
  public let allIntSrc = RO(
    0x1A, reset: nil, effect: .clears,
    (
      timestampEndcount: Bit(7), sleepChangeIa: Bit(5), d6dIa: Bit(4), doubleTap: Bit(3),
      singleTap: Bit(2), wuIa: Bit(1), ffIa: Bit(0)
    ))
  public let wakeUpSrc = RO(
    0x1B, reset: nil, effect: .clears,
    (
      sleepChangeIa: Bit(6), ffIa: Bit(5), sleepState: Bit(4), wuIa: Bit(3), xWu: Bit(2),
      yWu: Bit(1), zWu: Bit(0)
    ))
  public let embFuncStatusMainpage = RO(
    0x35, reset: nil, (isFsmLc: Bit(7), isSigmot: Bit(5), isTilt: Bit(4), isStepDet: Bit(3)))
  public let fsmStatusAMainpage = RO(0x36, reset: nil)
  public let fsmStatusBMainpage = RO(0x37, reset: nil)
  // The status of the machine learning core, which the LSM6DSO and LSM6DSO32 lack.
  public let mlcStatusMainpage = RO(0x38, reset: nil)
  public let statusMasterMainpage = RO(
    0x39, reset: nil, (wrOnceDone: Bit(7), slaveNacks: Bits(3...6), sensHubEndop: Bit(0)))
  public let fifoStatus2 = RO(
    0x3B, reset: nil,
    (
      fifoWtmIa: Bit(7), fifoOvrIa: Bit(6), fifoFullIa: Bit(5), counterBdrIa: Bit(4),
      overRunLatched: Bit(3), diffFifo: Bits(0...1)
    ))
  public let timestamp3 = RO(0x43, reset: nil)
  public let tapCfg0 = RW(
    0x56,
    (
      intClrOnRead: Bit(6), sleepStatusOnInt: Bit(5), slopeFds: Bit(4), tapXEn: Bit(3),
      tapYEn: Bit(2), tapZEn: Bit(1), lir: Bit(0)
    ))
  public let tapCfg1 = RW(0x57, (tapPriority: Bits(5...7), tapThsX: Bits(0...4)))
  public let tapCfg2 = RW(
    0x58,
    (interruptsEnable: Bit(7), inactEn: Bits<LSM6DS3TRCMap.Inactivity>(5...6), tapThsY: Bits(0...4))
  )
  public let wakeUpThs = RW(0x5B, (singleDoubleTap: Bit(7), usrOffOnWu: Bit(6), wkThs: Bits(0...5)))
  public let wakeUpDur = RW(
    0x5C, (ffDur: Bit(7), wakeDur: Bits(5...6), wakeThsW: Bit(4), sleepDur: Bits(0...3)))
  public let md1Cfg = RW(0x5E, EventPin())
  public let md2Cfg = RW(0x5F, EventPin())
  public let i3cBusAvb = RW(0x62, (i3cBusAvbSel: Bits(3...4), pdDisInt1: Bit(0)))
  public let internalFreqFine = RO(0x63, reset: nil)
  // The auxiliary interface's registers can be written only through the auxiliary SPI.
  public let intOis = RO(0x6F)
  public let ctrl1Ois = RO(0x70)
  public let ctrl2Ois = RO(0x71)
  public let ctrl3Ois = RO(0x72)
  // In a burst the address wraps from 0x7E to this register. Every seven bytes that are read are
  // removed from the FIFO.
  public let fifoDataOutTag = RO(
    0x78, reset: nil, effect: .popsQueue,
    (tagSensor: Bits<Tag>(3...7), tagCnt: Bits(1...2), tagParity: Bit(0)))
  public let fifoDataOut = RO.axisWords(0x79, .lowFirst, reset: nil, effect: .popsQueue)
  public init() {}
}

/// The registers of the ISM330DHCX (ST's ism330dhcx-pid).
public struct ISM330DHCXMap: DerivedMap {
  public typealias Base = LSM6DSOMap
  public let whoAmI = RO(0x0F, reset: 0x6B)

  /// Returns true for I3C_BUS_AVB, which this part lacks.
  public static func lacks(_ address: UInt8) -> Bool { address == 0x62 }
  public init() {}
}

extension LSM6DSOMap {
  public typealias OutputRate = LSM6DS3Map.OutputRate
  public typealias AccelFullScale = LSM6DS3Map.AccelFullScale

  /// The gyroscope's full scale: FS_G, FS_125 and FS_4000 as one field.
  public enum GyroFullScale: UInt8, FieldValue, CaseIterable {
    case dps250 = 0
    case dps4000 = 1
    case dps125 = 2
    case dps500 = 4
    case dps1000 = 8
    case dps2000 = 12
  }

  public enum QueueMode: UInt8, FieldValue, CaseIterable {
    case bypass = 0, untilFull
    case continuousUntilTrigger = 3
    case bypassUntilTrigger
    case continuous = 6
    case bypassUntilFull
  }

  /// The bandwidth of the accelerometer's second low-pass filter, as a fraction of the output rate.
  public enum LowPass: UInt8, FieldValue, CaseIterable {
    case rateBy4 = 0, rateBy10, rateBy20, rateBy45, rateBy100, rateBy200, rateBy400, rateBy800
  }

  /// The tag that names the sensor of an uncompressed FIFO word.
  public enum Tag: UInt8, FieldValue, CaseIterable {
    case gyro = 1, accel, temperature, timestamp, configuration
  }

  /// The fields of INT1_CTRL and INT2_CTRL. Bit 2 stands for the end of the boot on INT1 and for
  /// temperature on INT2.
  public struct SamplePin: Sendable {
    public let denDrdyFlag = Bit(7)
    public let cntBdr = Bit(6)
    public let fifoFull = Bit(5)
    public let fifoOvr = Bit(4)
    public let fifoTh = Bit(3)
    public let bootOrTemp = Bit(2)
    public let drdyG = Bit(1)
    public let drdyXl = Bit(0)
  }

  /// The fields of MD1_CFG and MD2_CFG. Bit 0 stands for the sensor hub on INT1 and for the end of
  /// the timestamp on INT2.
  public struct EventPin: Sendable {
    public let sleepChange = Bit(7)
    public let singleTap = Bit(6)
    public let wu = Bit(5)
    public let ff = Bit(4)
    public let doubleTap = Bit(3)
    public let sixD = Bit(2)
    public let embFunc = Bit(1)
    public let shubOrTimestamp = Bit(0)
  }

}

extension LSM6DSOMap.GyroFullScale: RotationScale {
  public var degreesPerSecond: Scalar {
    switch self {
    case .dps125: 125
    case .dps250: 250
    case .dps500: 500
    case .dps1000: 1000
    case .dps2000: 2000
    case .dps4000: 4000
    }
  }

  /// The gyroscope's typical radians per second per count: 8.75 mdps at 250 degrees per second, and
  /// proportional values for the other full scales.
  public var radiansPerCount: Scalar { radiansPerSecond * 0.000035 }
}

extension LSM6DSOMap.LowPass {
  /// The ratio of the output rate to the filter's bandwidth.
  public var divisor: Scalar {
    let divisors: InlineArray<8, Scalar> = [4, 10, 20, 45, 100, 200, 400, 800]
    return divisors[Int(rawValue)]
  }
}
