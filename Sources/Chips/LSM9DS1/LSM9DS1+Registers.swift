// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The registers of the LSM9DS1's accelerometer and gyroscope (data sheet DocID025715 revision 3,
/// sections 6 and 7; ST's lsm9ds1-pid).
public struct LSM9DS1Map: RegisterMap {
  public let actThs = Register(
    0x04, RW.self, reset: 0x00, (sleepOnInactEn: Bit(7), actThs: Bits<UInt8>(0...6)))
  public let actDur = Register(0x05, RW.self, reset: 0x00)
  public let intGenCfgXl = Register(
    0x06, RW.self, reset: 0x00, (aoi: Bit(7), sixD: Bit(6), enables: Bits<UInt8>(0...5)))
  public let intGenThsXXl = Register(0x07, RW.self, reset: 0x00)
  public let intGenThsYXl = Register(0x08, RW.self, reset: 0x00)
  public let intGenThsZXl = Register(0x09, RW.self, reset: 0x00)
  public let intGenDurXl = Register(
    0x0A, RW.self, reset: 0x00, (wait: Bit(7), dur: Bits<UInt8>(0...6)))
  public let referenceG = Register(0x0B, RW.self, reset: 0x00)
  public let int1Ctrl = Register(0x0C, RW.self, reset: 0x00, SamplePin())
  public let int2Ctrl = Register(0x0D, RW.self, reset: 0x00, SamplePin())
  public let whoAmI = Register(0x0F, RO.self, reset: 0x68)
  public let ctrlReg1G = Register(
    0x10, RW.self, reset: 0x00,
    (odrG: Bits<OutputRate>(5...7), fsG: Bits<GyroFullScale>(3...4), bwG: Bits<UInt8>(0...1)))
  public let ctrlReg2G = Register(
    0x11, RW.self, reset: 0x00, (intSel: Bits<UInt8>(2...3), outSel: Bits<UInt8>(0...1)))
  public let ctrlReg3G = Register(
    0x12, RW.self, reset: 0x00, (lpMode: Bit(7), hpEn: Bit(6), hpcfG: Bits<UInt8>(0...3)))
  public let orientCfgG = Register(
    0x13, RW.self, reset: 0x00, (signG: Bits<UInt8>(3...5), orient: Bits<UInt8>(0...2)))
  public let intGenSrcG = Register(
    0x14, RO.self, reset: nil, effect: .clears, (iaG: Bit(6), axes: Bits<UInt8>(0...5)))
  public let outTempL = Register(0x15, RO.self, reset: nil)
  public let outTempH = Register(0x16, RO.self, reset: nil)
  public let statusReg = Register(0x17, RO.self, reset: nil, Status())
  public let outXLG = Register(0x18, RO.self, reset: nil)
  public let outXHG = Register(0x19, RO.self, reset: nil)
  public let outYLG = Register(0x1A, RO.self, reset: nil)
  public let outYHG = Register(0x1B, RO.self, reset: nil)
  public let outZLG = Register(0x1C, RO.self, reset: nil)
  public let outZHG = Register(0x1D, RO.self, reset: nil)
  public let ctrlReg4 = Register(
    0x1E, RW.self, reset: 0x38,
    (zenG: Bit(5), yenG: Bit(4), xenG: Bit(3), lirXl1: Bit(1), fourDXl1: Bit(0)))
  public let ctrlReg5Xl = Register(
    0x1F, RW.self, reset: 0x38,
    (dec: Bits<UInt8>(6...7), zenXl: Bit(5), yenXl: Bit(4), xenXl: Bit(3)))
  public let ctrlReg6Xl = Register(
    0x20, RW.self, reset: 0x00,
    (
      odrXl: Bits<OutputRate>(5...7), fsXl: Bits<LSM6DS3Map.AccelFullScale>(3...4),
      bwScalOdr: Bit(2), bwXl: Bits<AntiAlias>(0...1)
    ))
  public let ctrlReg7Xl = Register(
    0x21, RW.self, reset: 0x00,
    (hr: Bit(7), dcf: Bits<UInt8>(5...6), fds: Bit(2), hpis1: Bit(0)))
  public let ctrlReg8 = Register(
    0x22, RW.self, reset: 0x04,
    (
      boot: Bit(7), bdu: Bit(6), hLactive: Bit(5), ppOd: Bit(4), sim: Bit(3), ifAddInc: Bit(2),
      ble: Bit(1), swReset: Bit(0)
    ))
  public let ctrlReg9 = Register(
    0x23, RW.self, reset: 0x00,
    (
      sleepG: Bit(6), fifoTempEn: Bit(4), drdyMaskBit: Bit(3), i2cDisable: Bit(2), fifoEn: Bit(1),
      stopOnFth: Bit(0)
    ))
  public let ctrlReg10 = Register(0x24, RW.self, reset: 0x00, (stG: Bit(2), stXl: Bit(0)))
  public let intGenSrcXl = Register(
    0x26, RO.self, reset: nil, effect: .clears, (iaXl: Bit(6), axes: Bits<UInt8>(0...5)))
  // The same as at 0x17.
  public let statusRegXl = Register(0x27, RO.self, reset: nil, Status())
  public let outXLXl = Register(0x28, RO.self, reset: nil)
  public let outXHXl = Register(0x29, RO.self, reset: nil)
  public let outYLXl = Register(0x2A, RO.self, reset: nil)
  public let outYHXl = Register(0x2B, RO.self, reset: nil)
  public let outZLXl = Register(0x2C, RO.self, reset: nil)
  public let outZHXl = Register(0x2D, RO.self, reset: nil)
  public let fifoCtrl = Register(
    0x2E, RW.self, reset: 0x00, (fmode: Bits<QueueMode>(5...7), fth: Bits<UInt8>(0...4)))
  public let fifoSrc = Register(
    0x2F, RO.self, reset: nil, (fth: Bit(7), ovrn: Bit(6), fss: Bits<UInt8>(0...5)))
  public let intGenCfgG = Register(
    0x30, RW.self, reset: 0x00, (aoiG: Bit(7), lirG: Bit(6), enables: Bits<UInt8>(0...5)))
  public let intGenThsXhG = Register(
    0x31, RW.self, reset: 0x00, (dcrmG: Bit(7), thsXHigh: Bits<UInt8>(0...6)))
  public let intGenThsXlG = Register(0x32, RW.self, reset: 0x00)
  public let intGenThsYhG = Register(0x33, RW.self, reset: 0x00)
  public let intGenThsYlG = Register(0x34, RW.self, reset: 0x00)
  public let intGenThsZhG = Register(0x35, RW.self, reset: 0x00)
  public let intGenThsZlG = Register(0x36, RW.self, reset: 0x00)
  public let intGenDurG = Register(
    0x37, RW.self, reset: 0x00, (waitG: Bit(7), durG: Bits<UInt8>(0...6)))
  public init() {}
}

extension LSM9DS1Map {
  /// Of both sensors; the accelerometer alone has 10 and 50 Hz as its first two.
  public enum OutputRate: UInt8, FieldValue, CaseIterable {
    case off = 0, hz14, hz59, hz119, hz238, hz476, hz952
  }

  public enum GyroFullScale: UInt8, FieldValue, CaseIterable {
    case dps245 = 0, dps500
    case dps2000 = 3
  }

  /// The analogue filter before the accelerometer's converter.
  public enum AntiAlias: UInt8, FieldValue, CaseIterable {
    case hz408 = 0, hz211, hz105, hz50
  }

  public enum QueueMode: UInt8, FieldValue, CaseIterable {
    case bypass = 0, untilFull
    case continuousUntilTrigger = 3
    case bypassUntilTrigger
    case continuous = 6
  }

  /// INT1_CTRL and INT2_CTRL. Bit 2 is the end of a boot on the first pin and the temperature on
  /// the second; bits 6 and 7 are interrupt generators, and on the second inactivity.
  public struct SamplePin: Sendable {
    public let generators = Bits<UInt8>(6...7)
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
  /// Returns the samples per second: of both sensors, or of the accelerometer alone.
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

extension LSM9DS1Map.GyroFullScale {
  public var degreesPerSecond: Scalar {
    switch self {
    case .dps245: 245
    case .dps500: 500
    case .dps2000: 2000
    }
  }

  var radiansPerSecond: Scalar { radians(fromDegrees: degreesPerSecond) }

  /// Typical radians per second per count: 8.75, 17.5 and 70 mdps.
  var radiansPerCount: Scalar {
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
