// SPDX-License-Identifier: Apache-2.0

/// The result of an attempt to open the sensors.
public enum SensorAccess: Equatable, Sendable {
  /// The sensors have not been opened yet, or could not be opened for some other reason.
  case unknown
  /// The sensors are open, or were opened before.
  case granted
  /// The device nodes belong to a group that does not contain this process.
  case denied
  /// Another process or a kernel driver uses the sensors.
  case taken

  init<Success>(_ result: Result<Success, SessionError>) {
    switch result {
    case .success: self = .granted
    case .failure(let error): self = error.isDenied ? .denied : error.isTaken ? .taken : .unknown
    }
  }
}
