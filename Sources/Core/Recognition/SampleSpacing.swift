// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Computes the time between the samples of a stream, which every recogniser needs for its filters.
struct SampleSpacing: Equatable, Sendable {
  enum Step: Equatable, Sendable {
    /// The sample starts a new sequence, because it is the first sample, or the first after a gap
    /// or after the clock was set back. Earlier samples have no effect on this sequence.
    case begins
    /// The sample is this number of seconds after the previous sample.
    case follows(Scalar)
    /// The sample is not later than the previous sample and must be ignored.
    case isStale
  }

  /// The longest interval between two samples, in seconds, that does not count as a gap.
  let longestGap: Scalar
  private var last: Timestamp?

  init(longestGap: Scalar) { self.longestGap = longestGap }

  mutating func step(to time: Timestamp) -> Step {
    guard let last else {
      last = time
      return .begins
    }
    let interval = (time - last).seconds
    // If the time is slightly earlier, the samples are out of order. If it is much earlier, the
    // clock has restarted.
    if interval <= 0, interval >= -longestGap { return .isStale }
    self.last = time
    return abs(interval) > longestGap ? .begins : .follows(interval)
  }
}
