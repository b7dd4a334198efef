// SPDX-License-Identifier: Apache-2.0

/// Why accelerations are not recorded.
public enum RecorderError: Error, Sendable, CustomStringConvertible {
  /// The store cannot be written.
  case history(HistoryError)
  /// The board cannot be opened.
  case session(SessionError)
  /// The board has no accelerometer, or its file is wrong: the log says how.
  case noAccelerometer
  /// The system has no thread or descriptor left for it.
  case system(String)

  /// What is wrong, for people.
  public var description: String {
    switch self {
    case .history(let error): error.description
    case .session(let error): error.description
    case .noAccelerometer: "the board has no accelerometer"
    case .system(let reason): reason
    }
  }
}
