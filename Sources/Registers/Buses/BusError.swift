// SPDX-License-Identifier: Apache-2.0

/// The reason why one transaction on an open bus failed. Errors of opening a bus are another type,
/// because the same number means other things there (ENOENT: no such device node; in a transfer: no
/// acknowledgement).
public enum BusError: Error, Equatable, Sendable {
  /// No device acknowledged the address or a byte.
  case noAcknowledge
  /// Another controller won the bus.
  case arbitrationLost
  /// The transfer or the wait for the bus took too long: a stuck line or an endless clock stretch.
  case timeout
  /// The adapter is suspended or has been removed.
  case adapterGone
  /// The adapter cannot do this kind of transfer.
  case unsupported
  /// The transfer is longer than the node takes in one piece.
  case tooLong(limit: Int)
  /// A kernel driver owns the device.
  case busy
  /// Any other error of the operating system.
  case system(errno: Int32)
}
