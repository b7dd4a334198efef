// SPDX-License-Identifier: Apache-2.0

/// The result of an attempt to open the sensors.
public enum SensorAccess: Equatable, Sendable {
  /// They have not been tried, or failed for another reason than access.
  case unknown
  /// They are open, or were.
  case granted
  /// The device nodes belong to a group that this process is not in.
  case denied
  /// Another process, or a driver of the kernel, has them.
  case taken

  init<Success>(_ result: Result<Success, SessionError>) {
    switch result {
    case .success: self = .granted
    case .failure(let error): self = error.isDenied ? .denied : error.isTaken ? .taken : .unknown
    }
  }
}
