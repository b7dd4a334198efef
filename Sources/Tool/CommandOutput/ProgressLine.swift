// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A progress line that is redrawn on standard error. It is shown only if standard error is a
/// terminal on which nothing else is printed, and only after one second.
package struct ProgressLine {
  private let name: String
  private let isShown: Bool
  private let begin = ContinuousClock.now
  private var percent = -1

  /// Creates the progress line for the work called `name`. With `isQuiet` the line is hidden if
  /// standard output is a terminal too, because results are printed there.
  package init(_ name: String, isQuiet: Bool = false) {
    self.name = name
    isShown = isatty(2) == 1 && !(isQuiet && Terminal.isInteractive)
  }

  /// Shows the progress from 0 to 1.
  package mutating func show(_ share: Double) {
    let now = Int(100 * share)
    guard isShown, now > percent else { return }
    guard ContinuousClock.now - begin > .seconds(1) else { return }
    percent = now
    let line = "\(name) \(Self.bar(share)) \(now) %"
    // Shorten the line, because a longer line would wrap and could not be overwritten.
    let columns = max(Terminal.columns ?? 80, 20)
    Terminal.write(
      Terminal.startOfLine + TerminalText.shown(String(line.suffix(columns - 1))), to: 2)
  }

  /// Returns a progress bar such as `[#####---------------]`.
  package static func bar(_ share: Double, width: Int = 30) -> String {
    let full = Int(exactly: (min(max(share, 0), 1) * Double(width)).rounded()) ?? 0
    return "[" + String(repeating: "#", count: full)
      + String(repeating: "-", count: width - full) + "]"
  }

  /// Clears the progress line.
  package func end() { if percent >= 0 { Terminal.write(Terminal.startOfLine, to: 2) } }
}
