// SPDX-License-Identifier: Apache-2.0
public import Registers

/// The registers of the AK8963 (AKM MS1356-E-02, section 8).
public struct AK8963Map: RegisterMap {
  public let whoAmI = RO(0x00, reset: 0x48)
  // Manufacturer data, which the driver does not use.
  public let information = RO(0x01, reset: nil)
  public let status1 = RO(0x02, AK8963Status())
  public let out = RO.axisWords(0x03, .lowFirst)
  public let status2 = RO(0x09, (isWide: Bit(4), overflow: Bit(3)))
  // `isWide` selects 16-bit words instead of 14-bit words.
  public let control1 = RW(0x0A, (isWide: Bit(4), mode: Bits<Mode>(0...3)))
  public let control2 = RW(0x0B, AK8963Reset())
  public let selfTestControl = RW(0x0C, Bit(6))
  // Registers for the manufacturer's tests, except the third register, in which the value 0x1B
  // disables I2C.
  public let test1 = RW(0x0D)
  public let test2 = RW(0x0E)
  public let i2cDisable = RW(0x0F)
  // The factory's sensitivity adjustments. These registers can be read only in fuse ROM mode.
  public let adjustX = RO(0x10, reset: nil)
  public let adjustY = RO(0x11, reset: nil)
  public let adjustZ = RO(0x12, reset: nil)
  public init() {}
}

extension AK8963Map {
  /// The operating modes (section 8.3.6). Every change from one mode to another must pass through
  /// power-down.
  public enum Mode: UInt8, FieldValue, CaseIterable {
    case powerDown = 0b0000
    case single = 0b0001
    case hz8 = 0b0010
    case hz100 = 0b0110
    case externalTrigger = 0b0100
    case selfTest = 0b1000
    case fuseROM = 0b1111
  }
}

/// The registers of the AK09916 (AKM 015007392-E-02, section 11; DS-000189, sections 12 and 13).
public struct AK09916Map: RegisterMap {
  public let company = RO(0x00, reset: 0x48)
  public let whoAmI = RO(0x01, reset: 0x09)
  public let reserved1 = RO(0x02, reset: nil)
  public let reserved2 = RO(0x03, reset: nil)
  public let status1 = RO(0x10, AK8963Status())
  public let out = RO.axisWords(0x11, .lowFirst)
  public let dummy = RO(0x17)
  public let status2 = RO(0x18, Bit(3))
  public let control1 = RW(0x30)
  public let control2 = RW(0x31, Bits<Mode>(0...4))
  public let control3 = RW(0x32, AK8963Reset())
  public let test1 = RW(0x33)
  public let test2 = RW(0x34)
  public init() {}
}

extension AK09916Map {
  /// The operating modes (DS-000189 section 13.5).
  public enum Mode: UInt8, FieldValue, CaseIterable {
    case powerDown = 0b00000
    case single = 0b00001
    case hz10 = 0b00010
    case hz20 = 0b00100
    case hz50 = 0b00110
    case hz100 = 0b01000
    case selfTest = 0b10000
  }
}

/// The fields of the status register ST1. Both flags are cleared when a data word or ST2 is read.
public struct AK8963Status: Sendable {
  /// The flag that is set if a sample was lost before the current sample.
  public let overrun = Bit(1)
  public let dataReady = Bit(0)
}

public struct AK8963Reset: Sendable { public let softReset = Bit(0) }
