// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The registers of the LIS3MDL (ST DocID024204 revision 6, sections 6 and 7).
public struct LIS3MDLMap: RegisterMap {
  public let whoAmI = Register(0x0F, WholeByte.self, RO.self, reset: 0x3D)
  public let control1 = Register(0x20, Control1.self, RW.self, reset: 0x10)
  public let control2 = Register(0x21, Control2.self, RW.self, reset: 0x00)
  public let control3 = Register(0x22, Control3.self, RW.self, reset: 0x03)
  public let control4 = Register(0x23, Control4.self, RW.self, reset: 0x00)
  public let control5 = Register(0x24, Control5.self, RW.self, reset: 0x00)
  public let status = Register(0x27, Status.self, RO.self, reset: 0x00)
  public let xLow = Register(0x28, WholeByte.self, RO.self, reset: 0x00)
  public let xHigh = Register(0x29, WholeByte.self, RO.self, reset: 0x00)
  public let yLow = Register(0x2A, WholeByte.self, RO.self, reset: 0x00)
  public let yHigh = Register(0x2B, WholeByte.self, RO.self, reset: 0x00)
  public let zLow = Register(0x2C, WholeByte.self, RO.self, reset: 0x00)
  public let zHigh = Register(0x2D, WholeByte.self, RO.self, reset: 0x00)
  public let temperatureLow = Register(0x2E, WholeByte.self, RO.self, reset: 0x00)
  public let temperatureHigh = Register(0x2F, WholeByte.self, RO.self, reset: 0x00)
  public let interruptConfig = Register(0x30, InterruptConfig.self, RW.self, reset: 0xE8)
  public let interruptSource = Register(0x31, InterruptSource.self, RO.self, reset: 0x00)
  public let thresholdLow = Register(0x32, WholeByte.self, RW.self, reset: 0x00)
  public let thresholdHigh = Register(0x33, WholeByte.self, RW.self, reset: 0x00)
  public init() {}
}

extension LIS3MDLMap {
  public struct Control1: RegisterLayout {
    public let temperatureEnable = Bit(7)
    /// X and Y.
    public let performance = Bits<Performance>(5...6)
    public let rate = Bits<Rate>(2...4)
    /// The rate then follows from `performance`.
    public let fastRate = Bit(1)
    public let selfTest = Bit(0)
    public init() {}
  }

  public struct Control2: RegisterLayout {
    public let fullScale = Bits<FullScale>(5...6)
    public let reboot = Bit(3)
    public let softReset = Bit(2)
    public init() {}
  }

  public struct Control3: RegisterLayout {
    public let lowPower = Bit(5)
    public let threeWireSPI = Bit(2)
    public let mode = Bits<Mode>(0...1)
    public init() {}
  }

  public struct Control4: RegisterLayout {
    /// Z; to be set as X and Y.
    public let performance = Bits<Performance>(2...3)
    public let bigEndian = Bit(1)
    public init() {}
  }

  public struct Control5: RegisterLayout {
    public let fastRead = Bit(7)
    public let blockUpdate = Bit(6)
    public init() {}
  }

  public struct Status: RegisterLayout {
    public let overrun = Bit(7)
    public let overrunZ = Bit(6)
    public let overrunY = Bit(5)
    public let overrunX = Bit(4)
    public let dataReady = Bit(3)
    public let dataReadyZ = Bit(2)
    public let dataReadyY = Bit(1)
    public let dataReadyX = Bit(0)
    public init() {}
  }

  public struct InterruptConfig: RegisterLayout {
    public let enableX = Bit(7)
    public let enableY = Bit(6)
    public let enableZ = Bit(5)
    public let activeHigh = Bit(2)
    public let notLatched = Bit(1)
    public let enable = Bit(0)
    public init() {}
  }

  public struct InterruptSource: RegisterLayout {
    public let aboveX = Bit(7)
    public let aboveY = Bit(6)
    public let aboveZ = Bit(5)
    public let belowX = Bit(4)
    public let belowY = Bit(3)
    public let belowZ = Bit(2)
    public let overflow = Bit(1)
    public let interrupt = Bit(0)
    public init() {}
  }

  /// Table 20; more performance is less noise and more current.
  public enum Performance: UInt8, FieldValue, CaseIterable {
    case lowPower = 0, medium, high, ultraHigh
  }

  /// Table 21.
  public enum Rate: UInt8, FieldValue, CaseIterable {
    case hz0_625 = 0, hz1_25, hz2_5, hz5, hz10, hz20, hz40, hz80
  }

  /// Table 25, in gauss; 1 gauss is 100 microtesla.
  public enum FullScale: UInt8, FieldValue, CaseIterable {
    case gauss4 = 0, gauss8, gauss12, gauss16
  }

  /// Table 28.
  public enum Mode: UInt8, FieldValue, CaseIterable {
    case continuous = 0, single, powerDown, powerDownAlternate
  }
}

extension LIS3MDLMap.Rate {
  /// Each step doubles it.
  public var hertz: Scalar { Scalar(1 << Int(rawValue)) * 0.625 }
}

extension LIS3MDLMap.Performance {
  /// The output data rate that this performance gives with FAST_ODR set (table 22).
  public var fastHertz: Scalar { Scalar(fastHertzWhole) }

  var fastHertzWhole: Int {
    switch self {
    case .lowPower: 1000
    case .medium: 560
    case .high: 300
    case .ultraHigh: 155
    }
  }
}

extension LIS3MDLMap.FullScale {
  public var microtesla: Scalar { Scalar(400 * (Int(rawValue) + 1)) }

  /// Typical sensitivity (table 3), which is given per gauss.
  public var countsPerMicrotesla: Scalar {
    switch self {
    case .gauss4: 68.42
    case .gauss8: 34.21
    case .gauss12: 22.81
    case .gauss16: 17.11
    }
  }
}
