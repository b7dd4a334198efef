// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The time between a stream's samples, which every recogniser needs for filtering.
struct SampleSpacing: Equatable, Sendable {
  enum Step: Equatable, Sendable {
    /// The first sample, or the first after a gap or after the clock was set back: earlier samples
    /// are irrelevant to it.
    case begins
    /// A sample this many seconds after the previous one.
    case follows(Scalar)
    /// Not later than the previous sample, so to be ignored.
    case isStale
  }

  /// The longest gap in seconds.
  let longestGap: Scalar
  private var last: Timestamp?

  init(longestGap: Scalar) { self.longestGap = longestGap }

  mutating func step(to time: Timestamp) -> Step {
    guard let last else {
      last = time
      return .begins
    }
    let interval = (time - last).seconds
    // Slightly earlier means out of order; much earlier means that the clock restarted.
    if interval <= 0, interval >= -longestGap { return .isStale }
    self.last = time
    return abs(interval) > longestGap ? .begins : .follows(interval)
  }
}
