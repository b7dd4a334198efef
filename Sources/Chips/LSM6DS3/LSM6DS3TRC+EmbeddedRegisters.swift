// SPDX-License-Identifier: Apache-2.0
public import Registers

/// What lies behind FUNC_CFG_ACCESS on 0x6A parts: the embedded functions (bank A, and bank B from 0x50 on) and the
/// sensor hub.
public struct LSM6DS3TRCEmbeddedMap: RegisterMap {
  public let slv0Add = Register(0x02, LSM6DS3EmbeddedMap.Slv0Add.self, RW.self, reset: nil)
  public let slv0Subadd = Register(0x03, WholeByte.self, RW.self, reset: nil)
  public let slave0Config = Register(
    0x04, LSM6DS3EmbeddedMap.Slave0Config.self, RW.self, reset: nil)
  public let slv1Add = Register(0x05, LSM6DS3EmbeddedMap.Slv1Add.self, RW.self, reset: nil)
  public let slv1Subadd = Register(0x06, WholeByte.self, RW.self, reset: nil)
  public let slave1Config = Register(0x07, Slave1Config.self, RW.self, reset: nil)
  public let slv2Add = Register(0x08, LSM6DS3EmbeddedMap.Slv2Add.self, RW.self, reset: nil)
  public let slv2Subadd = Register(0x09, WholeByte.self, RW.self, reset: nil)
  public let slave2Config = Register(
    0x0A, LSM6DS3EmbeddedMap.Slave2Config.self, RW.self, reset: nil)
  public let slv3Add = Register(0x0B, LSM6DS3EmbeddedMap.Slv3Add.self, RW.self, reset: nil)
  public let slv3Subadd = Register(0x0C, WholeByte.self, RW.self, reset: nil)
  public let slave3Config = Register(
    0x0D, LSM6DS3EmbeddedMap.Slave3Config.self, RW.self, reset: nil)
  public let datawriteSrcModeSubSlv0 = Register(0x0E, WholeByte.self, RW.self, reset: nil)
  public let configPedoThsMin = Register(0x0F, ConfigPedoThsMin.self, RW.self, reset: nil)
  public let smThs = Register(0x13, WholeByte.self, RW.self, reset: nil)
  public let pedoDebReg = Register(0x14, LSM6DS3EmbeddedMap.PedoDebReg.self, RW.self, reset: nil)
  public let stepCountDelta = Register(0x15, WholeByte.self, RW.self, reset: nil)
  public let magSiXx = Register(0x24, WholeByte.self, RW.self, reset: nil)
  public let magSiXy = Register(0x25, WholeByte.self, RW.self, reset: nil)
  public let magSiXz = Register(0x26, WholeByte.self, RW.self, reset: nil)
  public let magSiYx = Register(0x27, WholeByte.self, RW.self, reset: nil)
  public let magSiYy = Register(0x28, WholeByte.self, RW.self, reset: nil)
  public let magSiYz = Register(0x29, WholeByte.self, RW.self, reset: nil)
  public let magSiZx = Register(0x2A, WholeByte.self, RW.self, reset: nil)
  public let magSiZy = Register(0x2B, WholeByte.self, RW.self, reset: nil)
  public let magSiZz = Register(0x2C, WholeByte.self, RW.self, reset: nil)
  public let magOffxL = Register(0x2D, WholeByte.self, RW.self, reset: nil)
  public let magOffxH = Register(0x2E, WholeByte.self, RW.self, reset: nil)
  public let magOffyL = Register(0x2F, WholeByte.self, RW.self, reset: nil)
  public let magOffyH = Register(0x30, WholeByte.self, RW.self, reset: nil)
  public let magOffzL = Register(0x31, WholeByte.self, RW.self, reset: nil)
  public let magOffzH = Register(0x32, WholeByte.self, RW.self, reset: nil)
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
