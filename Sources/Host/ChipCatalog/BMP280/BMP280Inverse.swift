// SPDX-License-Identifier: Apache-2.0
internal import Chips
internal import Quantities
internal import Sensors

/// The inverse of the compensation: the codes that a part with given trim words would return. The
/// inverse is computed by bisection.
struct BMP280Inverse {
  let trim: BMP280Trim

  struct Codes {
    var temperature: Int64
    var pressure: Int64
    var humidity: Int64
  }

  /// Returns the codes whose compensated values are nearest to `reading`, clamped to the
  /// converter's range.
  func codes(_ reading: ChipReading) -> Codes {
    let fineTarget = Self.held(reading.temperature * 5120, 1e6)
    let temperature = nearest(0xFFFFF, to: fineTarget) { trim.fineTemperature($0) }
    // The temperature's code must not be the code that means "skipped", because the pressure and
    // the humidity are compensated with the temperature.
    let used = temperature == 0x80000 ? 0x80001 : temperature
    let fine = trim.fineTemperature(used)
    let pressureTarget = Self.held(reading.pressure * 256_000, 1e9)
    // The converter's raw value for pressure decreases as the pressure rises.
    let pressure = nearest(0xFFFFF, to: -pressureTarget) { -(trim.pressure($0, fine) ?? 0) }
    let humidityTarget = Self.held(reading.humidity * 1024, 1e6)
    let humidity = nearest(0xFFFF, to: humidityTarget) { trim.humidity($0, fine) }
    return Codes(
      temperature: used, pressure: pressure, humidity: humidity == 0x8000 ? 0x8001 : humidity)
  }

  /// Returns the code from 0 to `last` at which the increasing function `value` is nearest to
  /// `target`.
  private func nearest(_ last: Int64, to target: Int64, _ value: (Int64) -> Int64) -> Int64 {
    var low: Int64 = 0
    var high = last
    // The bisection finds the first code whose value is not below the target.
    while low < high {
      let middle = (low + high) / 2
      if value(middle) < target { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return low }
    return abs(value(low - 1) - target) <= abs(value(low) - target) ? low - 1 : low
  }

  private static func held(_ value: Double, _ limit: Double) -> Int64 {
    value.isNaN ? 0 : Int64(saturating: min(max(value, -limit), limit))
  }
}

extension BMP280Trim {
  /// The trim words of the example in the BMP280's data sheet (section 3.12), with the humidity
  /// words of a real BME280 (the first of the two parts in the tests of elixir-sensors/bmp280).
  static var example: BMP280Trim {
    var trim = BMP280Trim()
    trim.t1 = 27504
    trim.t2 = 26435
    trim.t3 = -1000
    trim.p1 = 36477
    trim.p2 = -10685
    trim.p3 = 3024
    trim.p4 = 2855
    trim.p5 = 140
    trim.p6 = -7
    trim.p7 = 15500
    trim.p8 = -14600
    trim.p9 = 6000
    trim.h1 = 75
    trim.h2 = 338
    trim.h3 = 0
    trim.h4 = 370
    trim.h5 = 60
    trim.h6 = 30
    return trim
  }
}
