// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fusion
import Testing

@Suite struct PositionAndDateTests {
  @Test func `positions on earth are taken, longitudes either way round`() throws {
    let position = try GeodeticPosition(latitude: -33.87, longitude: 151.21, height: 58)
    #expect(position.latitude == -33.87 && position.longitude == 151.21 && position.height == 58)
    #expect(try GeodeticPosition(latitude: 90, longitude: 0).height == 0)
    // Longitudes in both directions to the same place.
    #expect(try GeodeticPosition(latitude: 0, longitude: 240).longitude == -120)
    #expect(try GeodeticPosition(latitude: 0, longitude: 180).longitude == -180)
  }

  @Test func `positions off the earth are refused`() {
    func error(_ latitude: Double, _ longitude: Double, _ height: Double = 0)
      -> GeodeticPositionError?
    {
      do throws(GeodeticPositionError) {
        _ = try GeodeticPosition(latitude: latitude, longitude: longitude, height: height)
        return nil
      } catch { return error }
    }
    for latitude in [90.001, -91, .nan, .infinity] { #expect(error(latitude, 0) == .latitude) }
    for longitude in [-180.1, 360.1, .nan] { #expect(error(0, longitude) == .longitude) }
    for height in [-1001.0, 850_001, .nan] { #expect(error(0, 0, height) == .height) }
    #expect(error(-90, -180, 850_000) == nil)
  }

  /// The date, the number of past days of its year, and the length of the year, counted on a
  /// calendar: July 1st is the 183rd day of a leap year.
  static let dates: [[Int]] = [
    [2025, 1, 1, 0, 365], [2027, 7, 2, 182, 365], [2028, 7, 1, 182, 366], [2028, 2, 29, 59, 366],
    [2028, 3, 1, 60, 366], [2027, 3, 1, 59, 365], [2029, 12, 31, 364, 365],
    [2028, 12, 31, 365, 366], [2100, 12, 31, 364, 365], [2000, 12, 31, 365, 366],
  ]

  @Test(arguments: dates) func `a date is its fraction of the year`(_ row: [Int]) throws {
    let date = try #require(CivilDate(year: row[0], month: row[1], day: row[2]))
    let expected = Double(row[0]) + Double(row[3]) / Double(row[4])
    #expect(abs(date.decimalYear - expected) < 1e-12)
  }

  @Test func `days that there are not are refused`() {
    let days: [[Int]] = [
      [2027, 2, 29], [2100, 2, 29], [2027, 4, 31], [2027, 0, 1], [2027, 13, 1], [2027, 1, 0],
      [2027, 1, 32], [0, 1, 1], [10_000, 1, 1], [2027, 12, 32],
    ]
    for day in days { #expect(CivilDate(year: day[0], month: day[1], day: day[2]) == nil) }
    for year in [2000, 2028] { #expect(CivilDate(year: year, month: 2, day: 29) != nil) }
  }

  /// The dates are from `date -u -d @SECONDS`.
  @Test func `seconds since 1970 are the date that date says`() {
    let moments: [(seconds: Int64, year: Int, month: Int, day: Int)] = [
      (0, 1970, 1, 1), (-1, 1969, 12, 31), (951_782_400, 2000, 2, 29), (951_868_799, 2000, 2, 29),
      (951_868_800, 2000, 3, 1), (1_735_689_599, 2024, 12, 31), (1_735_689_600, 2025, 1, 1),
      (1_893_456_000, 2030, 1, 1), (4_107_542_400, 2100, 3, 1), (-62_135_596_800, 1, 1, 1),
      (253_402_300_799, 9999, 12, 31), (.max, 9999, 12, 31), (.min, 1, 1, 1),
    ]
    for moment in moments {
      let date = CivilDate(secondsSince1970: moment.seconds)
      let expected = CivilDate(year: moment.year, month: moment.month, day: moment.day)
      #expect(date == expected, "\(moment.seconds)")
    }
  }

  /// Every seventeenth day of eight centuries is compared with Foundation's calendar.
  @Test func `eight centuries of days are those of Foundation's calendar`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    for day in stride(from: -80_000, to: 220_000, by: 17) {
      let seconds = Int64(day) * 86_400 + 86_399
      let expected = calendar.dateComponents(
        [.year, .month, .day], from: Date(timeIntervalSince1970: Double(seconds)))
      let date = CivilDate(secondsSince1970: seconds)
      guard date.year == expected.year, date.month == expected.month, date.day == expected.day
      else {
        Issue.record("\(seconds): \(date), not \(expected)")
        return
      }
      #expect(CivilDate(year: date.year, month: date.month, day: date.day) == date)
    }
  }
}
