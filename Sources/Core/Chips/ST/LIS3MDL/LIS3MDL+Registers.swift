// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The registers of the LIS3MDL (ST DocID024204 revision 6, sections 6 and 7).
public struct LIS3MDLMap: RegisterMap {
  // The data sheet calls these registers reserved. However, AN4602 and ST's driver
  // (`lis3mdl_reg.h`) describe them, Adafruit's library writes its hard-iron calibration into them,
  // and they are in the LSM9DS1's data sheet.
  public let offset = RW.axisWords(0x05, .lowFirst)
  public let whoAmI = RO(0x0F, reset: 0x3D)
  // `performance` applies to X and Y. With `fastRate` set, `performance` determines the rate.
  public let control1 = RW(
    0x20, reset: 0x10,
    (
      temperatureEnable: Bit(7), performance: Bits<Performance>(5...6), rate: Bits<Rate>(2...4),
      fastRate: Bit(1), selfTest: Bit(0)
    ))
  public let control2 = RW(
    0x21, (fullScale: Bits<FullScale>(5...6), reboot: Bit(3), softReset: Bit(2)))
  public let control3 = RW(
    0x22, reset: 0x03, (lowPower: Bit(5), threeWireSPI: Bit(2), mode: Bits<Mode>(0...1)))
  // `performance` applies to Z and must have the same value as for X and Y.
  public let control4 = RW(0x23, (performance: Bits<Performance>(2...3), bigEndian: Bit(1)))
  public let control5 = RW(0x24, (fastRead: Bit(7), blockUpdate: Bit(6)))
  public let status = RO(
    0x27,
    (
      overrun: Bit(7), overrunZ: Bit(6), overrunY: Bit(5), overrunX: Bit(4), dataReady: Bit(3),
      dataReadyZ: Bit(2), dataReadyY: Bit(1), dataReadyX: Bit(0)
    ))
  public let out = RO.axisWords(0x28, .lowFirst)
  public let temperature = RO.words(0x2E, .lowFirst)
  public let interruptConfig = RW(
    0x30, reset: 0xE8,
    (
      enableX: Bit(7), enableY: Bit(6), enableZ: Bit(5), activeHigh: Bit(2), notLatched: Bit(1),
      enable: Bit(0)
    ))
  public let interruptSource = RO(
    0x31,
    (
      aboveX: Bit(7), aboveY: Bit(6), aboveZ: Bit(5), belowX: Bit(4), belowY: Bit(3),
      belowZ: Bit(2), overflow: Bit(1), interrupt: Bit(0)
    ))
  public let threshold = RW.words(0x32, .lowFirst)
  public init() {}
}

/// The registers of the LSM9DS1's magnetometer (DocID025715 revision 3, section 8).
public struct LSM9DS1MagnetometerMap: DerivedMap {
  public typealias Base = LIS3MDLMap
  public let interruptConfig = RW(
    0x30, reset: 0x08,
    (
      enableX: Bit(7), enableY: Bit(6), enableZ: Bit(5), one: Bit(3), activeHigh: Bit(2),
      notLatched: Bit(1), enable: Bit(0)
    ))

  /// Returns true for the temperature registers, which this part does not have.
  public static func lacks(_ address: UInt8) -> Bool { address == 0x2E || address == 0x2F }
  public init() {}
}

extension LIS3MDLMap {
  /// The performance modes (table 20). Higher modes have less noise and need more current.
  public enum Performance: UInt8, FieldValue, CaseIterable {
    case lowPower = 0, medium, high, ultraHigh
  }

  /// The output data rates (table 21).
  public enum Rate: UInt8, FieldValue, CaseIterable {
    case hz0_625 = 0, hz1_25, hz2_5, hz5, hz10, hz20, hz40, hz80
  }

  /// The full scales in gauss (table 25); 1 gauss is 100 microtesla.
  public enum FullScale: UInt8, FieldValue, CaseIterable {
    case gauss4 = 0, gauss8, gauss12, gauss16
  }

  /// The operating modes (table 28).
  public enum Mode: UInt8, FieldValue, CaseIterable {
    case continuous = 0, single, powerDown, powerDownAlternate
  }
}

extension LIS3MDLMap.Rate {
  /// The output data rate in Hz. Each code doubles the rate.
  public var hertz: Scalar { Scalar(1 << Int(rawValue)) * 0.625 }
}

extension LIS3MDLMap.Performance {
  /// The output data rate in Hz with FAST_ODR set (table 22).
  public var fastHertz: Scalar { Scalar(fastHertzWhole) }

  var fastHertzWhole: Int {
    let hertz: InlineArray<4, Int> = [1000, 560, 300, 155]
    return hertz[Int(rawValue)]
  }
}

extension LIS3MDLMap.FullScale {
  public var microtesla: Scalar { Scalar(400 * (Int(rawValue) + 1)) }

  /// The typical sensitivity in counts per microtesla; table 3 gives the sensitivity per gauss.
  public var countsPerMicrotesla: Scalar {
    let counts: InlineArray<4, Scalar> = [68.42, 34.21, 22.81, 17.11]
    return counts[Int(rawValue)]
  }

  /// Returns the sensitivity of `part` in counts per microtesla. The LSM9DS1's data sheet gives
  /// 0.14, 0.29, 0.43 and 0.58 mgauss per count (DocID025715, table 3).
  @inline(__always)
  public func countsPerMicrotesla(of part: LIS3MDLPart) -> Scalar {
    guard part == .lsm9ds1 else { return countsPerMicrotesla }
    let nanotesla: InlineArray<4, Scalar> = [14, 29, 43, 58]
    return 1000 / nanotesla[Int(rawValue)]
  }
}
