// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// An I2C bus. All addresses are 7 bits, right-aligned.
///
/// A read of a register must be one transaction on the wire: START, address + W, the register,
/// repeated START, address + R, the bytes, STOP. No transfer of another program may come between
/// these parts.
public protocol I2CBus: ~Copyable {
  /// The current time, on the clock of the samples.
  var now: Timestamp { get }

  /// The largest number of bytes that one read can return. Bus adapters and device nodes limit it.
  var longestRead: Int { get }

  /// The largest number of bytes that one write can send, including the register's address.
  var longestWrite: Int { get }

  /// Sends `bytes`, of which the first is the register's address, to the device at `address`.
  mutating func write(_ bytes: Span<UInt8>, to address: UInt8) throws(BusError)

  /// Sends the register's address `register` to the device at `address`, then fills `bytes` from
  /// the device.
  mutating func read(
    _ bytes: inout MutableSpan<UInt8>, after register: UInt8, from address: UInt8
  ) throws(BusError)
}

extension I2CBus where Self: ~Copyable {
  /// By default one read can return any number of bytes.
  public var longestRead: Int { .max }

  /// By default the number of bytes of one write is not limited.
  public var longestWrite: Int { .max }
}
