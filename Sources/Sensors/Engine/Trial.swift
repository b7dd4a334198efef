// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// A self-test as it goes on.
public struct Trial {
  /// Sums of what the samples said, in counts.
  package private(set) var sums = InlineArray<4, Vector3>(repeating: .zero)
  /// Samples taken by this task, those to be taken, and looks since the last.
  private var samples = 0
  private var wanted = 0
  private var looks = 0
  /// From one look to the next, microseconds.
  private(set) var look: UInt32 = 0

  /// Whether the outcome is known.
  var isOver = false

  var isCollecting: Bool { samples < wanted }

  mutating func collect(_ wanted: Int, each look: UInt32) {
    self.wanted = wanted
    self.look = look
    samples = 0
    looks = 0
  }

  /// Adds a sample to sum `index`, unless it is a task's first, which was begun before it.
  package mutating func add(_ counts: Vector3, to index: Int) {
    if samples > 0 { sums[index] += counts }
    samples &+= 1
    looks = 0
  }

  /// Takes note of a look that found nothing; whether there were more than `limit` in a row.
  package mutating func isHopeless(after limit: Int) -> Bool {
    looks &+= 1
    return looks > limit
  }
}
