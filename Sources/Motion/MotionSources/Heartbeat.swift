// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The number of turns of a reader thread, which shows others that it is not stuck.
final class Heartbeat: Sendable {
  private let count = Atomic<UInt64>(0)

  /// Counts a turn. Only called on the reader's thread, so it needs no atomic addition.
  func beat() {
    count.store(count.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
  }

  var turns: UInt64 { count.load(ordering: .relaxed) }
}
