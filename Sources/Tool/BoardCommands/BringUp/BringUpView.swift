// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import BringUp
import Foundation
import Fusion
import Runtime

/// The output of `otolith bringup`: one line per check, then the findings with remedies.
package final class BringUpView {
  private let isQuiet: Bool
  private let isInteractive = isatty(1) == 1
  private let hasColour: Bool
  /// The width of the terminal; `nil` if output is not a terminal. Lines are then not folded, so
  /// that programs can search them.
  private let columns: Int?
  /// True if the terminal shows a progress line that the next output must clear.
  private var isOpen = false

  init(isQuiet: Bool) {
    self.isQuiet = isQuiet
    hasColour =
      isInteractive && ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
    columns = isInteractive ? Terminal.columns : nil
  }

  var observer: BoardBringUp.Observer {
    var observer = BoardBringUp.Observer()
    observer.begins = { [self] in begin($0, $1) }
    observer.ends = { [self] in show($0) }
    observer.asks = { [self] in ask($0) }
    observer.refuses = { [self] in refuse($0) }
    return observer
  }

  private func begin(_ check: String, _ subject: String?) {
    guard isInteractive, !isQuiet else { return }
    Terminal.write(
      TerminalText.shown("\r\u{1B}[K  ....    \(CheckRecord.title(check, subject))"), to: 1)
    isOpen = true
  }

  private func show(_ record: CheckRecord) {
    guard !isQuiet else { return }
    end()
    let mark =
      switch record.state {
      case .passed: coloured("ok", 32) + "    "
      case .failed: coloured("FAILED", 31)
      case .skipped: coloured("--", 2) + "    "
      }
    let title = CheckRecord.title(record.check, record.subject)
    let padding = String(repeating: " ", count: max(1, 26 - title.count))
    let lines = folded(record.summary, behind: 10 + title.count + padding.count)
    Terminal.say("  \(mark)  \(title)\(padding)\(lines)")
  }

  private func ask(_ step: MountingGestures.Step) {
    end()
    Terminal.complain("  \(step.instruction)")
  }

  private func refuse(_ error: MountingError) {
    end()
    Terminal.complain("  \(error.refusal)")
  }

  func end() {
    if isOpen { Terminal.write("\r\u{1B}[K", to: 1) }
    isOpen = false
  }

  /// Prints the findings, the most important first, and the verdict.
  func conclude(_ report: BringUpReport) {
    for alike in report.findings.byAdvice {
      guard let finding = alike.first else { continue }
      let subjects = alike.compactMap(\.subject).joined(separator: ", ")
      Terminal.say("")
      Terminal.say(
        coloured(finding.cause.title + (subjects.isEmpty ? "" : " (\(subjects))"), 31))
      Terminal.say("  " + folded(finding.explanation, behind: 2))
      for finding in alike { Terminal.say("  seen: " + folded(finding.evidence, behind: 8)) }
      for (index, step) in finding.steps.enumerated() {
        Terminal.say("  \(index + 1). " + folded(step, behind: 5))
      }
    }
    Terminal.say("")
    Terminal.say(coloured(report.verdict, report.isGood ? 32 : 31) + ", in \(report.duration)")
  }

  /// Folds `text` between words, and indents the further lines by the width of `indent`.
  private func folded(_ text: String, behind indent: Int) -> String {
    guard let columns, columns - indent >= 20 else { return text }
    var lines = [""]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if !last.isEmpty, last.count + 1 + word.count > columns - indent {
        lines.append(String(word))
      } else {
        lines[lines.count - 1] = last.isEmpty ? String(word) : "\(last) \(word)"
      }
    }
    return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
  }

  private func coloured(_ text: String, _ code: Int) -> String {
    hasColour ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
