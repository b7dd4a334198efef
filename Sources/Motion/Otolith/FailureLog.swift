// SPDX-License-Identifier: Apache-2.0
package import Logging

/// Logs failures of a continuous task: once for each reason, and once when the task succeeds again.
package struct FailureLog: Sendable {
  private let logger: Logger
  private let failing: String
  private let working: String
  private var reason: String?

  /// Creates the log. It writes the line `failing` with the reason of a failure, and the line
  /// `working`.
  package init(_ logger: Logger, failing: String, working: String) {
    self.logger = logger
    self.failing = failing
    self.working = working
  }

  /// Records the reason of a failure; `nil` if the task succeeded.
  package mutating func note(_ new: String?) {
    guard new != reason else { return }
    reason = new
    if let new {
      logger.warning("\(failing): \(new)")
    } else {
      logger.notice("\(working)")
    }
  }
}
