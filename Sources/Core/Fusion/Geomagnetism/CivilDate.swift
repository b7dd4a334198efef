// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A day of the Gregorian calendar, UTC.
public struct CivilDate: Comparable, Hashable, Sendable, BitwiseCopyable {
  public let year: Int
  /// The month, 1 ... 12.
  public let month: Int
  /// The day, 1 ... 31.
  public let day: Int

  /// Creates a day; `nil` if the calendar has no such day, or if the year is not within 1 ... 9999.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.daysBefore(month: month + 1, year) - Self.daysBefore(month: month, year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Creates the day (UTC) of a time in seconds since 1970-01-01 00:00 UTC, as `time(2)` returns
  /// it. Times outside the years 1 to 9999 are clamped.
  public init(secondsSince1970 seconds: Int64) {
    // Round down to whole days, also for times before 1970.
    var rest = seconds / 86_400 - (seconds % 86_400 < 0 ? 1 : 0)
    // Count the days since 0001-01-01, the first day of a cycle of 400 years with 146 097 days.
    rest = min(max(rest + 719_162, 0), 3_652_058)
    var days = Int(rest)
    var year = 1
    // Without the limit, the last day of a longer cycle would begin a fifth century or a fifth
    // year, which the cycle does not have.
    (year, days) = (year + 400 * (days / 146_097), days % 146_097)
    let centuries = min(days / 36_524, 3)
    (year, days) = (year + 100 * centuries, days - 36_524 * centuries)
    (year, days) = (year + 4 * (days / 1_461), days % 1_461)
    let years = min(days / 365, 3)
    (year, days) = (year + years, days - 365 * years)
    var month = 1
    while month < 12, days >= Self.daysBefore(month: month + 1, year) { month += 1 }
    self.year = year
    self.month = month
    day = days - Self.daysBefore(month: month, year) + 1
  }

  /// The year with its fraction, as geomagnetic models express time: 2027-07-02 is 2027.4986. The
  /// fraction is that at the beginning of the day.
  public var decimalYear: Scalar {
    let past = Self.daysBefore(month: month, year) + day - 1
    return Scalar(year) + Scalar(past) / Scalar(Self.daysBefore(month: 13, year))
  }

  public static func < (a: CivilDate, b: CivilDate) -> Bool {
    (a.year, a.month, a.day) < (b.year, b.month, b.day)
  }

  /// Returns the number of days in the year before the first day of `month`, 1 ... 13.
  private static func daysBefore(month: Int, _ year: Int) -> Int {
    let ends: InlineArray<13, Int> = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365]
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return ends[month - 1] + (isLeap && month > 2 ? 1 : 0)
  }
}
