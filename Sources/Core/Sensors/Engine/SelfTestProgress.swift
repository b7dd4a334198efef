// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// A self-test in progress.
public struct SelfTestProgress {
  @usableFromInline init() {}

  /// The sums of the samples of each step of the self-test, in counts.
  package var sums = InlineArray<4, Vector3>(repeating: .zero)
  /// The number of samples taken and the number requested in this step of the self-test, and the
  /// number of polls since the last sample.
  private var samples = 0
  private var wanted = 0
  private var polls = 0
  /// The interval between polls of the self-test, in microseconds.
  @usableFromInline package var pollInterval: UInt32 = 0

  /// True if the result of the self-test is known.
  @usableFromInline package var isOver = false

  @usableFromInline package var isCollecting: Bool { samples < wanted }

  @usableFromInline package mutating func collect(_ wanted: Int, each interval: UInt32) {
    self.wanted = wanted
    pollInterval = interval
    samples = 0
    polls = 0
  }

  /// Counts a sample. Returns true if the sample is used. With `afterFirst` the first sample is not
  /// used, because it may have been taken before this step.
  package mutating func take(afterFirst: Bool = true) -> Bool {
    defer { samples &+= 1 }
    polls = 0
    return samples > 0 || !afterFirst
  }

  /// Counts a poll of the self-test without a sample. Returns true after more than `limit`
  /// consecutive polls without a sample.
  package mutating func isHopeless(after limit: Int) -> Bool {
    polls &+= 1
    return polls > limit
  }
}
