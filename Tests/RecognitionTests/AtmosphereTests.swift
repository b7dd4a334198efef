// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import Recognition
import SeededRandom
import Testing

@Suite struct AtmosphereTests {
  /// Geopotential altitude in metres and pressure in hPa, from the tables of ICAO Doc 7488 (equal
  /// to ISO 2533).
  static let table: [(altitude: Double, hectopascals: Double)] = [
    (-1_000, 1139.29), (0, 1013.25), (500, 954.608), (1_000, 898.746), (1_500, 845.560),
    (2_000, 794.952), (3_000, 701.085), (4_000, 616.402), (5_000, 540.199), (6_000, 471.810),
    (8_000, 355.998), (10_000, 264.363), (11_000, 226.320), (15_000, 120.446),
    (20_000, 54.7489),
  ]

  /// Within half a unit of the table's last place.
  @Test func `pressures and altitudes are those of the published table`() throws {
    for row in Self.table {
      let pressure = try #require(StandardAtmosphere.pressure(at: row.altitude)) * 10
      #expect(abs(pressure / row.hectopascals - 1) < 1e-5, "\(row.altitude) m: \(pressure) hPa")
      guard row.altitude < 20_000 else { continue }
      let altitude = try #require(StandardAtmosphere.altitude(at: row.hectopascals / 10))
      #expect(abs(altitude - row.altitude) < 0.1, "\(row.hectopascals) hPa: \(altitude) m")
    }
  }

  /// Converted both ways over the whole range, across the tropopause.
  @Test func `altitude inverts pressure over the whole range`() throws {
    var before = Double.infinity
    for metre in stride(from: -5_000.0, through: 19_990, by: 10) {
      let pressure = try #require(StandardAtmosphere.pressure(at: metre))
      #expect(pressure < before)
      before = pressure
      let back = try #require(StandardAtmosphere.altitude(at: pressure))
      #expect(abs(back - metre) < 1e-6)
    }
  }

  /// The pressure at sea level, p / (1 - 0.0065 h / 288.15)^5.25588, by hand: 408 m at 96.5 kPa is
  /// 101.31 kPa.
  @Test func `the pressure at sea level is that by hand`() throws {
    let sea = try #require(StandardAtmosphere.seaLevelPressure(where: 96.5, isAt: 408))
    let byHand = 96.5 / pow(1 - 0.0065 * 408 / 288.15, 5.25588)
    #expect(abs(sea - byHand) < 1e-4 && abs(sea - 101.306) < 0.01, "\(sea)")
    let altitude = try #require(StandardAtmosphere.altitude(at: 96.5, seaLevelPressure: sea))
    #expect(abs(altitude - 408) < 1e-6)
    // 1 hPa near sea level is 8.3 m, as in textbooks.
    let higher = try #require(StandardAtmosphere.altitude(at: 101.225))
    #expect(abs(higher - 8.32) < 0.02, "\(higher)")
    #expect(abs(StandardAtmosphere.metresPerKilopascal(at: 101.325) - 83.2) < 0.2)
  }

  @Test func `nonsensical pressures and altitudes have no answer`() {
    for pressure in [0, -1, .nan, .infinity, 1e-3, 500] {
      #expect(StandardAtmosphere.altitude(at: pressure) == nil, "\(pressure)")
    }
    #expect(StandardAtmosphere.altitude(at: 100, seaLevelPressure: 0) == nil)
    #expect(StandardAtmosphere.altitude(at: 100, seaLevelPressure: .nan) == nil)
    #expect(StandardAtmosphere.pressure(at: 850_000) == nil)
    #expect(StandardAtmosphere.pressure(at: .nan) == nil)
    #expect(StandardAtmosphere.seaLevelPressure(where: 100, isAt: 850_000) == nil)
    #expect(StandardAtmosphere.seaLevelPressure(where: .nan, isAt: 0) == nil)
  }

  /// An iPhone's relative altitude, from its own pressures: the difference of altitudes in the
  /// standard atmosphere. Its pressures are rounded to a pascal, which gives 0.083 m, and one of
  /// its rows is a second late.
  @Test func `an iPhone's relative altitude follows from its pressures`() throws {
    let rows = try recording("climb")
    let begin = try #require(rows.first).values[0]
    let first = try #require(StandardAtmosphere.altitude(at: begin))
    let errors = try rows.map { row in
      try #require(StandardAtmosphere.altitude(at: row.values[0])) - first - row.values[1]
    }
    let climbed = try #require(rows.last).values[1]
    #expect(climbed > 16)
    #expect(errors.allSatisfy { abs($0) < 0.1 }, "\(errors.map { abs($0) }.max() ?? 0)")
  }

  // MARK: - Smoothing

  static func readings(
    _ hz: Double, _ duration: Double, _ pressure: (Double) -> Double
  ) -> [PressureReading] {
    var smoother = PressureSmoother()
    return (0..<Int(duration * hz)).compactMap { k in
      let t = Double(k) / hz
      return smoother.update(pressure(t), at: Timestamp(seconds: t))
    }
  }

  /// Faster rates give one reading per second, slower rates every sample.
  @Test func `readings come once a second, of slower rates each`() {
    for (hz, duration, expected) in [
      (0.1, 200.0, 19), (0.5, 100, 49), (0.94, 100, 92), (1, 100, 99), (2, 100, 100),
      (12.5, 100, 100), (25, 100, 100), (157, 100, 100), (1600, 20, 20),
    ] {
      let count = Self.readings(hz, duration) { _ in 101.3 }.count
      #expect(abs(count - expected) <= max(1, expected / 20), "\(hz) Hz: \(count)")
    }
  }

  /// A lift at 2 m/s at every rate: the reading is neither early nor late, and its change is not
  /// taken for noise.
  @Test(arguments: [2, 12.5, 25, 200, 1600.0])
  func `a lift is neither late nor noise at any rate`(_ hz: Double) throws {
    let readings = Self.readings(hz, 30) { t in 101 - 0.0235 * t }
    for reading in readings {
      let truth = 101 - 0.0235 * reading.timestamp.seconds
      #expect(abs(reading.pressure - truth) < 1e-9)
    }
    #expect(try #require(readings.last).precision < 1e-6)
  }

  /// White noise of 2 Pa at 25 Hz leaves 0.4 Pa in the mean of a second, as the precision states.
  @Test func `the precision says what noise is left`() throws {
    var random = SplitMix(state: 4)
    let readings = Self.readings(25, 600) { _ in 101.3 + random.normal(0.002) }
    let late = readings.dropFirst(20)
    let rms = sqrt(late.reduce(0) { $0 + pow($1.pressure - 101.3, 2) } / Double(late.count))
    #expect(abs(rms - 0.0004) < 0.00004, "\(rms)")
    let said = sqrt(late.reduce(0) { $0 + pow($1.precision, 2) } / Double(late.count))
    #expect(abs(said / rms - 1) < 0.15, "\(said)")
    // Until the noise is known, that of a BMP280's data sheet is used.
    #expect(try #require(readings.first).precision == 0.012)
  }

  @Test func `pressures out of order or beyond the range are left out`() throws {
    var smoother = PressureSmoother()
    var readings: [PressureReading] = []
    for k in 0..<200 {
      let time = Timestamp(seconds: Double(k) / 25 + (k < 110 ? 0 : 20))
      for wrong in [Double.nan, .infinity, 0, -3, 1e6] {
        #expect(smoother.update(wrong, at: time) == nil)
      }
      if k != 0, k != 110 { #expect(smoother.update(90, at: time - .milliseconds(500)) == nil) }
      let pressure = k < 110 ? 101.3 : 99.0
      if let reading = smoother.update(pressure, at: time) { readings.append(reading) }
    }
    // No reading contains samples from both sides of the gap, or one that came too late.
    #expect(readings.allSatisfy { $0.pressure == 101.3 || $0.pressure == 99 })
    #expect(readings.count == 7, "\(readings.count)")
    // The clock restarts.
    var after = 0
    for k in 0..<50 where smoother.update(98, at: Timestamp(seconds: Double(k) / 25)) != nil {
      after += 1
    }
    #expect(after == 2)
  }
}
