// SPDX-License-Identifier: Apache-2.0

/// The reason why a transaction on an open bus failed. Errors from opening a bus have a separate
/// type, because an error number then has another meaning: ENOENT is a missing device node when a
/// bus is opened, but a missing acknowledgement in a transfer.
public enum BusError: Error, Equatable, Sendable {
  /// No device acknowledged the address or a byte of the transfer.
  case noAcknowledge
  /// Another controller on the bus won the arbitration.
  case arbitrationLost
  /// The transfer, or the wait for the bus, took too long: a line is stuck, or a device stretches
  /// the clock indefinitely.
  case timeout
  /// The bus adapter is suspended or was removed.
  case adapterGone
  /// The bus adapter does not support this kind of transfer.
  case unsupported
  /// The transfer is longer than `limit`, the number of bytes that the device node accepts at once.
  case tooLong(limit: Int)
  /// A kernel driver uses the device.
  case busy
  /// Any other error of the operating system.
  case system(errno: Int32)
}
