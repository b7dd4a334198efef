// SPDX-License-Identifier: Apache-2.0
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
