// SPDX-License-Identifier: Apache-2.0

/// The outcome of one check, for terminal, report and programs.
package struct CheckRecord: Codable, Sendable {
  package enum State: String, Codable, Sendable {
    case passed
    case failed
    /// The check could not run; `summary` has the reason.
    case skipped
  }

  /// A row of figures with their unit.
  package struct Row: Codable, Sendable {
    package var name: String
    package var value: String
    /// The figures by column of `heads`; empty if `value` is the only figure.
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

  /// The name of the check: `self-test`.
  package var check: String
  /// The chip's or bus's name in the board file; `nil` for the board.
  package var subject: String?
  package var state: State
  /// The outcome in one line.
  package var summary: String
  package var rows: [Row] = []
  /// The headings of the columns, the name first; empty for rows without cells.
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

  /// Creates the record of a check whose findings decide its state.
  package init(
    _ check: String, of subject: String?, findings: [Finding], _ summary: String, rows: [Row] = [],
    pictures: [Picture] = []
  ) {
    self.init(
      check, of: subject, findings.isEmpty ? .passed : .failed, summary, rows: rows,
      pictures: pictures, findings: findings)
  }
}

/// All checks of a board and their findings.
package struct BringUpReport: Codable, Sendable {
  package var board: String
  package var file: String
  /// The date and time of the report, ISO 8601.
  package var made: String
  /// The machine and its software versions.
  package var machine: String
  /// The duration in seconds; real time for a simulated board too.
  package var seconds: Double = 0
  /// True if all buses are simulated or a trace.
  package var isSimulated = false
  /// The notice that no hardware was checked; `nil` if all of it was.
  package var notice: String?
  package var checks: [CheckRecord] = []
  /// The board's wiring, if its file has it.
  package var wiring: CheckRecord.Picture?

  package init(board: String, file: String, made: String, machine: String) {
    self.board = board
    self.file = file
    self.made = made
    self.machine = machine
  }

  /// The findings, causes of other problems first; a fault that several checks found on one chip or
  /// bus is listed once, with all evidence.
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

  /// The duration in words.
  package var duration: String {
    "\(seconds.text(1)) s" + (isSimulated ? " (simulated)" : "")
  }

  /// The outcome in a sentence.
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
