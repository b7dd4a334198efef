// SPDX-License-Identifier: Apache-2.0

/// A length of time in whole nanoseconds. (`Duration` counts attoseconds in 128 bits: twice the registers of a
/// small processor for digits no sensor has.)
public struct TimeSpan: Comparable, Hashable, Sendable, BitwiseCopyable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// `seconds`, rounded to the nanosecond; values out of range are held at the ends, not-a-number is zero.
  public init(seconds: Double) {
    let scaled = seconds * 1e9
    if scaled.isNaN {
      nanoseconds = 0
    } else if scaled >= 9.2e18 {
      nanoseconds = .max
    } else if scaled <= -9.2e18 {
      nanoseconds = .min
    } else {
      nanoseconds = Int64(scaled.rounded())
    }
  }

  public static var zero: TimeSpan { TimeSpan(nanoseconds: 0) }

  public static func seconds(_ count: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: count &* 1_000_000_000)
  }

  public static func milliseconds(_ count: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: count &* 1_000_000)
  }

  public static func microseconds(_ count: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: count &* 1_000)
  }

  public var seconds: Double { Double(nanoseconds) / 1e9 }

  public static func < (a: TimeSpan, b: TimeSpan) -> Bool { a.nanoseconds < b.nanoseconds }

  public static func + (a: TimeSpan, b: TimeSpan) -> TimeSpan {
    TimeSpan(nanoseconds: a.nanoseconds &+ b.nanoseconds)
  }

  public static func - (a: TimeSpan, b: TimeSpan) -> TimeSpan {
    TimeSpan(nanoseconds: a.nanoseconds &- b.nanoseconds)
  }

  public static func * (a: TimeSpan, factor: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: a.nanoseconds &* factor)
  }

  public static func / (a: TimeSpan, divisor: Int64) -> TimeSpan {
    guard divisor != 0 else { return .zero }
    let (quotient, overflow) = a.nanoseconds.dividedReportingOverflow(by: divisor)
    return TimeSpan(nanoseconds: overflow ? .max : quotient)
  }
}
