// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The spacing of a stream's samples in time: every recogniser has to know it before it filters.
struct SampleSpacing: Equatable, Sendable {
  enum Step: Equatable, Sendable {
    /// The first sample, or the first after a gap or after the clock was set back: what came before
    /// says nothing of it.
    case begins
    /// So many seconds after the one before.
    case follows(Scalar)
    /// No later than the one before: to be left out.
    case isStale
  }

  /// Seconds.
  let longestGap: Scalar
  private var last: Timestamp?

  init(longestGap: Scalar) { self.longestGap = longestGap }

  mutating func step(to time: Timestamp) -> Step {
    guard let last else {
      last = time
      return .begins
    }
    let interval = (time - last).seconds
    // A little back is a sample out of order; far back is a clock that begins anew.
    if interval <= 0, interval >= -longestGap { return .isStale }
    self.last = time
    return abs(interval) > longestGap ? .begins : .follows(interval)
  }
}
