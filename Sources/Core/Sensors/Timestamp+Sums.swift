// SPDX-License-Identifier: Apache-2.0
public import Quantities

extension TimeSpan {
  /// Returns this span divided by 2^`halvings`, by a shift. The span must not be negative.
  @inlinable @inline(__always)
  package func halved(_ halvings: Int) -> TimeSpan {
    TimeSpan(nanoseconds: nanoseconds >> Int64(halvings))
  }
}

// Sums of times as functions that are not inlined: each sum saturates at the ends of the clock's
// range, which takes ten instructions on a small processor. The functions are for use once per step
// or burst, not for each frame.
extension Timestamp {
  /// Returns the time `count` times `span` later, or earlier if `count` is negative.
  @inline(never) @usableFromInline package func advanced(by span: TimeSpan, times count: Int)
    -> Timestamp
  { self + span * Int64(count) }

  /// Returns the time that is `span` later than this time.
  @usableFromInline package func advanced(by span: TimeSpan) -> Timestamp {
    advanced(by: span, times: 1)
  }

  /// Returns the midpoint between this time and `other`.
  @inline(never) @usableFromInline package func middle(to other: Timestamp) -> Timestamp {
    let span = other.elapsed(since: self).nanoseconds
    // The midpoint is rounded towards zero, as with `/`.
    return advanced(by: TimeSpan(nanoseconds: (span &- (span >> 63)) >> 1))
  }

  /// Returns the time span from `earlier` to this time.
  @inline(never) @usableFromInline package func elapsed(since earlier: Timestamp) -> TimeSpan {
    self - earlier
  }
}
