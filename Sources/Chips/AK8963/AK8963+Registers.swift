// SPDX-License-Identifier: Apache-2.0
public import Registers

/// The registers of the AK8963 (AKM MS1356-E-02, section 8).
public struct AK8963Map: RegisterMap {
  public let whoAmI = Register(0x00, RO.self, reset: 0x48)
  // What it holds is the maker's own.
  public let information = Register(0x01, RO.self, reset: nil)
  public let status1 = Register(0x02, RO.self, reset: 0x00, AK8963Status())
  public let xLow = Register(0x03, RO.self, reset: 0x00)
  public let xHigh = Register(0x04, RO.self, reset: 0x00)
  public let yLow = Register(0x05, RO.self, reset: 0x00)
  public let yHigh = Register(0x06, RO.self, reset: 0x00)
  public let zLow = Register(0x07, RO.self, reset: 0x00)
  public let zHigh = Register(0x08, RO.self, reset: 0x00)
  public let status2 = Register(0x09, RO.self, reset: 0x00, (isWide: Bit(4), overflow: Bit(3)))
  // `isWide`: 16 bits a word and not 14.
  public let control1 = Register(
    0x0A, RW.self, reset: 0x00, (isWide: Bit(4), mode: Bits<Mode>(0...3)))
  public let control2 = Register(0x0B, RW.self, reset: 0x00, AK8963Reset())
  public let selfTestControl = Register(0x0C, RW.self, reset: 0x00, SelfTest())
  // Tests of the maker's; 0x1B in the third shuts I2C.
  public let test1 = Register(0x0D, RW.self, reset: 0x00)
  public let test2 = Register(0x0E, RW.self, reset: 0x00)
  public let i2cDisable = Register(0x0F, RW.self, reset: 0x00)
  // The factory's, to be read in the mode for it only.
  public let adjustX = Register(0x10, RO.self, reset: nil)
  public let adjustY = Register(0x11, RO.self, reset: nil)
  public let adjustZ = Register(0x12, RO.self, reset: nil)
  public init() {}
}

extension AK8963Map {
  public struct SelfTest: Sendable {
    public let field = Bit(6)
  }

  /// Section 8.3.6. The sheet wants power-down between any two others.
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
  public let company = Register(0x00, RO.self, reset: 0x48)
  public let whoAmI = Register(0x01, RO.self, reset: 0x09)
  public let reserved1 = Register(0x02, RO.self, reset: nil)
  public let reserved2 = Register(0x03, RO.self, reset: nil)
  public let status1 = Register(0x10, RO.self, reset: 0x00, AK8963Status())
  public let xLow = Register(0x11, RO.self, reset: 0x00)
  public let xHigh = Register(0x12, RO.self, reset: 0x00)
  public let yLow = Register(0x13, RO.self, reset: 0x00)
  public let yHigh = Register(0x14, RO.self, reset: 0x00)
  public let zLow = Register(0x15, RO.self, reset: 0x00)
  public let zHigh = Register(0x16, RO.self, reset: 0x00)
  public let dummy = Register(0x17, RO.self, reset: 0x00)
  public let status2 = Register(0x18, RO.self, reset: 0x00, Status2())
  public let control1 = Register(0x30, RW.self, reset: 0x00)
  public let control2 = Register(0x31, RW.self, reset: 0x00, Control2())
  public let control3 = Register(0x32, RW.self, reset: 0x00, AK8963Reset())
  public let test1 = Register(0x33, RW.self, reset: 0x00)
  public let test2 = Register(0x34, RW.self, reset: 0x00)
  public init() {}
}

extension AK09916Map {
  public struct Status2: Sendable {
    public let overflow = Bit(3)
  }

  public struct Control2: Sendable {
    public let mode = Bits<Mode>(0...4)
  }

  /// DS-000189 section 13.5.
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

/// ST1: both flags go when a word of the data or ST2 is read.
public struct AK8963Status: Sendable {
  /// A sample was lost before the one that is there.
  public let overrun = Bit(1)
  public let dataReady = Bit(0)
}

public struct AK8963Reset: Sendable {
  public let softReset = Bit(0)
}
