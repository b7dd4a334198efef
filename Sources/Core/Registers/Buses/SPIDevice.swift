// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A device with its own chip select on an SPI bus. Each call is one frame: chip select is
/// asserted, the bytes are transferred, and chip select is released.
public protocol SPIDevice: ~Copyable {
  /// The current time, on the clock of the samples.
  var now: Timestamp { get }

  /// The largest number of bytes that one read can return. Bus adapters and device nodes limit it.
  var longestRead: Int { get }

  /// The largest number of bytes that one frame can send.
  var longestWrite: Int { get }

  /// Sends `bytes` in one frame and discards the received bytes.
  mutating func write(_ bytes: Span<UInt8>) throws(BusError)

  /// Sends `command` and then fills `bytes`, in one frame. The `dummyBytes` bytes (0 or 1) that are
  /// received between `command` and `bytes` are discarded.
  mutating func read(
    _ bytes: inout MutableSpan<UInt8>, after command: UInt8, dummyBytes: Int
  ) throws(BusError)
}

extension SPIDevice where Self: ~Copyable {
  /// By default one read can return any number of bytes.
  public var longestRead: Int { .max }

  /// By default the number of bytes of one frame is not limited.
  public var longestWrite: Int { .max }
}
