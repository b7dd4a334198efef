// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The registers of the HTS221 (ST DocID026333 revision 4, sections 6 and 7).
public struct HTS221Map: RegisterMap {
  public let whoAmI = RO(0x0F, reset: 0xBC)
  // The number of averaged conversions, in powers of two: 2 to 256 for temperature, 4 to 512 for
  // humidity.
  public let average = RW(0x10, reset: 0x1B, (temperature: Bits(3...5), humidity: Bits(0...2)))
  public let control1 = RW(0x20, (isActive: Bit(7), blockUpdate: Bit(2), rate: Bits<Rate>(0...1)))
  public let control2 = RW(0x21, (reboot: Bit(7), heater: Bit(1), oneShot: Bit(0)))
  public let control3 = RW(0x22, (activeLow: Bit(7), openDrain: Bit(6), dataReady: Bit(2)))
  public let status = RO(0x27, (humidityReady: Bit(1), temperatureReady: Bit(0)))
  public let humidity = RO.words(0x28, .lowFirst, reset: nil)
  public let temperature = RO.words(0x2A, .lowFirst, reset: nil)
  // The factory's two calibration points: the reference values, in units of 0.5 percent and 1/8
  // degree, and the chip's outputs at these values.
  public let feltHumidity = RO.bytes(0x30, 2, reset: nil)
  public let feltTemperature = RO.bytes(0x32, 2, reset: nil)
  public let feltTemperaturesHigh = RO(0x35, reset: nil, (point1: Bits(2...3), point0: Bits(0...1)))
  public let humidity0 = RO.words(0x36, .lowFirst, reset: nil)
  public let humidity1 = RO.words(0x3A, .lowFirst, reset: nil)
  public let temperature0 = RO.words(0x3C, .lowFirst, reset: nil)
  public let temperature1 = RO.words(0x3E, .lowFirst, reset: nil)
  public init() {}
}

extension HTS221Map {
  /// The output data rates of humidity and temperature (table 17).
  public enum Rate: UInt8, FieldValue, CaseIterable { case oneShot = 0, hz1, hz7, hz12_5 }
}

extension HTS221Map.Rate {
  /// The output data rate in Hz; 0 for `oneShot`.
  public var hertz: Scalar {
    switch self {
    case .oneShot: 0
    case .hz1: 1
    case .hz7: 7
    case .hz12_5: 12.5
    }
  }
}
