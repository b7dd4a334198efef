// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The edges that were read at once, with timestamps from the kernel's interrupt handler.
public struct EdgeBatch: Equatable, Sendable, BitwiseCopyable {
  /// The number of edges in the batch.
  public internal(set) var count = 0
  /// The time of the first edge (CLOCK_MONOTONIC); zero in an empty batch.
  public internal(set) var oldest = Timestamp.zero
  /// The time of the last edge (CLOCK_MONOTONIC); zero in an empty batch.
  public internal(set) var newest = Timestamp.zero
  /// The number of edges that the kernel dropped since the last read because its buffer was full.
  /// Always 0 with libgpiod 1.6, which does not report this number.
  public internal(set) var lost = 0

  package init() {}

  package mutating func append(_ time: Timestamp, sequence: UInt32, after last: inout UInt32) {
    if count == 0 { oldest = time }
    newest = time
    count += 1
    guard sequence != 0 else { return }
    // The kernel's sequence number of edges starts at 1 and may wrap.
    lost += Int(sequence &- last &- 1)
    last = sequence
  }
}
