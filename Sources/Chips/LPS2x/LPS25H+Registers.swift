// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The registers of the LPS25H (ST DocID023722 revision 6, sections 7 and 8).
public struct LPS25HMap: RegisterMap {
  public let referenceExtraLow = Register(0x08, RW.self, reset: 0x00)
  public let referenceLow = Register(0x09, RW.self, reset: 0x00)
  public let referenceHigh = Register(0x0A, RW.self, reset: 0x00)
  public let whoAmI = Register(0x0F, RO.self, reset: 0xBD)
  // Converters' samples in one of the output: 8, 16, 32 or 64 of temperature, 8, 32, 128 or 512 of
  // pressure.
  public let resolution = Register(
    0x10, RW.self, reset: 0x05,
    (temperatureAverage: Bits<UInt8>(2...3), pressureAverage: Bits<UInt8>(0...1)))
  public let control1 = Register(
    0x20, RW.self, reset: 0x00,
    (
      isActive: Bit(7), rate: Bits<Rate>(4...6), differenceEnable: Bit(3), blockUpdate: Bit(2),
      resetAutoZero: Bit(1), threeWireSPI: Bit(0)
    ))
  public let control2 = Register(
    0x21, RW.self, reset: 0x00,
    (
      reboot: Bit(7), queueEnable: Bit(6), watermarkEnable: Bit(5), meanDecimation: Bit(4),
      softReset: Bit(2), autoZero: Bit(1), oneShot: Bit(0)
    ))
  public let control3 = Register(
    0x22, RW.self, reset: 0x00,
    (activeLow: Bit(7), openDrain: Bit(6), signal: Bits<UInt8>(0...1)))
  public let control4 = Register(
    0x23, RW.self, reset: 0x00,
    (empty: Bit(3), watermark: Bit(2), overrun: Bit(1), dataReady: Bit(0)))
  public let interruptConfig = Register(
    0x24, RW.self, reset: 0x00, (latched: Bit(2), low: Bit(1), high: Bit(0)))
  public let interruptSource = Register(
    0x25, RO.self, reset: 0x00, effect: .clears, (active: Bit(2), low: Bit(1), high: Bit(0)))
  public let status = Register(
    0x27, RO.self, reset: 0x00,
    (
      pressureOverrun: Bit(5), temperatureOverrun: Bit(4), pressureReady: Bit(1),
      temperatureReady: Bit(0)
    ))
  public let pressureExtraLow = Register(0x28, RO.self, reset: nil)
  public let pressureLow = Register(0x29, RO.self, reset: nil)
  public let pressureHigh = Register(0x2A, RO.self, reset: nil)
  public let temperatureLow = Register(0x2B, RO.self, reset: nil)
  public let temperatureHigh = Register(0x2C, RO.self, reset: nil)
  public let queueControl = Register(
    0x2E, RW.self, reset: 0x00, (mode: Bits<UInt8>(5...7), watermark: Bits<UInt8>(0...4)))
  public let queueStatus = Register(
    0x2F, RO.self, reset: 0x20,
    (watermark: Bit(7), full: Bit(6), empty: Bit(5), level: Bits<UInt8>(0...4)))
  public let thresholdLow = Register(0x30, RW.self, reset: 0x00)
  public let thresholdHigh = Register(0x31, RW.self, reset: 0x00)
  public let offsetLow = Register(0x39, RW.self, reset: 0x00)
  public let offsetHigh = Register(0x3A, RW.self, reset: 0x00)
  public init() {}
}

extension LPS25HMap {
  /// Table 18, of both quantities.
  public enum Rate: UInt8, FieldValue, CaseIterable {
    case oneShot = 0, hz1, hz7, hz12_5, hz25
  }
}

/// The registers of the LPS22HB (ST DocID027083 revision 6, sections 8 and 9).
public struct LPS22HBMap: RegisterMap {
  public let interruptConfig = Register(
    0x0B, RW.self, reset: 0x00,
    (
      autoReference: Bit(7), resetAutoReference: Bit(6), autoZero: Bit(5), resetAutoZero: Bit(4),
      differenceEnable: Bit(3), latched: Bit(2), low: Bit(1), high: Bit(0)
    ))
  public let thresholdLow = Register(0x0C, RW.self, reset: 0x00)
  public let thresholdHigh = Register(0x0D, RW.self, reset: 0x00)
  public let whoAmI = Register(0x0F, RO.self, reset: 0xB1)
  public let control1 = Register(
    0x10, RW.self, reset: 0x00,
    (
      rate: Bits<Rate>(4...6), filter: Bits<Filter>(2...3), blockUpdate: Bit(1),
      threeWireSPI: Bit(0)
    ))
  public let control2 = Register(
    0x11, RW.self, reset: 0x10,
    (
      reboot: Bit(7), queueEnable: Bit(6), stopsAtWatermark: Bit(5), addressIncrement: Bit(4),
      disableI2C: Bit(3), softReset: Bit(2), oneShot: Bit(0)
    ))
  public let control3 = Register(
    0x12, RW.self, reset: 0x00,
    (
      activeLow: Bit(7), openDrain: Bit(6), full: Bit(5), watermark: Bit(4), overrun: Bit(3),
      dataReady: Bit(2), signal: Bits<UInt8>(0...1)
    ))
  public let queueControl = Register(
    0x14, RW.self, reset: 0x00, (mode: Bits<UInt8>(5...7), watermark: Bits<UInt8>(0...4)))
  public let referenceExtraLow = Register(0x15, RW.self, reset: 0x00)
  public let referenceLow = Register(0x16, RW.self, reset: 0x00)
  public let referenceHigh = Register(0x17, RW.self, reset: 0x00)
  public let offsetLow = Register(0x18, RW.self, reset: 0x00)
  public let offsetHigh = Register(0x19, RW.self, reset: 0x00)
  public let resolution = Register(0x1A, RW.self, reset: 0x00, Resolution())
  public let interruptSource = Register(
    0x25, RO.self, reset: 0x00, effect: .clears,
    (booting: Bit(7), active: Bit(2), low: Bit(1), high: Bit(0)))
  public let queueStatus = Register(
    0x26, RO.self, reset: 0x00, (watermark: Bit(7), overrun: Bit(6), level: Bits<UInt8>(0...5)))
  public let status = Register(
    0x27, RO.self, reset: 0x00,
    (
      temperatureOverrun: Bit(5), pressureOverrun: Bit(4), temperatureReady: Bit(1),
      pressureReady: Bit(0)
    ))
  public let pressureExtraLow = Register(0x28, RO.self, reset: nil)
  public let pressureLow = Register(0x29, RO.self, reset: nil)
  public let pressureHigh = Register(0x2A, RO.self, reset: nil)
  public let temperatureLow = Register(0x2B, RO.self, reset: nil)
  public let temperatureHigh = Register(0x2C, RO.self, reset: nil)
  // Reading it begins the low-pass filter anew.
  public let filterReset = Register(0x33, RO.self, reset: nil, effect: .clears)
  public init() {}
}

extension LPS22HBMap {
  public struct Resolution: Sendable {
    public let lowCurrent = Bit(0)
    public init() {}
  }

  /// Table 17, of both quantities.
  public enum Rate: UInt8, FieldValue, CaseIterable {
    case oneShot = 0, hz1, hz10, hz25, hz50, hz75
  }

  /// Table 18, EN_LPFP and LPFP_CFG: the bandwidth in parts of the rate.
  public enum Filter: UInt8, FieldValue, CaseIterable {
    case half = 0
    case ninth = 2
    case twentieth = 3
  }
}

extension LPS22HBMap.Filter {
  /// The bandwidth at a rate of 1 Hz.
  public var relativeBandwidth: Scalar {
    switch self {
    case .half: 1 / 2
    case .ninth: 1 / 9
    case .twentieth: 1 / 20
    }
  }
}
