// SPDX-License-Identifier: Apache-2.0
public import Registers

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
