// SPDX-License-Identifier: Apache-2.0

/// A time span in whole nanoseconds. (`Duration` counts attoseconds in 128 bits, which needs twice
/// the registers on a small processor for digits that no sensor has.)
public struct TimeSpan: Comparable, Hashable, Sendable, BitwiseCopyable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Creates a span of `seconds`, rounded to the nanosecond. Values out of range are clamped, and a
  /// value that is not a number gives zero.
  public init(seconds: Scalar) {
    self.init(held: Double(seconds) * 1e9)  // Double: a second has nine digits
  }

  /// Creates a span of `nanoseconds`, rounded to a whole number. Values out of range are clamped,
  /// and a value that is not a number gives zero.
  init(held nanoseconds: Double) {  // Double for nine digits
    if nanoseconds.isNaN {
      self.nanoseconds = 0
    } else if nanoseconds >= 9.2e18 {
      self.nanoseconds = .max
    } else if nanoseconds <= -9.2e18 {
      self.nanoseconds = .min
    } else {
      self.nanoseconds = Int64(nanoseconds.rounded())
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

  /// The span in seconds, to the precision of `Scalar`, which has seven digits in single precision.
  public var seconds: Scalar { Scalar(nanoseconds) / 1e9 }

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
