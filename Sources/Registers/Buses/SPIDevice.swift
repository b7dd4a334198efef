// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// One device behind its own chip select. Each call is one frame: chip select falls, bytes travel,
/// it rises.
public protocol SPIDevice: ~Copyable {
  /// The present time, on the clock of the samples.
  var now: Timestamp { get }

  /// The most bytes that one read can fill: adapters and nodes have their limits.
  var longestRead: Int { get }

  /// The most bytes that one frame can send.
  var longestWrite: Int { get }

  /// Sends `bytes` in one frame and ignores the bytes received.
  mutating func write(_ bytes: Span<UInt8>) throws(BusError)

  /// Sends `command` and then fills `bytes`, in one frame; `dummyBytes` (0 or 1) are read and
  /// dropped between.
  mutating func read(
    _ bytes: inout MutableSpan<UInt8>, after command: UInt8, dummyBytes: Int
  ) throws(BusError)
}

extension SPIDevice where Self: ~Copyable {
  /// No limit.
  public var longestRead: Int { .max }

  /// No limit.
  public var longestWrite: Int { .max }
}
