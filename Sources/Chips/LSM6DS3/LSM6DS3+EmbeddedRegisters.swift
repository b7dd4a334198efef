// SPDX-License-Identifier: Apache-2.0
public import Registers

/// What lies behind FUNC_CFG_ACCESS on 0x69 parts: the embedded functions and the sensor hub.
public struct LSM6DS3EmbeddedMap: RegisterMap {
  public let slv0Add = Register(0x02, Slv0Add.self, RW.self, reset: nil)
  public let slv0Subadd = Register(0x03, WholeByte.self, RW.self, reset: nil)
  public let slave0Config = Register(0x04, Slave0Config.self, RW.self, reset: nil)
  public let slv1Add = Register(0x05, Slv1Add.self, RW.self, reset: nil)
  public let slv1Subadd = Register(0x06, WholeByte.self, RW.self, reset: nil)
  public let slave1Config = Register(0x07, Slave1Config.self, RW.self, reset: nil)
  public let slv2Add = Register(0x08, Slv2Add.self, RW.self, reset: nil)
  public let slv2Subadd = Register(0x09, WholeByte.self, RW.self, reset: nil)
  public let slave2Config = Register(0x0A, Slave2Config.self, RW.self, reset: nil)
  public let slv3Add = Register(0x0B, Slv3Add.self, RW.self, reset: nil)
  public let slv3Subadd = Register(0x0C, WholeByte.self, RW.self, reset: nil)
  public let slave3Config = Register(0x0D, Slave3Config.self, RW.self, reset: nil)
  public let datawriteSrcModeSubSlv0 = Register(0x0E, WholeByte.self, RW.self, reset: nil)
  public let pedoThsReg = Register(0x0F, PedoThsReg.self, RW.self, reset: nil)
  public let smThs = Register(0x13, WholeByte.self, RW.self, reset: nil)
  public let pedoDebReg = Register(0x14, PedoDebReg.self, RW.self, reset: nil)
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
  public init() {}
}

extension LSM6DS3EmbeddedMap {
  public struct Slv0Add: RegisterLayout {
    public let slave0Add = Bits<UInt8>(1...7)
    public let rw0 = Bit(0)
    public init() {}
  }

  public struct Slave0Config: RegisterLayout {
    public let slave0Rate = Bits<UInt8>(6...7)
    public let auxSensOn = Bits<UInt8>(4...5)
    public let srcMode = Bit(3)
    public let slave0Numop = Bits<UInt8>(0...2)
    public init() {}
  }

  public struct Slv1Add: RegisterLayout {
    public let slave1Add = Bits<UInt8>(1...7)
    public let r1 = Bit(0)
    public init() {}
  }

  public struct Slave1Config: RegisterLayout {
    public let slave1Rate = Bits<UInt8>(6...7)
    public let slave1Numop = Bits<UInt8>(0...2)
    public init() {}
  }

  public struct Slv2Add: RegisterLayout {
    public let slave2Add = Bits<UInt8>(1...7)
    public let r2 = Bit(0)
    public init() {}
  }

  public struct Slave2Config: RegisterLayout {
    public let slave2Rate = Bits<UInt8>(6...7)
    public let slave2Numop = Bits<UInt8>(0...2)
    public init() {}
  }

  public struct Slv3Add: RegisterLayout {
    public let slave3Add = Bits<UInt8>(1...7)
    public let r3 = Bit(0)
    public init() {}
  }

  public struct Slave3Config: RegisterLayout {
    public let slave3Rate = Bits<UInt8>(6...7)
    public let slave3Numop = Bits<UInt8>(0...2)
    public init() {}
  }

  public struct PedoThsReg: RegisterLayout {
    public let pedo4g = Bit(7)
    public let thsMin = Bits<UInt8>(0...4)
    public init() {}
  }

  public struct PedoDebReg: RegisterLayout {
    public let debTime = Bits<UInt8>(3...7)
    public let debStep = Bits<UInt8>(0...2)
    public init() {}
  }
}
