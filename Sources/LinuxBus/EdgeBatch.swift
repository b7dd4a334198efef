// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// Edges that were waiting, as the kernel stamped them in its interrupt handler.
public struct EdgeBatch: Equatable, Sendable, BitwiseCopyable {
  /// The number of edges taken.
  public internal(set) var count = 0
  /// The time of the first of them (CLOCK_MONOTONIC); zero where there is none.
  public internal(set) var oldest = Timestamp.zero
  /// The time of the last of them; zero where there is none.
  public internal(set) var newest = Timestamp.zero
  /// Edges the kernel had no room for since the last read. Always 0 with libgpiod 1.6, whose
  /// interface does not count.
  public internal(set) var lost = 0

  package init() {}

  package mutating func append(_ time: Timestamp, sequence: UInt32, after last: inout UInt32) {
    if count == 0 { oldest = time }
    newest = time
    count += 1
    guard sequence != 0 else { return }
    // The kernel counts from 1 and the count may wrap.
    lost += Int(sequence &- last &- 1)
    last = sequence
  }
}
