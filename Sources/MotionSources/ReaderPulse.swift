// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The turns of a reader thread, by which others see that it is not stuck.
final class ReaderPulse: Sendable {
  private let count = Atomic<UInt64>(0)

  /// Counts a turn. On the reader's thread alone, which needs no atomic addition.
  func beat() {
    count.store(count.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
  }

  var turns: UInt64 { count.load(ordering: .relaxed) }
}
