// SPDX-License-Identifier: Apache-2.0

/// Counters of all deviations from normal work. They only grow.
public struct Health: Equatable, Sendable, BitwiseCopyable {
  /// The number of frames read from the chip.
  public var received: UInt64 = 0
  /// The number of samples that the chip took and that were not read: what people are shown as
  /// *lost*. Counted where a batch gets its times (`SampleClock.stamp`).
  public var missing: UInt64 = 0
  /// The number of transactions that failed.
  public var busErrors: UInt64 = 0
  /// The number of times the chip's queue overflowed.
  public var overflows: UInt64 = 0
  /// The number of waits for an edge that ended without one although a sample was due.
  public var missedInterrupts: UInt64 = 0
  /// The number of times the chip was found in another state than it was put in.
  public var misconfigurations: UInt64 = 0
  /// The number of times the driver began again with a reset after an error.
  public var restarts: UInt64 = 0

  public init() {}
}
