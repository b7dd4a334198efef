// SPDX-License-Identifier: Apache-2.0
import Fusion
import Quantities
import Testing

/// The field compared with published values. NOAA's are in the public domain.
@Suite struct PublishedFieldTests {
  /// WMM2025 technical report (Chulliat et al., NOAA NCEI 2025), table of test values: the year, height in km, latitude,
  /// longitude, X, Y and Z in nT, declination in degrees.
  static let reported: [[Double]] = [
    [2025.0, 0, 80, 0, 6521.6, 145.9, 54791.5, 1.28],
    [2025.0, 0, 0, 120, 39677.8, -109.6, -10580.2, -0.16],
    [2025.0, 0, -80, 240, 6117.5, 15751.9, -52022.5, 68.78],
    [2025.0, 100, 80, 0, 6216.0, 92.4, 52598.8, 0.85],
    [2025.0, 100, 0, 120, 37688.6, -96.2, -10152.1, -0.15],
    [2025.0, 100, -80, 240, 5907.6, 14780.3, -49540.7, 68.21],
    [2027.5, 0, 80, 0, 6500.8, 294.5, 54869.4, 2.59],
    [2027.5, 0, 0, 120, 39701.6, -167.4, -10381.8, -0.24],
    [2027.5, 0, -80, 240, 6200.7, 15730.3, -51783.7, 68.49],
    [2027.5, 100, 80, 0, 6196.7, 233.8, 52670.5, 2.16],
    [2027.5, 100, 0, 120, 37711.5, -148.7, -9969.8, -0.23],
    [2027.5, 100, -80, 240, 5984.0, 14760.1, -49317.7, 67.93],
  ]

  @Test(arguments: reported)
  func `the field is the report's, to its last digit`(_ row: [Double]) throws {
    let field = try Self.field(row[2], row[3], row[1] * 1000, row[0])
    // The printed digits are a tenth of a nanotesla and a hundredth of a degree.
    #expect(abs(field.north * 1000 - row[4]) <= 0.0501)
    #expect(abs(field.east * 1000 - row[5]) <= 0.0501)
    #expect(abs(field.down * 1000 - row[6]) <= 0.0501)
    #expect(abs(degrees(fromRadians: field.declination) - row[7]) <= 0.00501)
  }

  /// 30 000 feet as that program converts them, with 3280.0839895 feet per kilometre instead of
  /// 3280.839895: two metres, or 0.05 nT, above 9144 m.
  static let sampleHeight = 30_000 / 3280.0839895 * 1000

  /// The output of NOAA's program `wmm_file` for its sample coordinates on the ellipsoid: the year,
  /// height in metres, latitude, longitude, dip in degrees and minutes of arc, H, X, Y, Z and F in
  /// nT.
  static let samples: [[Double]] = [
    [2025.5, 100_000, 70.3, 30.8, 79, 13, 9827.3, 9407.8, 2840.6, 51603.9, 52531.3],
    [2025, 100_000, 70.3, 30.8, 79, 12, 9833.1, 9419.5, 2821.7, 51578.3, 52507.3],
    [2027.5, sampleHeight, 70.3, 30.8, 79, 16, 10183.8, 9677.7, 3170.5, 53736.7, 54693.2],
    [2027.7, sampleHeight, -70.3, -30.8, -60, -13, 18688.6, 18685.1, -358.0, -32654.4, 37624.1],
    [2028.7, sampleHeight, -70, -30, -60, -5, 18593.4, 18585.4, -542.6, -32304.9, 37273.6],
    [2028.7, sampleHeight, 43, -30, 58, 11, 24080.5, 23825.0, -3498.3, 38804.7, 45669.2],
    [2029, sampleHeight, 43, -54, 62, 13, 22440.3, 21654.6, -5886.2, 42599.5, 48148.6],
    [2029, 1300, 48.123, 16.123, 64, 47, 20976.3, 20878.1, 2026.8, 44549.0, 49240.4],
    [2029.8849, 1300, 48.123, 16.123, 64, 48, 20980.3, 20878.8, 2061.3, 44596.6, 49285.2],
  ]

  @Test(arguments: samples) func `the field is that of NOAA's samples`(_ row: [Double]) throws {
    let field = try Self.field(row[2], row[3], row[1], row[0])
    #expect(abs(field.north * 1000 - row[7]) <= 0.0501)
    #expect(abs(field.east * 1000 - row[8]) <= 0.0501)
    #expect(abs(field.down * 1000 - row[9]) <= 0.0501)
    #expect(abs(field.horizontal * 1000 - row[6]) <= 0.0501)
    #expect(abs(field.total * 1000 - row[10]) <= 0.0501)
    // The dip has whole minutes of arc.
    #expect(abs(degrees(fromRadians: field.dip) - row[4] - row[5] / 60) <= 0.501 / 60)
  }

  /// MathWorks' documentation of `wrldmagm`: 1000 m above Natick, Massachusetts, on July 4th 2028.
  @Test func `the field over Natick is that of MathWorks' documentation`() throws {
    let date = try #require(CivilDate(year: 2028, month: 7, day: 4))
    let field = try Self.field(42.283, -71.35, 1000, date.decimalYear)
    #expect(abs(degrees(fromRadians: field.declination) - -13.6891) < 0.00006)
    #expect(abs(degrees(fromRadians: field.dip) - 65.9899) < 0.00006)
    #expect(abs(field.total - 50.940) < 0.0006 && abs(field.horizontal - 20.727) < 0.0006)
  }

  static func field(
    _ latitude: Double, _ longitude: Double, _ height: Double = 0, _ year: Double = 2027
  ) throws -> GeomagneticField {
    let position = try GeodeticPosition(latitude: latitude, longitude: longitude, height: height)
    return try GeomagneticModel.wmm2025.field(at: position, year: year)
  }
}
