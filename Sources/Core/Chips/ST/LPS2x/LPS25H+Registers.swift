// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The registers of the LPS25H (ST DocID023722 revision 6, sections 7 and 8).
public struct LPS25HMap: RegisterMap {
  public let referenceExtraLow = RW(0x08)
  public let reference = RW.words(0x09, .lowFirst)
  public let whoAmI = RO(0x0F, reset: 0xBD)
  // The number of averaged samples: 8, 16, 32 or 64 for temperature, and 8, 32, 128 or 512 for
  // pressure.
  public let resolution = RW(
    0x10, reset: 0x05, (temperatureAverage: Bits(2...3), pressureAverage: Bits(0...1)))
  public let control1 = RW(
    0x20,
    (
      isActive: Bit(7), rate: Bits<Rate>(4...6), differenceEnable: Bit(3), blockUpdate: Bit(2),
      resetAutoZero: Bit(1), threeWireSPI: Bit(0)
    ))
  public let control2 = RW(
    0x21,
    (
      reboot: Bit(7), queueEnable: Bit(6), watermarkEnable: Bit(5), meanDecimation: Bit(4),
      softReset: Bit(2), autoZero: Bit(1), oneShot: Bit(0)
    ))
  public let control3 = RW(0x22, (activeLow: Bit(7), openDrain: Bit(6), signal: Bits(0...1)))
  public let control4 = RW(
    0x23, (empty: Bit(3), watermark: Bit(2), overrun: Bit(1), dataReady: Bit(0)))
  public let interruptConfig = RW(0x24, (latched: Bit(2), low: Bit(1), high: Bit(0)))
  public let interruptSource = RO(
    0x25, effect: .clears, (active: Bit(2), low: Bit(1), high: Bit(0)))
  public let status = RO(
    0x27,
    (
      pressureOverrun: Bit(5), temperatureOverrun: Bit(4), pressureReady: Bit(1),
      temperatureReady: Bit(0)
    ))
  public let pressureExtraLow = RO(0x28, reset: nil)
  public let pressure = RO.words(0x29, .lowFirst, reset: nil)
  public let temperature = RO.words(0x2B, .lowFirst, reset: nil)
  public let queueControl = RW(0x2E, (mode: Bits(5...7), watermark: Bits(0...4)))
  public let queueStatus = RO(
    0x2F, reset: 0x20, (watermark: Bit(7), full: Bit(6), empty: Bit(5), level: Bits(0...4)))
  public let threshold = RW.words(0x30, .lowFirst)
  public let offset = RW.words(0x39, .lowFirst)
  public init() {}
}

extension LPS25HMap {
  /// The output data rates of pressure and temperature (table 18).
  public enum Rate: UInt8, FieldValue, CaseIterable { case oneShot = 0, hz1, hz7, hz12_5, hz25 }
}

/// The registers of the LPS22HB (ST DocID027083 revision 6, sections 8 and 9).
public struct LPS22HBMap: RegisterMap {
  public let interruptConfig = RW(
    0x0B,
    (
      autoReference: Bit(7), resetAutoReference: Bit(6), autoZero: Bit(5), resetAutoZero: Bit(4),
      differenceEnable: Bit(3), latched: Bit(2), low: Bit(1), high: Bit(0)
    ))
  public let threshold = RW.words(0x0C, .lowFirst)
  public let whoAmI = RO(0x0F, reset: 0xB1)
  public let control1 = RW(
    0x10,
    (
      rate: Bits<Rate>(4...6), filter: Bits<Filter>(2...3), blockUpdate: Bit(1),
      threeWireSPI: Bit(0)
    ))
  public let control2 = RW(
    0x11, reset: 0x10,
    (
      reboot: Bit(7), queueEnable: Bit(6), stopsAtWatermark: Bit(5), addressIncrement: Bit(4),
      disableI2C: Bit(3), softReset: Bit(2), oneShot: Bit(0)
    ))
  public let control3 = RW(
    0x12,
    (
      activeLow: Bit(7), openDrain: Bit(6), full: Bit(5), watermark: Bit(4), overrun: Bit(3),
      dataReady: Bit(2), signal: Bits(0...1)
    ))
  public let queueControl = RW(0x14, (mode: Bits(5...7), watermark: Bits(0...4)))
  public let referenceExtraLow = RW(0x15)
  public let reference = RW.words(0x16, .lowFirst)
  public let offset = RW.words(0x18, .lowFirst)
  public let resolution = RW(0x1A, Resolution())
  public let interruptSource = RO(
    0x25, effect: .clears, (booting: Bit(7), active: Bit(2), low: Bit(1), high: Bit(0)))
  public let queueStatus = RO(0x26, (watermark: Bit(7), overrun: Bit(6), level: Bits(0...5)))
  public let status = RO(
    0x27,
    (
      temperatureOverrun: Bit(5), pressureOverrun: Bit(4), temperatureReady: Bit(1),
      pressureReady: Bit(0)
    ))
  public let pressureExtraLow = RO(0x28, reset: nil)
  public let pressure = RO.words(0x29, .lowFirst, reset: nil)
  public let temperature = RO.words(0x2B, .lowFirst, reset: nil)
  // A read of this register restarts the low-pass filter.
  public let filterReset = RO(0x33, reset: nil, effect: .clears)
  public init() {}
}

extension LPS22HBMap {
  public struct Resolution: Sendable {
    public let lowCurrent = Bit(0)
    public init() {}
  }

  /// The output data rates of pressure and temperature (table 17).
  public enum Rate: UInt8, FieldValue, CaseIterable {
    case oneShot = 0, hz1, hz10, hz25, hz50, hz75
  }

  /// The bandwidth of the low-pass filter for pressure, as a fraction of the rate: EN_LPFP and
  /// LPFP_CFG, table 18.
  public enum Filter: UInt8, FieldValue, CaseIterable {
    case half = 0
    case ninth = 2
    case twentieth = 3
  }
}

extension LPS22HBMap.Filter {
  /// The filter's bandwidth as a fraction of the output rate.
  public var relativeBandwidth: Scalar {
    switch self {
    case .half: 1 / 2
    case .ninth: 1 / 9
    case .twentieth: 1 / 20
    }
  }
}
