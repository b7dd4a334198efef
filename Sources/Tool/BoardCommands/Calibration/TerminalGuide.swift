// SPDX-License-Identifier: Apache-2.0
import CommandOutput
import BoardCalibration
import Foundation
import LinuxSystem
import Otolith

/// A guide that prints instructions on standard error: permanent lines and, on a terminal, a
/// picture below them that is redrawn in place. Ctrl-C stops the task.
final class TerminalGuide: Guide {
  private let isDrawn: Bool
  private var height = 0
  private var last = Timestamp.zero
  private var signals: EndSignals?

  init() {
    let kind = ProcessInfo.processInfo.environment["TERM"] ?? "dumb"
    isDrawn = isatty(2) == 1 && kind != "dumb"
  }

  func say(_ line: String) {
    clear()
    last = .zero
    Terminal.complain(line)
  }

  /// Shows the state, at most ten times per second and only on a terminal.
  func show(_ step: () -> GuidedStep) {
    guard isDrawn, (Timestamp.now - last).seconds >= 0.1 else { return }
    last = .now
    let lines = step().lines.prefix(max((Terminal.rows ?? 24) - 1, 1))
    Terminal.write(
      above + lines.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J", to: 2)
    height = lines.count
  }

  func clear() {
    if height > 0 { Terminal.write(above + "\u{1B}[J", to: 2) }
    height = 0
  }

  private var above: String { height > 0 ? "\r\u{1B}[\(height)A" : "\r" }

  /// Lets signals end the calibration properly, because the chips must sleep before the program
  /// ends.
  func takesChips() throws(Failure) {
    signals = try EndSignals { _ in
      // End after 2 s in any case, because a chip that sends no data would block the normal end.
      let thread = try? startThread(name: "otolith end") {
        Thread.sleep(forTimeInterval: 2)
        Self.exit()
      }
      if thread == nil { Self.exit() }
    }
  }

  func leavesChips() {
    signals?.cancel()
    signals = nil
  }

  private static func exit() {
    Terminal.complain(interruption.message)
    Terminal.exit(withStatus: interruption.status)
  }

  var isStopped: Bool { signals?.isEnding ?? false }

  var hasOptions: Bool { true }
}
