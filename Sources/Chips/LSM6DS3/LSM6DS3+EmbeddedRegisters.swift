// SPDX-License-Identifier: Apache-2.0
public import Registers

/// The registers behind FUNC_CFG_ACCESS on 0x69 parts: the embedded functions and the sensor hub.
public struct LSM6DS3EmbeddedMap: RegisterMap {
  public let slv0Add = Register(
    0x02, RW.self, reset: nil, (slave0Add: Bits<UInt8>(1...7), rw0: Bit(0)))
  public let slv0Subadd = Register(0x03, RW.self, reset: nil)
  public let slave0Config = Register(
    0x04, RW.self, reset: nil,
    (
      slave0Rate: Bits<UInt8>(6...7), auxSensOn: Bits<UInt8>(4...5), srcMode: Bit(3),
      slave0Numop: Bits<UInt8>(0...2)
    ))
  public let slv1Add = Register(
    0x05, RW.self, reset: nil, (slave1Add: Bits<UInt8>(1...7), r1: Bit(0)))
  public let slv1Subadd = Register(0x06, RW.self, reset: nil)
  public let slave1Config = Register(
    0x07, RW.self, reset: nil, (slave1Rate: Bits<UInt8>(6...7), slave1Numop: Bits<UInt8>(0...2)))
  public let slv2Add = Register(
    0x08, RW.self, reset: nil, (slave2Add: Bits<UInt8>(1...7), r2: Bit(0)))
  public let slv2Subadd = Register(0x09, RW.self, reset: nil)
  public let slave2Config = Register(
    0x0A, RW.self, reset: nil, (slave2Rate: Bits<UInt8>(6...7), slave2Numop: Bits<UInt8>(0...2)))
  public let slv3Add = Register(
    0x0B, RW.self, reset: nil, (slave3Add: Bits<UInt8>(1...7), r3: Bit(0)))
  public let slv3Subadd = Register(0x0C, RW.self, reset: nil)
  public let slave3Config = Register(
    0x0D, RW.self, reset: nil, (slave3Rate: Bits<UInt8>(6...7), slave3Numop: Bits<UInt8>(0...2)))
  public let datawriteSrcModeSubSlv0 = Register(0x0E, RW.self, reset: nil)
  public let pedoThsReg = Register(
    0x0F, RW.self, reset: nil, (pedo4g: Bit(7), thsMin: Bits<UInt8>(0...4)))
  public let smThs = Register(0x13, RW.self, reset: nil)
  public let pedoDebReg = Register(
    0x14, RW.self, reset: nil, (debTime: Bits<UInt8>(3...7), debStep: Bits<UInt8>(0...2)))
  public let stepCountDelta = Register(0x15, RW.self, reset: nil)
  public let magSiXx = Register(0x24, RW.self, reset: nil)
  public let magSiXy = Register(0x25, RW.self, reset: nil)
  public let magSiXz = Register(0x26, RW.self, reset: nil)
  public let magSiYx = Register(0x27, RW.self, reset: nil)
  public let magSiYy = Register(0x28, RW.self, reset: nil)
  public let magSiYz = Register(0x29, RW.self, reset: nil)
  public let magSiZx = Register(0x2A, RW.self, reset: nil)
  public let magSiZy = Register(0x2B, RW.self, reset: nil)
  public let magSiZz = Register(0x2C, RW.self, reset: nil)
  public let magOffxL = Register(0x2D, RW.self, reset: nil)
  public let magOffxH = Register(0x2E, RW.self, reset: nil)
  public let magOffyL = Register(0x2F, RW.self, reset: nil)
  public let magOffyH = Register(0x30, RW.self, reset: nil)
  public let magOffzL = Register(0x31, RW.self, reset: nil)
  public let magOffzH = Register(0x32, RW.self, reset: nil)
  public init() {}
}

/// The registers behind FUNC_CFG_ACCESS on 0x6A parts: the embedded functions (bank A, and bank B
/// from 0x50 on) and the sensor hub.
public struct LSM6DS3TRCEmbeddedMap: DerivedMap {
  public typealias Base = LSM6DS3EmbeddedMap

  public let slave1Config = Register(
    0x07, RW.self, reset: nil,
    (slave1Rate: Bits<UInt8>(6...7), writeOnce: Bit(5), slave1Numop: Bits<UInt8>(0...2)))
  public let configPedoThsMin = Register(
    0x0F, RW.self, reset: nil, (pedoFs: Bit(7), thsMin: Bits<UInt8>(0...4)))
  public let aWristTiltLat = Register(0x50, RW.self, reset: nil)
  public let aWristTiltThs = Register(0x54, RW.self, reset: nil)
  public let aWristTiltMask = Register(
    0x59, RW.self, reset: nil,
    (
      wristTiltMaskXpos: Bit(7), wristTiltMaskXneg: Bit(6), wristTiltMaskYpos: Bit(5),
      wristTiltMaskYneg: Bit(4), wristTiltMaskZpos: Bit(3), wristTiltMaskZneg: Bit(2)
    ))
  public init() {}
}
