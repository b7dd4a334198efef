// SPDX-License-Identifier: Apache-2.0

/// The findings of a check for one chip.
package protocol CheckResult: Equatable, Codable, Sendable {
  /// The chip's name in the board file.
  var chip: String { get }
  /// The reason why the check was skipped; `nil` if it ran.
  var skipped: String? { get }
  var findings: [Finding] { get }
}
