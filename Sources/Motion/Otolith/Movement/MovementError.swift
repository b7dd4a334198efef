// SPDX-License-Identifier: Apache-2.0
internal import History

/// The reason why movement is not counted, or a query not answered.
package enum MovementError: Error, Sendable, CustomStringConvertible {
  /// The board cannot be opened, or lacks the sensor.
  case session(SessionError)
  /// The stored history cannot be read.
  case history(HistoryError)
  /// A required sensor does not answer.
  case silent(String)

  /// The problem and its remedy, for people.
  package var description: String {
    switch self {
    case .session(let error): error.description
    case .history(let error): error.description
    case .silent(let complaint): complaint
    }
  }

  /// True if permission is missing.
  package var isDenied: Bool {
    switch self {
    case .session(let error): error.isDenied || error.isTaken
    case .history(let error): error.kind == .denied
    case .silent: false
    }
  }
}
