// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The registers of the LIS2MDL (ST DS12144 revision 6, section 8). The addresses and fields are
/// also in ST's public driver `lis2mdl_reg.h`.
public struct LIS2MDLMap: RegisterMap {
  // The hard-iron offset in counts, which the chip subtracts from its measurements.
  public let offset = RW.axisWords(0x45, .lowFirst)
  public let whoAmI = RO(0x4F, reset: 0x40)
  public let configA = RW(
    0x60, reset: 0x03,
    (
      temperatureCompensation: Bit(7), reboot: Bit(6), softReset: Bit(5), lowPower: Bit(4),
      rate: Bits<Rate>(2...3), mode: Bits<Mode>(0...1)
    ))
  public let configB = RW(
    0x61,
    (
      cancelOffsetOnce: Bit(4), interruptAfterOffset: Bit(3), setOnce: Bit(2),
      cancelOffset: Bit(1), lowPass: Bit(0)
    ))
  public let configC = RW(
    0x62,
    (
      interruptOnPin: Bit(6), i2cDisable: Bit(5), blockUpdate: Bit(4), bigEndian: Bit(3),
      fourWireSPI: Bit(2), selfTest: Bit(1), dataReadyOnPin: Bit(0)
    ))
  public let interruptControl = RW(
    0x63, reset: 0xE0,
    (
      enableX: Bit(7), enableY: Bit(6), enableZ: Bit(5), activeHigh: Bit(2), latched: Bit(1),
      enable: Bit(0)
    ))
  public let interruptSource = RO(0x64, reset: nil)
  public let threshold = RW.words(0x65, .lowFirst)
  public let status = RO(
    0x67,
    (
      overrun: Bit(7), overrunZ: Bit(6), overrunY: Bit(5), overrunX: Bit(4), dataReady: Bit(3),
      dataReadyZ: Bit(2), dataReadyY: Bit(1), dataReadyX: Bit(0)
    ))
  public let out = RO.axisWords(0x68, .lowFirst)
  // The chip uses this temperature for its own compensation. The data sheet does not say which
  // temperature a count of 0 stands for.
  public let temperature = RO.words(0x6E, .lowFirst)
  public init() {}
}

// The register codes from tables 25 and 26.
extension LIS2MDLMap {
  public enum Rate: UInt8, FieldValue, CaseIterable {
    case hz10 = 0
    case hz20, hz50, hz100
  }

  public enum Mode: UInt8, FieldValue, CaseIterable {
    case continuous = 0
    case single, idle, idleAlternate
  }
}

extension LIS2MDLMap.Rate {
  public var hertz: Scalar {
    switch self {
    case .hz10: 10
    case .hz20: 20
    case .hz50: 50
    case .hz100: 100
    }
  }
}
