// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Boards
package import BringUp
import Foundation
import Otolith
import Runtime

/// The board to check, and the output format.
struct CheckOptions: ParsableArguments {
  @OptionGroup var board: BoardOptions

  @Option(
    help: "The chip, by its name in the board file or its kind. (default: all)",
    completion: .chips)
  var chip: String?

  @Flag(help: "Print one JSON object.")
  var json = false

  /// Chooses the board, and prints which it is and why. A simulated one lies still, as checks
  /// require.
  func choose() throws(Failure) -> Board {
    let selection = try board.select()
    selection.announce()
    return selection.board.atRest
  }

  /// Returns the chips to check.
  func chips(of board: Board) throws(Failure) -> [ChipPlacement] {
    guard let chip else { return board.chips }
    return [try board.chip(named: chip)]
  }

  /// Runs a check on each chosen chip after its identity check; prints `lines` for each result, or
  /// one JSON object for all, and ends the command with the status of the findings.
  func check<Result: CheckResult>(
    _ examine: (ExaminedChip) -> Result, lines: (Result) -> [String]
  ) throws {
    let board = try choose()
    let chips = try chips(of: board)
    if !json { board.sayNotice() }
    let examination = Examination(board)
    var report = CheckReport<Result>(board: board.name)
    for placement in chips {
      do throws(SessionError) {
        guard let chip = try examination.open(placement.name) else { continue }
        let identity = IdentityCheck.run(
          chip, on: try examination.probe(chip.bus), of: board)
        if !identity.isRight {
          // A bus fault is found with each of its chips, but reported once.
          report.findings += identity.findings.filter { found in
            found.subject != chip.bus.name
              || !report.findings.contains {
                $0.cause == found.cause && $0.subject == found.subject
              }
          }
          if let reason = identity.skipped { Terminal.complain("\(placement.name): \(reason)") }
          // A clone with an unknown identity can still be checked, a dead chip cannot.
          continue
        }
        let result = examine(chip)
        report.results.append(result)
        report.findings += result.findings
        if !json {
          if let reason = result.skipped {
            Terminal.say("\(placement.name): not checked: \(reason)")
          } else {
            for line in lines(result) { Terminal.say(line) }
          }
        }
      } catch { throw Failure(error) }
    }
    try finish(report, of: board)
    // A successful exit would mean that something was checked.
    if !report.results.isEmpty, report.results.allSatisfy({ $0.skipped != nil }) {
      throw Failure("nothing was checked", Failure.unavailable)
    }
  }

  /// Prints the report, and ends with its status.
  func finish<Result>(_ report: CheckReport<Result>, of board: Board) throws {
    if json {
      try Terminal.say(json: report, of: board)
    } else {
      Terminal.say(findings: report.findings)
    }
    if let status = report.findings.status { throw ExitCode(status) }
  }
}

/// A command's output for programs.
struct CheckReport<Result: Encodable>: Encodable {
  var board: String?
  var results: [Result] = []
  var findings: [Finding] = []
}

/// An object for programs, with the additional key `notice` if there is a notice.
struct Noticed: Encodable {
  let result: any Encodable
  let notice: String?

  private enum Key: CodingKey { case notice }

  func encode(to encoder: any Encoder) throws {
    try result.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(notice, forKey: .notice)
  }
}

extension Encodable {
  /// Returns one line of JSON with sorted keys.
  func jsonText() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // JSON has no infinities and not-a-number.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}

extension [Finding] {
  /// The findings grouped by advice, in the order of each group's first, so that advice is printed
  /// once.
  package var byAdvice: [[Finding]] {
    var groups: [[Finding]] = []
    for finding in self {
      let index = groups.firstIndex {
        $0[0].cause == finding.cause && $0[0].explanation == finding.explanation
          && $0[0].steps == finding.steps
      }
      if let index { groups[index].append(finding) } else { groups.append([finding]) }
    }
    return groups
  }

  /// The exit status: 77 where only permission is missing, 69 where something does not respond, 65
  /// where it responds wrongly; `nil` without findings.
  var status: Int32? {
    let statuses = map { finding -> Int32 in
      switch finding.cause {
      case .permission: Failure.noPermission
      case .busMissing, .taken, .stuckBus, .silentBus, .noAnswer: Failure.unavailable
      default: Failure.badData
      }
    }
    return statuses.max()
  }
}

extension Terminal {
  /// Prints the object with the key `notice` where `board` is not hardware.
  static func say(json: some Encodable, of board: Board?) throws {
    try say(json: Noticed(result: json, notice: board?.notice))
  }

  /// Prints one line of JSON with sorted keys.
  static func say(json: some Encodable) throws { say(try json.jsonText()) }

  /// Prints the findings: evidence, explanation and remedies.
  static func say(findings: [Finding]) {
    for alike in findings.byAdvice {
      for finding in alike {
        let subject = finding.subject.map { "\($0): " } ?? ""
        say(
          "\(emphasis("FOUND", red: true)) \(subject)\(finding.cause.rawValue): \(finding.evidence)"
        )
      }
      guard let finding = alike.first else { continue }
      say("  likely: \(finding.explanation)")
      for step in finding.steps { say("  - \(step)") }
    }
  }

  /// Returns the text emphasised on a terminal, otherwise unchanged.
  static func emphasis(_ text: String, red: Bool = false) -> String {
    isInteractive ? "\u{1B}[1\(red ? ";31" : "")m\(text)\u{1B}[0m" : text
  }

  /// Replaces the progress line on a terminal; does nothing otherwise.
  static func progress(_ line: String) {
    guard isatty(2) == 1 else { return }
    write("\r\(line)\u{1B}[K", to: 2)
  }
}

/// Formats rows of words as a table: minimal column widths, numbers right-aligned.
enum TextTable {
  static func lines(_ rows: [[String]], right: Set<Int> = []) -> [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      var line = row.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return right.contains(column) ? padding + cell : cell + padding
      }.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
