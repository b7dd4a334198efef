// SPDX-License-Identifier: Apache-2.0
internal import History

/// The reason why movement is not counted, or why a query fails.
package enum MovementError: Error, Sendable, CustomStringConvertible {
  /// The board cannot be opened, or lacks the sensor.
  case session(SessionError)
  /// The stored history cannot be read.
  case history(HistoryError)
  /// A required sensor does not respond.
  case silent(String)

  /// The error and its remedy, as a message for users.
  package var description: String {
    switch self {
    case .session(let error): error.description
    case .history(let error): error.description
    case .silent(let complaint): complaint
    }
  }

  /// True if the error is a missing permission.
  package var isDenied: Bool {
    switch self {
    case .session(let error): error.isDenied || error.isTaken
    case .history(let error): error.kind == .denied
    case .silent: false
    }
  }
}
