// SPDX-License-Identifier: Apache-2.0

/// Counters of all deviations from normal operation. They only increase.
public struct Health: Equatable, Sendable, BitwiseCopyable {
  /// The number of frames read from the chip.
  public var received: UInt64 = 0
  /// The number of samples that the chip took and that were not read, shown to users as *lost*.
  /// Counted when a batch gets its timestamps (`SampleClock.stamp`).
  public var missing: UInt64 = 0
  /// The number of transactions that failed.
  public var busErrors: UInt64 = 0
  /// The number of times the chip's FIFO overflowed.
  public var overflows: UInt64 = 0
  /// The number of timeouts while waiting for an edge although a sample was due.
  public var missedInterrupts: UInt64 = 0
  /// The number of times the chip's registers did not hold the configuration.
  public var misconfigurations: UInt64 = 0
  /// The number of times the driver restarted with a reset after an error.
  public var restarts: UInt64 = 0

  public init() {}
}
