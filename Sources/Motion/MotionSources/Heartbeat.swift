// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The number of turns of a reader thread, by which another thread detects that the reader is
/// stuck.
final class Heartbeat: Sendable {
  private let count = Atomic<UInt64>(0)

  /// Counts a turn of the reader's loop. Only the reader's thread calls it, so the addition need
  /// not be atomic.
  func beat() {
    count.store(count.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
  }

  var turns: UInt64 { count.load(ordering: .relaxed) }
}
