// SPDX-License-Identifier: Apache-2.0
package import Logging

/// Logs a failure of lasting work once for each reason, and once when the work succeeds again.
package struct FailureLog: Sendable {
  private let logger: Logger
  private let failing: String
  private let working: String
  private var reason: String?

  /// Creates the log. Its lines are `failing` with the reason of a failure, and `working`.
  package init(_ logger: Logger, failing: String, working: String) {
    self.logger = logger
    self.failing = failing
    self.working = working
  }

  /// Notes the reason of a failure; `nil` if the work succeeded.
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
