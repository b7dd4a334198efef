// SPDX-License-Identifier: Apache-2.0

/// What a check of one chip found.
public protocol CheckResult: Equatable, Codable, Sendable {
  /// Its name in the board file.
  var chip: String { get }
  /// Why it was not checked; `nil` where it was.
  var skipped: String? { get }
  var findings: [Finding] { get }
}
