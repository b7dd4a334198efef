// SPDX-License-Identifier: Apache-2.0
internal import Runtime

/// The outcome of one check, for the terminal, the report and JSON.
package struct CheckRecord: Codable, Sendable {
  package enum State: String, Codable, Sendable {
    case passed
    case failed
    /// The check could not run; `summary` contains the reason.
    case skipped
  }

  /// A row of values with their unit.
  package struct Row: Codable, Sendable {
    package var name: String
    package var value: String
    /// The values by column of `heads`; empty if `value` is the only value.
    package var cells: [String]

    package init(_ name: String, _ value: String, cells: [String] = []) {
      self.name = name
      self.value = value
      self.cells = cells
    }
  }

  /// A picture as SVG text.
  package struct Picture: Codable, Sendable {
    package var title: String
    package var svg: String

    package init(_ title: String, svg: String) {
      self.title = title
      self.svg = svg
    }
  }

  /// The name of the check, such as `self-test`.
  package var check: String
  /// The name of the chip or bus in the board file; `nil` if the check concerns the whole board.
  package var subject: String?
  package var state: State
  /// The outcome in one line.
  package var summary: String
  package var rows: [Row] = []
  /// The headings of the columns, starting with the heading of the names; empty if rows have no
  /// cells.
  package var heads: [String] = []
  package var pictures: [Picture] = []
  package var findings: [Finding] = []

  package init(
    _ check: String, of subject: String?, _ state: State, _ summary: String, rows: [Row] = [],
    pictures: [Picture] = [], findings: [Finding] = []
  ) {
    self.check = check
    self.subject = subject
    self.state = state
    self.summary = summary
    self.rows = rows
    self.pictures = pictures
    self.findings = findings
  }

  /// Creates the record of a check that passed if `findings` is empty.
  package init(
    _ check: String, of subject: String?, findings: [Finding], _ summary: String, rows: [Row] = [],
    pictures: [Picture] = []
  ) {
    self.init(
      check, of: subject, findings.isEmpty ? .passed : .failed, summary, rows: rows,
      pictures: pictures, findings: findings)
  }

  /// Returns a title for the check, with the name of the chip or bus if there is one.
  package static func title(_ check: String, _ subject: String?) -> String {
    subject.map { "\(check) of \($0)" } ?? check
  }
}

/// All checks of a board and their findings.
package struct BringUpReport: Codable, Sendable {
  package var board: String
  package var file: String
  /// The date and time of the report, in ISO 8601 format.
  package var made: String
  /// The machine and its software versions.
  package var machine: String
  /// The duration of all checks in seconds of real time, even for a simulated board.
  package var seconds: Double = 0
  /// True if all buses are simulated or come from a trace.
  package var isSimulated = false
  /// The notice that all or part of the board is simulated; `nil` if all of it is hardware.
  package var notice: String?
  package var checks: [CheckRecord] = []
  /// The picture of the board's wiring; `nil` if the board file does not contain it.
  package var wiring: CheckRecord.Picture?

  package init(board: String, file: String, made: String, machine: String) {
    self.board = board
    self.file = file
    self.made = made
    self.machine = machine
  }

  /// All findings, with those that explain other problems first. If several checks find the same
  /// fault of a chip or bus, the fault is listed once with all evidence.
  package var findings: [Finding] {
    var merged: [Finding] = []
    for finding in checks.flatMap(\.findings) {
      let same = merged.firstIndex {
        $0.cause == finding.cause && $0.subject == finding.subject
      }
      guard let same else {
        merged.append(finding)
        continue
      }
      if merged[same].evidence != finding.evidence {
        merged[same].evidence += "; \(finding.evidence)"
      }
      merged[same].steps += finding.steps.filter { !merged[same].steps.contains($0) }
    }
    return merged.sorted { $0.cause.rank < $1.cause.rank }
  }

  package var isGood: Bool { findings.isEmpty && !checks.contains { $0.state == .failed } }

  /// The duration of the checks as text.
  package var duration: String {
    "\(seconds.text(1)) s" + (isSimulated ? " (simulated)" : "")
  }

  /// A message that states the outcome of all checks.
  package var verdict: String {
    let skipped = checks.count { $0.state == .skipped }
    let rest = skipped == 0 ? "" : "; \(skipped) could not be made"
    let causes = findings.map(\.cause.title)
    guard let first = causes.first else {
      return "\(checks.count - skipped) checks passed\(rest)"
    }
    let others = causes.count - 1
    return others == 0 ? first + rest : "\(first), and \(others) more\(rest)"
  }
}
