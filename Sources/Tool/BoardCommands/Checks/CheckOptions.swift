// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import ArgumentParser
import Boards
import BringUp
import Foundation
import KernelSensors
import LinuxBus
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

  /// Chooses the board, and prints the board and the reason for the choice. A simulated board stays
  /// at rest, because the checks require rest.
  func choose() throws(Failure) -> Board {
    let selection = try board.select()
    selection.announce()
    return selection.board.atRest
  }

  /// Returns the chips of `board` to check: those in the options, or all.
  func chips(of board: Board) throws(Failure) -> [ChipPlacement] {
    guard let chip else { return try board.examinableChips() }
    return [try board.chip(named: chip)]
  }

  /// Runs a check on each chosen chip whose identity is correct. Prints `lines` for each result, or
  /// one JSON object, and exits with the status of the findings.
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
          // Every chip of a faulty bus finds the same fault of the bus, so report that fault only
          // once.
          report.findings += identity.findings.filter { found in
            found.subject != chip.bus.name
              || !report.findings.contains {
                $0.cause == found.cause && $0.subject == found.subject
              }
          }
          if let reason = identity.skipped { Terminal.complain("\(placement.name): \(reason)") }
          // Continue with a chip of unknown identity, which may be a clone; skip a chip that does
          // not respond.
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
    // Status 0 would mean that a check has passed, so it is a failure if all chips were skipped.
    if report.results.allSatisfy({ $0.skipped != nil }) {
      throw Failure("nothing was checked", Failure.unavailable)
    }
  }

  /// Prints the report, and exits with the status of its findings.
  func finish<Result>(_ report: CheckReport<Result>, of board: Board) throws {
    if json {
      try Terminal.say(json: report, of: board)
    } else {
      Terminal.say(findings: report.findings)
    }
    if let status = report.findings.status { throw ExitCode(status) }
  }
}

extension Board {
  /// Returns the chips whose registers can be read, and reports those that the kernel reads. Throws
  /// if no other chip is left.
  func examinableChips() throws(Failure) -> [ChipPlacement] {
    let chips = chips.filter { $0.kernelSensor == nil }
    for chip in self.chips {
      guard let sensor = chip.kernelSensor else { continue }
      let error = SessionError.reach(
        chip: chip.name, OpenError(registersOfKernelSensor: sensor.name))
      guard !chips.isEmpty else { throw Failure(error) }
      Terminal.complain("\(error)")
    }
    return chips
  }
}

/// The result of a check command as JSON.
struct CheckReport<Result: Encodable>: Encodable {
  var board: String?
  var results: [Result] = []
  var findings: [Finding] = []
}

/// A JSON object to which the key `notice` is added if there is a notice.
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
  /// Returns the object as one line of JSON with sorted keys.
  func jsonText() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // JSON has neither infinity nor NaN, so write these values as strings.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}

extension [Finding] {
  /// The exit status of the findings: 77 if a permission is missing, otherwise 69 if something does
  /// not respond, otherwise 65; `nil` without findings.
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
  /// Prints the object as JSON, with the key `notice` if `board` is simulated.
  static func say(json: some Encodable, of board: Board?) throws {
    try say(json: Noticed(result: json, notice: board?.notice))
  }

  /// Prints the object as one line of JSON with sorted keys.
  static func say(json: some Encodable) throws { say(try json.jsonText()) }

  /// Prints the evidence and the explanation of each finding, and the remedies.
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

  /// Returns `text` emphasised if standard output is a terminal, otherwise unchanged.
  static func emphasis(_ text: String, red: Bool = false) -> String {
    isInteractive ? "\u{1B}[1\(red ? ";31" : "")m\(text)\u{1B}[0m" : text
  }

  /// Replaces the progress line; does nothing if standard output is not a terminal.
  static func progress(_ line: String) {
    guard isatty(2) == 1 else { return }
    write("\r\(line)\u{1B}[K", to: 2)
  }
}
