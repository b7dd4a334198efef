// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// One device with its own chip select. Each call is one frame: chip select is asserted, the bytes
/// are transferred, chip select is released.
public protocol SPIDevice: ~Copyable {
  /// The current time, on the samples' clock.
  var now: Timestamp { get }

  /// The most bytes that one read can fill, as adapters and nodes are limited.
  var longestRead: Int { get }

  /// The most bytes that one frame can send.
  var longestWrite: Int { get }

  /// Sends `bytes` in one frame and drops the bytes received.
  mutating func write(_ bytes: Span<UInt8>) throws(BusError)

  /// Sends `command` and then fills `bytes`, in one frame; `dummyBytes` (0 or 1) are read and
  /// dropped in between.
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
