// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A bus of addressed devices. Addresses are 7 bits, right-aligned, everywhere.
///
/// A read of a register is one transaction on the wire: START, address + W, the register, repeated
/// START, address + R, the bytes, STOP. No transfer of another program may come between.
public protocol I2CBus: ~Copyable {
  /// The current time, on the samples' clock.
  var now: Timestamp { get }

  /// The most bytes that one read can fill, as adapters and nodes are limited.
  var longestRead: Int { get }

  /// The most bytes that one write can send, the register included.
  var longestWrite: Int { get }

  /// Sends `bytes` (the register first) to the device at `address`.
  mutating func write(_ bytes: Span<UInt8>, to address: UInt8) throws(BusError)

  /// Sends the byte `register` to the device at `address`, then fills `bytes` from the device.
  mutating func read(
    _ bytes: inout MutableSpan<UInt8>, after register: UInt8, from address: UInt8
  ) throws(BusError)
}

extension I2CBus where Self: ~Copyable {
  /// No limit.
  public var longestRead: Int { .max }

  /// No limit.
  public var longestWrite: Int { .max }
}
