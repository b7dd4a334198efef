// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The registers of the BMP280 (Bosch BST-BMP280-DS001 revision 1.26, section 4) and the additional
/// registers of the BME280 (BST-BME280-DS002, section 5): 0xA1, 0xE1 to 0xE7, 0xF2, 0xFD and 0xFE.
public struct BMP280Map: RegisterMap {
  public let trimT = RO.words(0x88, .lowFirst, count: 3, reset: nil)
  public let trimP = RO.words(0x8E, .lowFirst, count: 9, reset: nil)
  public let trimH1 = RO(0xA1, reset: nil)
  /// The identity of a BME280 is 0x60.
  public let id = RO(0xD0, reset: 0x58)
  /// Only a write of `softReset` has an effect on the chip.
  public let reset = WO(0xE0)
  public let trimH2 = RO.words(0xE1, .lowFirst, reset: nil)
  public let trimH3 = RO(0xE3, reset: nil)
  public let trimH4High = RO(0xE4, reset: nil)
  // The low halves of two signed 12-bit trim words.
  public let trimH4H5Low = RO(0xE5, reset: nil, (h5Low: Bits(4...7), h4Low: Bits(0...3)))
  public let trimH5High = RO(0xE6, reset: nil)
  public let trimH6 = RO(0xE7, reset: nil)
  /// A write of the humidity control takes effect at the next write of `controlMeasurement`.
  public let controlHumidity = RW(0xF2, Bits<Oversampling>(0...2))
  // `measuring` is set while a conversion runs and cleared once the results of the conversion are
  // in the data registers. `imageUpdate` is set while the trim words are copied, after a reset and
  // briefly before each conversion.
  public let status = RO(0xF3, (measuring: Bit(3), imageUpdate: Bit(0)))
  public let controlMeasurement = RW(
    0xF4,
    (
      temperatureOversampling: Bits<Oversampling>(5...7),
      pressureOversampling: Bits<Oversampling>(2...4), mode: Bits<Mode>(0...1)
    ))
  /// In normal mode the chip may ignore writes to this configuration register.
  public let config = RW(
    0xF5, (standby: Bits<Standby>(5...7), filter: Bits<Filter>(2...4), threeWireSPI: Bit(0)))
  public let pressureHigh = RO(0xF7, reset: 0x80)
  public let pressureLow = RO(0xF8)
  public let pressureLowest = RO(0xF9, Bits(4...7))
  public let temperatureHigh = RO(0xFA, reset: 0x80)
  public let temperatureLow = RO(0xFB)
  public let temperatureLowest = RO(0xFC, Bits(4...7))
  public let humidityHigh = RO(0xFD, reset: 0x80)
  public let humidityLow = RO(0xFE)
  public init() {}

  /// The value of the reset register that resets the chip.
  public static var softReset: UInt8 { 0xB6 }
}

extension BMP280Map {
  /// The number of averaged conversions of a quantity; codes 6 and 7 also mean 16.
  public enum Oversampling: UInt8, FieldValue, CaseIterable {
    case skipped = 0, x1, x2, x4, x8, x16, x16Code6, x16Code7
  }

  /// The power modes of the barometer; code 2 also means forced mode.
  public enum Mode: UInt8, FieldValue, CaseIterable { case sleep = 0, forced, forcedCode2, normal }

  /// The pause between two conversions in normal mode. `milliseconds(on:)` returns the length of
  /// the pause, because the last two codes have different lengths in the BMP280 and the BME280.
  public enum Standby: UInt8, FieldValue, CaseIterable {
    case ms0_5 = 0, ms62_5, ms125, ms250, ms500, ms1000, ms2000Or10, ms4000Or20
  }

  /// The coefficient of the chip's recursive filter; codes 5 to 7 also mean 16.
  public enum Filter: UInt8, FieldValue, CaseIterable {
    case off = 0, x2, x4, x8, x16, x16Code5, x16Code6, x16Code7
  }
}

extension BMP280Map.Oversampling {
  /// The number of averaged conversions. The number is 64 bits wide so that the compiler makes it a
  /// constant for a constant code.
  @inline(__always)
  public var count: Int64 {
    switch self {
    case .skipped: 0
    case .x1: 1
    case .x2: 2
    case .x4: 4
    case .x8: 8
    default: 16
    }
  }
}

extension BMP280Map.Standby {
  public func milliseconds(on part: BMP280Part) -> Scalar { Scalar(microseconds(on: part)) / 1000 }

  @inline(__always)
  func microseconds(on part: BMP280Part) -> Int64 {
    if self == .ms0_5 { return 500 }
    // Each code doubles the pause, except the last two codes of a BME280.
    if part.hasHumidity, rawValue >= 6 { return rawValue == 6 ? 10_000 : 20_000 }
    return 31_250 << Int64(rawValue)
  }
}

extension BMP280Map.Filter {
  public var coefficient: Int { 1 << min(Int(rawValue), 4) }

  /// The 3 dB bandwidth of the recursive filter y += (x - y) / coefficient, as a fraction of the
  /// sampling rate. Without the filter the bandwidth is half of the rate.
  public var relativeBandwidth: Scalar {
    let widths: InlineArray<5, Scalar> = [0.5, 0.115, 0.0461, 0.0213, 0.0103]
    return widths[min(Int(rawValue), 4)]
  }
}
