// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The registers of the HTS221 (ST DocID026333 revision 4, sections 6 and 7).
public struct HTS221Map: RegisterMap {
  public let whoAmI = Register(0x0F, RO.self, reset: 0xBC)
  // 2 to 256 conversions of temperature in one of the output, 4 to 512 of humidity: powers of two.
  public let average = Register(
    0x10, RW.self, reset: 0x1B, (temperature: Bits<UInt8>(3...5), humidity: Bits<UInt8>(0...2)))
  public let control1 = Register(
    0x20, RW.self, reset: 0x00, (isActive: Bit(7), blockUpdate: Bit(2), rate: Bits<Rate>(0...1)))
  public let control2 = Register(
    0x21, RW.self, reset: 0x00, (reboot: Bit(7), heater: Bit(1), oneShot: Bit(0)))
  public let control3 = Register(
    0x22, RW.self, reset: 0x00, (activeLow: Bit(7), openDrain: Bit(6), dataReady: Bit(2)))
  public let status = Register(
    0x27, RO.self, reset: 0x00, (humidityReady: Bit(1), temperatureReady: Bit(0)))
  public let humidityLow = Register(0x28, RO.self, reset: nil)
  public let humidityHigh = Register(0x29, RO.self, reset: nil)
  public let temperatureLow = Register(0x2A, RO.self, reset: nil)
  public let temperatureHigh = Register(0x2B, RO.self, reset: nil)
  // The factory's two points: what was felt, in halves of a percent and eighths of a degree, and
  // what the outputs were.
  public let feltHumidity0 = Register(0x30, RO.self, reset: nil)
  public let feltHumidity1 = Register(0x31, RO.self, reset: nil)
  public let feltTemperature0 = Register(0x32, RO.self, reset: nil)
  public let feltTemperature1 = Register(0x33, RO.self, reset: nil)
  public let feltTemperaturesHigh = Register(
    0x35, RO.self, reset: nil, (point1: Bits<UInt8>(2...3), point0: Bits<UInt8>(0...1)))
  public let humidity0Low = Register(0x36, RO.self, reset: nil)
  public let humidity0High = Register(0x37, RO.self, reset: nil)
  public let humidity1Low = Register(0x3A, RO.self, reset: nil)
  public let humidity1High = Register(0x3B, RO.self, reset: nil)
  public let temperature0Low = Register(0x3C, RO.self, reset: nil)
  public let temperature0High = Register(0x3D, RO.self, reset: nil)
  public let temperature1Low = Register(0x3E, RO.self, reset: nil)
  public let temperature1High = Register(0x3F, RO.self, reset: nil)
  public init() {}
}

extension HTS221Map {
  /// Table 17, of both quantities.
  public enum Rate: UInt8, FieldValue, CaseIterable {
    case oneShot = 0, hz1, hz7, hz12_5
  }
}

extension HTS221Map.Rate {
  /// 0 for single conversions.
  public var hertz: Scalar {
    switch self {
    case .oneShot: 0
    case .hz1: 1
    case .hz7: 7
    case .hz12_5: 12.5
    }
  }
}
