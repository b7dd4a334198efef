// SPDX-License-Identifier: Apache-2.0

/// The results of a platform's transfer functions. Other numbers are defined by the platform, and
/// are thrown as `BusError.system`.
public enum PlatformStatus {
  public static var done: Int32 { 0 }
  /// No device acknowledged the address or a byte of the transfer.
  public static var noAcknowledge: Int32 { 1 }
  /// Another controller on the bus won the arbitration.
  public static var arbitrationLost: Int32 { 2 }
  /// A line was stuck, or a device stretched the clock for too long.
  public static var timeout: Int32 { 3 }
  /// The peripheral does not support this transfer.
  public static var unsupported: Int32 { 4 }

  static func check(_ status: Int32) throws(BusError) {
    switch status {
    case done: return
    case noAcknowledge: throw .noAcknowledge
    case arbitrationLost: throw .arbitrationLost
    case timeout: throw .timeout
    case unsupported: throw .unsupported
    default: throw .system(errno: status)
    }
  }
}
