// SPDX-License-Identifier: Apache-2.0

/// The findings of a check of one chip.
public protocol CheckResult: Equatable, Codable, Sendable {
  /// Its name in the board file.
  var chip: String { get }
  /// The reason why it was not checked; `nil` where it was.
  var skipped: String? { get }
  var findings: [Finding] { get }
}
