// SPDX-License-Identifier: Apache-2.0

/// The reason why one transaction on an open bus failed. Errors of opening a bus are another type,
/// because the same number has other meanings there (ENOENT: no such device node; in a transfer: no
/// acknowledgement).
public enum BusError: Error, Equatable, Sendable {
  /// No device acknowledged the address or a byte.
  case noAcknowledge
  /// Another controller won the arbitration for the bus.
  case arbitrationLost
  /// The transfer or the wait for the bus took too long: a stuck line or endless clock stretching.
  case timeout
  /// The adapter is suspended or has been removed.
  case adapterGone
  /// The adapter does not support this kind of transfer.
  case unsupported
  /// The transfer is longer than the node accepts at once.
  case tooLong(limit: Int)
  /// A kernel driver owns the device.
  case busy
  /// Any other error of the operating system.
  case system(errno: Int32)
}
