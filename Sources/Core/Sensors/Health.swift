// SPDX-License-Identifier: Apache-2.0

/// Counters of all deviations from normal operation. The counters never decrease.
public struct Health: Equatable, Sendable, BitwiseCopyable {
  /// The number of frames read from the chip.
  public var received: UInt64 = 0
  /// The number of samples that the chip took but the driver did not read; the user interface calls
  /// them *lost*. Lost samples are counted when a batch gets its timestamps (`SampleClock.stamp`).
  public var missing: UInt64 = 0
  /// The number of bus transactions that failed.
  public var busErrors: UInt64 = 0
  /// The number of times the chip's FIFO overflowed.
  public var overflows: UInt64 = 0
  /// The number of times that an interrupt edge did not come although a sample was due.
  public var missedInterrupts: UInt64 = 0
  /// The number of times that the chip's registers differed from the configuration, or from what a
  /// working chip has in them.
  public var misconfigurations: UInt64 = 0
  /// The number of times that the driver started again with a reset after an error.
  public var restarts: UInt64 = 0
  /// The number of frames with raw values that are not valid measurements: values with all bits
  /// alike, the chip's code for "no data" or for an overflow, and values outside the part's
  /// measuring range. Only the decoder checks the temperature of an InvenSense part against the
  /// measuring range, so these temperatures are not counted.
  public var invalid: UInt64 = 0

  public init() {}
}
