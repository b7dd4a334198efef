// SPDX-License-Identifier: Apache-2.0
public import Quantities

extension TimeSpan {
  /// Returns this span divided by 2^`halvings`, by a shift; the span must not be negative.
  @inlinable @inline(__always)
  package func halved(_ halvings: Int) -> TimeSpan {
    TimeSpan(nanoseconds: nanoseconds >> Int64(halvings))
  }
}

// Sums of times as functions that are not inlined: saturation at the ends of the clock's range
// takes a small processor ten instructions for each sum. For use once a step or burst, not for each
// frame.
extension Timestamp {
  /// Returns the time `count` times `span` later, or earlier where `count` is negative.
  @inline(never) @usableFromInline package func advanced(by span: TimeSpan, times count: Int)
    -> Timestamp
  { self + span * Int64(count) }

  /// Returns the time `span` later.
  @usableFromInline package func advanced(by span: TimeSpan) -> Timestamp {
    advanced(by: span, times: 1)
  }

  /// Returns the midpoint between this time and `other`.
  @inline(never) @usableFromInline package func middle(to other: Timestamp) -> Timestamp {
    let span = other.elapsed(since: self).nanoseconds
    // Rounded towards zero, like `/`.
    return advanced(by: TimeSpan(nanoseconds: (span &- (span >> 63)) >> 1))
  }

  /// Returns the time from `earlier` to this.
  @inline(never) @usableFromInline package func elapsed(since earlier: Timestamp) -> TimeSpan {
    self - earlier
  }
}
