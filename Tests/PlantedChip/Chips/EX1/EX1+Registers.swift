// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The registers of the EX1, an invented magnetometer.
public struct EX1Map: RegisterMap {
  public let whoAmI = RO(0x00, reset: 0xE1)
  public let control = RW(0x01, (reset: Bit(7), isRunning: Bit(2), rate: Bits<Rate>(0...1)))
  public let status = RO(0x02, (overrun: Bit(1), dataReady: Bit(0)))
  public let out = RO.axisWords(0x03, .lowFirst)
  public init() {}
}

extension EX1Map {
  public enum Rate: UInt8, FieldValue, CaseIterable {
    case hz25 = 0, hz50, hz100, hz200

    public var hertz: Scalar { Scalar(25 << Int(rawValue)) }
  }
}
