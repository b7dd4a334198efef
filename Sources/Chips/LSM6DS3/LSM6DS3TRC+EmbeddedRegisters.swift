// SPDX-License-Identifier: Apache-2.0
public import Registers

/// What lies behind FUNC_CFG_ACCESS on 0x6A parts: the embedded functions (bank A, and bank B from 0x50 on) and the
/// sensor hub.
public struct LSM6DS3TRCEmbeddedMap: DerivedMap {
  public typealias Base = LSM6DS3EmbeddedMap

  public let slave1Config = Register(0x07, Slave1Config.self, RW.self, reset: nil)
  public let configPedoThsMin = Register(0x0F, ConfigPedoThsMin.self, RW.self, reset: nil)
  public let aWristTiltLat = Register(0x50, WholeByte.self, RW.self, reset: nil)
  public let aWristTiltThs = Register(0x54, WholeByte.self, RW.self, reset: nil)
  public let aWristTiltMask = Register(0x59, AWristTiltMask.self, RW.self, reset: nil)
  public init() {}
}

extension LSM6DS3TRCEmbeddedMap {
  public struct Slave1Config: RegisterLayout {
    public let slave1Rate = Bits<UInt8>(6...7)
    public let writeOnce = Bit(5)
    public let slave1Numop = Bits<UInt8>(0...2)
    public init() {}
  }

  public struct ConfigPedoThsMin: RegisterLayout {
    public let pedoFs = Bit(7)
    public let thsMin = Bits<UInt8>(0...4)
    public init() {}
  }

  public struct AWristTiltMask: RegisterLayout {
    public let wristTiltMaskXpos = Bit(7)
    public let wristTiltMaskXneg = Bit(6)
    public let wristTiltMaskYpos = Bit(5)
    public let wristTiltMaskYneg = Bit(4)
    public let wristTiltMaskZpos = Bit(3)
    public let wristTiltMaskZneg = Bit(2)
    public init() {}
  }
}
