// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// A self-test in progress.
public struct Trial {
  @usableFromInline init() {}

  /// The sums of the samples' values, in counts.
  package var sums = InlineArray<4, Vector3>(repeating: .zero)
  /// Samples taken by this task, those to be taken, and looks since the last.
  private var samples = 0
  private var wanted = 0
  private var looks = 0
  /// The time from one look to the next, microseconds.
  @usableFromInline package var look: UInt32 = 0

  /// True where the outcome is known.
  @usableFromInline package var isOver = false

  @usableFromInline package var isCollecting: Bool { samples < wanted }

  @usableFromInline package mutating func collect(_ wanted: Int, each look: UInt32) {
    self.wanted = wanted
    self.look = look
    samples = 0
    looks = 0
  }

  /// Takes note of a sample. Returns true where it counts: the first may be from before the task.
  package mutating func take(afterFirst: Bool = true) -> Bool {
    defer { samples &+= 1 }
    looks = 0
    return samples > 0 || !afterFirst
  }

  /// Takes note of a look that found nothing. Returns true where there were more than `limit` in a
  /// row.
  package mutating func isHopeless(after limit: Int) -> Bool {
    looks &+= 1
    return looks > limit
  }
}
