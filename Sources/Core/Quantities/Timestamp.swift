// SPDX-License-Identifier: Apache-2.0

/// A time on the clock of the samples: CLOCK_MONOTONIC on Linux, the recording's clock in a replay,
/// the platform's microsecond clock on a microcontroller. It is the time of a sample, never of its
/// read.
public struct Timestamp: Comparable, Hashable, Sendable, BitwiseCopyable {
  /// Nanoseconds since the clock's origin.
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Creates the time `seconds` after the clock's origin; values out of range are clamped (292
  /// years).
  public init(seconds: Double) {  // In every build: seven digits leave 0.01 s of a day.
    nanoseconds = TimeSpan(held: seconds * 1e9).nanoseconds
  }

  public static var zero: Timestamp { Timestamp(nanoseconds: 0) }

  /// A time later than every sample.
  public static var distantFuture: Timestamp { Timestamp(nanoseconds: .max) }

  /// Seconds since the clock's origin. (The span between two times, `a - b`, also has `seconds`.)
  public var seconds: Double {  // In every build, as above.
    Double(nanoseconds) / 1e9  // As above.
  }

  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.nanoseconds < b.nanoseconds }

  /// Returns the span from `b` to `a`, clamped.
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
