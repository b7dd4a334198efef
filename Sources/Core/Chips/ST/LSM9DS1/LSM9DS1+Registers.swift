// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers
public import Sensors

/// The registers of the LSM9DS1's accelerometer and gyroscope (data sheet DocID025715 revision 3,
/// sections 6 and 7; ST's lsm9ds1-pid).
public struct LSM9DS1Map: RegisterMap {
  public let actThs = RW(0x04, (sleepOnInactEn: Bit(7), actThs: Bits(0...6)))
  public let actDur = RW(0x05)
  public let intGenCfgXl = RW(0x06, (aoi: Bit(7), sixD: Bit(6), enables: Bits(0...5)))
  public let intGenThsXXl = RW(0x07)
  public let intGenThsYXl = RW(0x08)
  public let intGenThsZXl = RW(0x09)
  public let intGenDurXl = RW(0x0A, (wait: Bit(7), dur: Bits(0...6)))
  public let referenceG = RW(0x0B)
  public let int1Ctrl = RW(0x0C, SamplePin())
  public let int2Ctrl = RW(0x0D, SamplePin())
  public let whoAmI = RO(0x0F, reset: 0x68)
  public let ctrlReg1G = RW(
    0x10, (odrG: Bits<OutputRate>(5...7), fsG: Bits<GyroFullScale>(3...4), bwG: Bits(0...1)))
  public let ctrlReg2G = RW(0x11, (intSel: Bits(2...3), outSel: Bits(0...1)))
  public let ctrlReg3G = RW(0x12, (lpMode: Bit(7), hpEn: Bit(6), hpcfG: Bits(0...3)))
  public let orientCfgG = RW(0x13, (signG: Bits(3...5), orient: Bits(0...2)))
  public let intGenSrcG = RO(0x14, reset: nil, effect: .clears, (iaG: Bit(6), axes: Bits(0...5)))
  public let outTemp = RO.words(0x15, .lowFirst, reset: nil)
  public let statusReg = RO(0x17, reset: nil, Status())
  public let outG = RO.axisWords(0x18, .lowFirst, reset: nil)
  public let ctrlReg4 = RW(
    0x1E, reset: 0x38, (zenG: Bit(5), yenG: Bit(4), xenG: Bit(3), lirXl1: Bit(1), fourDXl1: Bit(0)))
  public let ctrlReg5Xl = RW(
    0x1F, reset: 0x38, (dec: Bits(6...7), zenXl: Bit(5), yenXl: Bit(4), xenXl: Bit(3)))
  public let ctrlReg6Xl = RW(
    0x20,
    (
      odrXl: Bits<OutputRate>(5...7), fsXl: Bits<LSM6DS3Map.AccelFullScale>(3...4),
      bwScalOdr: Bit(2), bwXl: Bits<AntiAlias>(0...1)
    ))
  public let ctrlReg7Xl = RW(0x21, (hr: Bit(7), dcf: Bits(5...6), fds: Bit(2), hpis1: Bit(0)))
  public let ctrlReg8 = RW(
    0x22, reset: 0x04,
    (
      boot: Bit(7), bdu: Bit(6), hLactive: Bit(5), ppOd: Bit(4), sim: Bit(3), ifAddInc: Bit(2),
      ble: Bit(1), swReset: Bit(0)
    ))
  public let ctrlReg9 = RW(
    0x23,
    (
      sleepG: Bit(6), fifoTempEn: Bit(4), drdyMaskBit: Bit(3), i2cDisable: Bit(2), fifoEn: Bit(1),
      stopOnFth: Bit(0)
    ))
  public let ctrlReg10 = RW(0x24, (stG: Bit(2), stXl: Bit(0)))
  public let intGenSrcXl = RO(0x26, reset: nil, effect: .clears, (iaXl: Bit(6), axes: Bits(0...5)))
  // The accelerometer's status register contains the same status as register 0x17.
  public let statusRegXl = RO(0x27, reset: nil, Status())
  public let outXl = RO.axisWords(0x28, .lowFirst, reset: nil)
  public let fifoCtrl = RW(0x2E, (fmode: Bits<QueueMode>(5...7), fth: Bits(0...4)))
  public let fifoSrc = RO(0x2F, reset: nil, (fth: Bit(7), ovrn: Bit(6), fss: Bits(0...5)))
  public let intGenCfgG = RW(0x30, (aoiG: Bit(7), lirG: Bit(6), enables: Bits(0...5)))
  public let intGenThsXhG = RW(0x31, (dcrmG: Bit(7), thsXHigh: Bits(0...6)))
  public let intGenThsXlG = RW(0x32)
  public let intGenThsYhG = RW(0x33)
  public let intGenThsYlG = RW(0x34)
  public let intGenThsZhG = RW(0x35)
  public let intGenThsZlG = RW(0x36)
  public let intGenDurG = RW(0x37, (waitG: Bit(7), durG: Bits(0...6)))
  public init() {}
}

extension LSM9DS1Map {
  /// The output data rates of both sensors. If only the accelerometer runs, the first two rates are
  /// 10 and 50 Hz.
  public enum OutputRate: UInt8, FieldValue, CaseIterable {
    case off = 0, hz14, hz59, hz119, hz238, hz476, hz952
  }

  public enum GyroFullScale: UInt8, FieldValue, CaseIterable {
    case dps245 = 0, dps500
    case dps2000 = 3
  }

  /// The bandwidth of the analogue filter before the accelerometer's converter.
  public enum AntiAlias: UInt8, FieldValue, CaseIterable { case hz408 = 0, hz211, hz105, hz50 }

  public enum QueueMode: UInt8, FieldValue, CaseIterable {
    case bypass = 0, untilFull
    case continuousUntilTrigger = 3
    case bypassUntilTrigger
    case continuous = 6
  }

  /// The fields of INT1_CTRL and INT2_CTRL. Bit 2 stands for the end of the boot on INT1 and for
  /// temperature on INT2. Bits 6 and 7 stand for the interrupt generators and, on INT2, for
  /// inactivity.
  public struct SamplePin: Sendable {
    public let generators = Bits(6...7)
    public let fss5 = Bit(5)
    public let ovr = Bit(4)
    public let fth = Bit(3)
    public let bootOrTemp = Bit(2)
    public let drdyG = Bit(1)
    public let drdyXl = Bit(0)
  }

  public struct Status: Sendable {
    public let igXl = Bit(6)
    public let igG = Bit(5)
    public let inact = Bit(4)
    public let bootStatus = Bit(3)
    public let tda = Bit(2)
    public let gda = Bit(1)
    public let xlda = Bit(0)
  }
}

extension LSM9DS1Map.OutputRate {
  /// Returns the output rate in Hz, of both sensors or of the accelerometer alone.
  func hertz(isAccelAlone: Bool) -> Scalar {
    switch self {
    case .off: 0
    case .hz14: isAccelAlone ? 10 : 14.9
    case .hz59: isAccelAlone ? 50 : 59.5
    case .hz119: 119
    case .hz238: 238
    case .hz476: 476
    case .hz952: 952
    }
  }
}

extension LSM9DS1Map.GyroFullScale: RotationScale {
  public var degreesPerSecond: Scalar {
    switch self {
    case .dps245: 245
    case .dps500: 500
    case .dps2000: 2000
    }
  }

  /// The gyroscope's typical radians per second per count: 8.75, 17.5 and 70 mdps.
  public var radiansPerCount: Scalar {
    switch self {
    case .dps245: radians(fromDegrees: 0.00875)
    case .dps500: radians(fromDegrees: 0.0175)
    case .dps2000: radians(fromDegrees: 0.07)
    }
  }
}

extension LSM9DS1Map.AntiAlias {
  public var hertz: Scalar {
    let hertz: InlineArray<4, Scalar> = [408, 211, 105, 50]
    return hertz[Int(rawValue)]
  }
}
