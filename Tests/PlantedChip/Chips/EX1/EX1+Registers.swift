// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The registers of the EX1, an invented magnetometer.
public struct EX1Map: RegisterMap {
  public let whoAmI = Register(0x00, RO.self, reset: 0xE1)
  public let control = Register(
    0x01, RW.self, reset: 0x00, (reset: Bit(7), isRunning: Bit(2), rate: Bits<Rate>(0...1)))
  public let status = Register(0x02, RO.self, reset: 0x00, (overrun: Bit(1), dataReady: Bit(0)))
  public let xLow = Register(0x03, RO.self, reset: 0x00)
  public let xHigh = Register(0x04, RO.self, reset: 0x00)
  public let yLow = Register(0x05, RO.self, reset: 0x00)
  public let yHigh = Register(0x06, RO.self, reset: 0x00)
  public let zLow = Register(0x07, RO.self, reset: 0x00)
  public let zHigh = Register(0x08, RO.self, reset: 0x00)
  public init() {}
}

extension EX1Map {
  public enum Rate: UInt8, FieldValue, CaseIterable {
    case hz25 = 0, hz50, hz100, hz200

    public var hertz: Scalar { Scalar(25 << Int(rawValue)) }
  }
}
