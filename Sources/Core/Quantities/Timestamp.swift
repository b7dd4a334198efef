// SPDX-License-Identifier: Apache-2.0

/// The time at which a sample was taken, never the time at which the sample was read, on the clock
/// of the samples. This clock is CLOCK_MONOTONIC on Linux, the recording's clock in a replay, and
/// the platform's microsecond clock on a microcontroller.
public struct Timestamp: Comparable, Hashable, Sendable, BitwiseCopyable {
  /// The nanoseconds from the clock's origin to this time.
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Creates the time `seconds` after the clock's origin. Values out of range (292 years) are
  /// clamped.
  public init(seconds: Double) {  // always Double: seven digits resolve 0.01 s in a day
    nanoseconds = TimeSpan(held: seconds * 1e9).nanoseconds
  }

  public static var zero: Timestamp { Timestamp(nanoseconds: 0) }

  /// A time later than every sample.
  public static var distantFuture: Timestamp { Timestamp(nanoseconds: .max) }

  /// The seconds from the clock's origin to this time. For the seconds between two times, use
  /// `seconds` of their difference `a - b`.
  public var seconds: Double {  // always Double, as in the initialiser
    Double(nanoseconds) / 1e9  // Double, as the result
  }

  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.nanoseconds < b.nanoseconds }

  /// Returns the time span from `b` to `a`. A difference out of range is clamped.
  public static func - (a: Timestamp, b: Timestamp) -> TimeSpan {
    let (span, overflow) = a.nanoseconds.subtractingReportingOverflow(b.nanoseconds)
    return TimeSpan(nanoseconds: overflow ? (a < b ? .min : .max) : span)
  }

  public static func + (a: Timestamp, span: TimeSpan) -> Timestamp {
    let (sum, overflow) = a.nanoseconds.addingReportingOverflow(span.nanoseconds)
    return Timestamp(nanoseconds: overflow ? (span.nanoseconds > 0 ? .max : .min) : sum)
  }

  public static func - (a: Timestamp, span: TimeSpan) -> Timestamp {
    a + TimeSpan(nanoseconds: span.nanoseconds == .min ? .max : -span.nanoseconds)
  }
}
