// SPDX-License-Identifier: Apache-2.0

/// The reason why accelerations are not recorded.
public enum RecorderError: Error, Sendable, CustomStringConvertible {
  /// The store cannot be written.
  case history(HistoryError)
  /// The source cannot be opened, or has no accelerometer.
  case session(SessionError)
  /// The system has no free thread or descriptor.
  case system(String)

  /// The error as a message for users.
  public var description: String {
    switch self {
    case .history(let error): error.description
    case .session(let error): error.description
    case .system(let reason): reason
    }
  }
}
