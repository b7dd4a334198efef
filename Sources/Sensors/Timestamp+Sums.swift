// SPDX-License-Identifier: Apache-2.0
public import Quantities

extension TimeSpan {
  /// Returns a part of this span, which is not negative: as a division by 2^`halvings`, without
  /// one.
  @inlinable @inline(__always)
  package func halved(_ halvings: Int) -> TimeSpan {
    TimeSpan(nanoseconds: nanoseconds >> Int64(halvings))
  }
}

// Sums of times, each a function of its own: what holds a sum at the ends of the clock's range
// takes a small processor ten instructions, in every place into which it is inlined. For once a
// step or a burst, not for each frame.
extension Timestamp {
  /// Returns the time `count` times `span` later; earlier where `count` is negative.
  @inline(never) @usableFromInline package func advanced(by span: TimeSpan, times count: Int)
    -> Timestamp
  { self + span * Int64(count) }

  /// Returns the time `span` later.
  @usableFromInline package func advanced(by span: TimeSpan) -> Timestamp {
    advanced(by: span, times: 1)
  }

  /// Returns the middle between this time and `other`.
  @inline(never) @usableFromInline package func middle(to other: Timestamp) -> Timestamp {
    let span = other.elapsed(since: self).nanoseconds
    // Half of it, towards zero, as `/` has it.
    return advanced(by: TimeSpan(nanoseconds: (span &- (span >> 63)) >> 1))
  }

  /// Returns the time from `earlier` to this.
  @inline(never) @usableFromInline package func elapsed(since earlier: Timestamp) -> TimeSpan {
    self - earlier
  }
}
