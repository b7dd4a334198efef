// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The averaging, and the pause of the chip: one line of the table of rates.
struct BMP280Step: Sendable {
  var temperature: BMP280Map.Oversampling
  var pressure: BMP280Map.Oversampling
  var standby: BMP280Map.Standby

  /// Returns the samples per second in normal mode, typically.
  @inline(__always)
  func rate(on part: BMP280Part) -> Scalar {
    1e6 / Scalar(conversion(on: part).typical &+ standby.microseconds(on: part))
  }

  @inline(__always)
  func conversion(on part: BMP280Part) -> BMP280Conversion {
    BMP280Conversion(
      temperature: temperature.count, pressure: pressure.count,
      humidity: part.hasHumidity ? 1 : 0)
  }

  /// Returns the steps of normal mode, fastest first: less averaging where there is no time for it
  /// (temperature x 2 belongs to pressure x 16, BMP280 sheet table 4), then longer pauses.
  static func normal(_ index: Int, of part: BMP280Part) -> BMP280Step? {
    switch index {
    case 0: return BMP280Step(temperature: .x1, pressure: .x1, standby: .ms0_5)
    case 1: return BMP280Step(temperature: .x1, pressure: .x2, standby: .ms0_5)
    case 2: return BMP280Step(temperature: .x1, pressure: .x4, standby: .ms0_5)
    case 3: return BMP280Step(temperature: .x1, pressure: .x8, standby: .ms0_5)
    default: break
    }
    guard index > 0, index < normalCount(of: part) else { return nil }
    let standby: BMP280Map.Standby?
    switch (part, index) {
    case (_, 4): standby = .ms0_5
    case (.bme280, 5): standby = .ms2000Or10
    case (.bme280, 6): standby = .ms4000Or20
    default: standby = BMP280Map.Standby(rawValue: UInt8(index - (part.hasHumidity ? 6 : 4)))
    }
    return standby.map { BMP280Step(temperature: .x2, pressure: .x16, standby: $0) }
  }

  static func normalCount(of part: BMP280Part) -> Int { part.hasHumidity ? 11 : 9 }
}

/// The duration of one conversion, in microseconds (sections 3.8.1 and, for the BME280, 9.1).
public struct BMP280Conversion: Sendable {
  public var typical: Int64
  public var longest: Int64

  @inline(__always)
  public init(temperature: Int64, pressure: Int64, humidity: Int64) {
    // Conversions of all quantities, and how many but the first of them there are.
    let count = temperature &+ pressure &+ humidity
    let others: Int64 = (pressure > 0 ? 1 : 0) &+ (humidity > 0 ? 1 : 0)
    typical = 1000 &+ 2000 &* count &+ 500 &* others
    longest = 1250 &+ 2300 &* count &+ 575 &* others
  }

  /// No document gives it: as far below the typical time as the longest is above.
  @inline(__always)
  public var shortest: Int64 { 2 &* typical &- longest }
}
