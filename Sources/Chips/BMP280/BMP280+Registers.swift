// SPDX-License-Identifier: Apache-2.0
public import Quantities
public import Registers

/// The registers of the BMP280 (Bosch BST-BMP280-DS001 revision 1.26, section 4) and those that the
/// BME280 adds (BST-BME280-DS002, section 5): 0xA1, 0xE1 to 0xE7, 0xF2, 0xFD and 0xFE.
public struct BMP280Map: RegisterMap {
  public let trimT1Low = Register(0x88, RO.self, reset: nil)
  public let trimT1High = Register(0x89, RO.self, reset: nil)
  public let trimT2Low = Register(0x8A, RO.self, reset: nil)
  public let trimT2High = Register(0x8B, RO.self, reset: nil)
  public let trimT3Low = Register(0x8C, RO.self, reset: nil)
  public let trimT3High = Register(0x8D, RO.self, reset: nil)
  public let trimP1Low = Register(0x8E, RO.self, reset: nil)
  public let trimP1High = Register(0x8F, RO.self, reset: nil)
  public let trimP2Low = Register(0x90, RO.self, reset: nil)
  public let trimP2High = Register(0x91, RO.self, reset: nil)
  public let trimP3Low = Register(0x92, RO.self, reset: nil)
  public let trimP3High = Register(0x93, RO.self, reset: nil)
  public let trimP4Low = Register(0x94, RO.self, reset: nil)
  public let trimP4High = Register(0x95, RO.self, reset: nil)
  public let trimP5Low = Register(0x96, RO.self, reset: nil)
  public let trimP5High = Register(0x97, RO.self, reset: nil)
  public let trimP6Low = Register(0x98, RO.self, reset: nil)
  public let trimP6High = Register(0x99, RO.self, reset: nil)
  public let trimP7Low = Register(0x9A, RO.self, reset: nil)
  public let trimP7High = Register(0x9B, RO.self, reset: nil)
  public let trimP8Low = Register(0x9C, RO.self, reset: nil)
  public let trimP8High = Register(0x9D, RO.self, reset: nil)
  public let trimP9Low = Register(0x9E, RO.self, reset: nil)
  public let trimP9High = Register(0x9F, RO.self, reset: nil)
  public let trimH1 = Register(0xA1, RO.self, reset: nil)
  /// 0x60 in a BME280.
  public let id = Register(0xD0, RO.self, reset: 0x58)
  /// Only the word `softReset` does anything.
  public let reset = Register(0xE0, WO.self, reset: 0x00)
  public let trimH2Low = Register(0xE1, RO.self, reset: nil)
  public let trimH2High = Register(0xE2, RO.self, reset: nil)
  public let trimH3 = Register(0xE3, RO.self, reset: nil)
  public let trimH4High = Register(0xE4, RO.self, reset: nil)
  // The low halves of two signed words of 12 bits.
  public let trimH4H5Low = Register(
    0xE5, RO.self, reset: nil, (h5Low: Bits<UInt8>(4...7), h4Low: Bits<UInt8>(0...3)))
  public let trimH5High = Register(0xE6, RO.self, reset: nil)
  public let trimH6 = Register(0xE7, RO.self, reset: nil)
  /// Heeded at the next write of `controlMeasurement`.
  public let controlHumidity = Register(0xF2, RW.self, reset: 0x00, ControlHumidity())
  // `measuring`: a conversion runs; clear when its results are in the data registers.
  // `imageUpdate`: the trim words are being copied: after a reset, and briefly before each
  // conversion.
  public let status = Register(0xF3, RO.self, reset: 0x00, (measuring: Bit(3), imageUpdate: Bit(0)))
  public let controlMeasurement = Register(
    0xF4, RW.self, reset: 0x00,
    (
      temperatureOversampling: Bits<Oversampling>(5...7),
      pressureOversampling: Bits<Oversampling>(2...4), mode: Bits<Mode>(0...1)
    ))
  /// Writes may be ignored in normal mode.
  public let config = Register(
    0xF5, RW.self, reset: 0x00,
    (standby: Bits<Standby>(5...7), filter: Bits<Filter>(2...4), threeWireSPI: Bit(0)))
  public let pressureHigh = Register(0xF7, RO.self, reset: 0x80)
  public let pressureLow = Register(0xF8, RO.self, reset: 0x00)
  public let pressureLowest = Register(0xF9, RO.self, reset: 0x00, HighNibble())
  public let temperatureHigh = Register(0xFA, RO.self, reset: 0x80)
  public let temperatureLow = Register(0xFB, RO.self, reset: 0x00)
  public let temperatureLowest = Register(0xFC, RO.self, reset: 0x00, HighNibble())
  public let humidityHigh = Register(0xFD, RO.self, reset: 0x80)
  public let humidityLow = Register(0xFE, RO.self, reset: 0x00)
  public init() {}

  /// The value that `reset` takes.
  public static var softReset: UInt8 { 0xB6 }
}

extension BMP280Map {
  public struct ControlHumidity: Sendable {
    public let oversampling = Bits<Oversampling>(0...2)
  }

  /// The lowest four bits of a word of 20.
  public struct HighNibble: Sendable {
    public let value = Bits<UInt8>(4...7)
  }

  /// Conversions that are averaged into one; codes 6 and 7 mean 16 too.
  public enum Oversampling: UInt8, FieldValue, CaseIterable {
    case skipped = 0, x1, x2, x4, x8, x16, x16Code6, x16Code7
  }

  /// Code 2 is forced mode as well.
  public enum Mode: UInt8, FieldValue, CaseIterable {
    case sleep = 0, forced, forcedCode2, normal
  }

  /// The pause between two conversions of normal mode: a code whose time is `milliseconds(on:)`,
  /// because the last two differ between the parts.
  public enum Standby: UInt8, FieldValue, CaseIterable {
    case ms0_5 = 0, ms62_5, ms125, ms250, ms500, ms1000, ms2000Or10, ms4000Or20
  }

  /// The coefficient of the recursive filter; codes 5 to 7 mean 16 too.
  public enum Filter: UInt8, FieldValue, CaseIterable {
    case off = 0, x2, x4, x8, x16, x16Code5, x16Code6, x16Code7
  }
}

extension BMP280Map.Oversampling {
  /// In 64 bits from the beginning: of a constant code it is a constant.
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
  public func milliseconds(on part: BMP280Part) -> Scalar {
    Scalar(microseconds(on: part)) / 1000
  }

  @inline(__always)
  func microseconds(on part: BMP280Part) -> Int64 {
    if self == .ms0_5 { return 500 }
    // Each code doubles the pause of the one before it, but for the last two of a BME280.
    if part.hasHumidity, rawValue >= 6 { return rawValue == 6 ? 10_000 : 20_000 }
    return 31_250 << Int64(rawValue)
  }
}

extension BMP280Map.Filter {
  public var coefficient: Int { 1 << min(Int(rawValue), 4) }

  /// The frequency at which y += (x - y) / coefficient falls to -3 dB, as a part of the sampling
  /// rate; unfiltered, half of it.
  public var relativeBandwidth: Scalar {
    let widths: InlineArray<5, Scalar> = [0.5, 0.115, 0.0461, 0.0213, 0.0103]
    return widths[min(Int(rawValue), 4)]
  }
}
