// SPDX-License-Identifier: Apache-2.0
internal import Fusion
internal import Glibc
package import Quantities

/// Converts the time stamps of samples to UTC.
package struct UTCClock {
  /// The UTC time at which the clock of the samples was zero.
  private var origin = UTCTime(seconds: 0)
  private var isFixed = false

  package init() {}

  /// Sets the conversion from the machine's clocks again, because the wall clock may have been
  /// changed.
  package mutating func set() {
    if !isFixed { start(at: .now, showing: .now) }
  }

  /// Fixes the conversion for samples with a different clock, which shows `time` now.
  package mutating func fix(at time: Timestamp) {
    start(at: time, showing: .now)
    isFixed = true
  }

  /// Sets the conversion so that `time` corresponds to the UTC time `wall`.
  package mutating func start(at time: Timestamp, showing wall: UTCTime) {
    origin = wall.advanced(by: .zero - time)
  }

  package func time(_ time: Timestamp) -> UTCTime { origin.advanced(by: time - .zero) }

  /// Returns the nanoseconds since 1970 at `time`, limited to 64 bits, that is, to the years 1677
  /// to 2262.
  package func nanoseconds(_ time: Timestamp) -> Int64 { self.time(time).nanosecondsSince1970 }

  /// Returns `time` as text, such as `2026-11-24T15:20:00.123456Z`.
  package func text(_ time: Timestamp) -> String { self.time(time).text }
}

/// A time in UTC of any year, with nanosecond resolution.
package struct UTCTime: Equatable, Sendable {
  /// The whole seconds since 1970, rounded down, also before 1970.
  package private(set) var seconds: Int64
  /// The nanoseconds in addition to `seconds`, 0 ..< 1 000 000 000.
  package private(set) var nanoseconds: Int64

  /// Creates the time `nanoseconds` after `seconds`. The seconds are limited to 30 000 million
  /// years before and after 1970.
  package init(seconds: Int64, nanoseconds: Int64 = 0) {
    let (more, rest) = Self.split(nanoseconds)
    self.seconds = min(max(seconds, -Self.furthest), Self.furthest) + more
    self.nanoseconds = rest
  }

  private static let furthest: Int64 = 1_000_000_000_000_000_000
  private static let second: Int64 = 1_000_000_000

  /// Returns the whole seconds, rounded down, and the remaining nanoseconds.
  private static func split(_ nanoseconds: Int64) -> (seconds: Int64, rest: Int64) {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: second)
    return rest < 0 ? (seconds - 1, rest + second) : (seconds, rest)
  }

  /// The current time of the machine's wall clock.
  package static var now: UTCTime {
    var time = timespec()
    // `clock_gettime` writes to `time` only during the call, and fails only if the clock does not
    // exist.
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return UTCTime(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
  }

  func advanced(by span: TimeSpan) -> UTCTime {
    let (more, rest) = Self.split(span.nanoseconds)
    return UTCTime(seconds: seconds + more, nanoseconds: nanoseconds + rest)
  }

  /// The nanoseconds since 1970, limited to 64 bits, that is, to the years 1677 to 2262.
  package var nanosecondsSince1970: Int64 {
    // Round towards zero first, so that the second below the lowest 64-bit value does not overflow.
    let (whole, rest) =
      seconds < 0 ? (seconds + 1, nanoseconds - Self.second) : (seconds, nanoseconds)
    let (scaled, isFar) = whole.multipliedReportingOverflow(by: Self.second)
    let (sum, isBeyond) = scaled.addingReportingOverflow(rest)
    return isFar || isBeyond ? (seconds < 0 ? .min : .max) : sum
  }

  /// The text in the format `2026-11-24T15:20:00.123456Z`. Years before 1 and after 9999 become the
  /// first and the last day of this range.
  package var text: String {
    let day = CivilDate(secondsSince1970: seconds)
    let rest = seconds % 86_400
    let ofDay = rest < 0 ? rest + 86_400 : rest
    func digits(_ number: Int64, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
    let date: String =
      digits(Int64(day.year), 4) + "-" + digits(Int64(day.month), 2) + "-"
      + digits(Int64(day.day), 2)
    let minutes: String = digits(ofDay / 3600, 2) + ":" + digits(ofDay / 60 % 60, 2)
    let seconds: String = digits(ofDay % 60, 2) + "." + digits(nanoseconds / 1000, 6)
    return date + "T" + minutes + ":" + seconds + "Z"
  }
}
