// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A progress line on standard error that overwrites itself, if that is a terminal and nothing else
/// is printed there. Work of less than a second shows none.
package struct ProgressLine {
  private let name: String
  private let isShown: Bool
  private let begin = ContinuousClock.now
  private var percent = -1

  /// Creates the progress of `name`. `isQuiet` means that standard output, on the same terminal,
  /// prints lines.
  package init(_ name: String, isQuiet: Bool = false) {
    self.name = name
    isShown = isatty(2) == 1 && !(isQuiet && Terminal.isInteractive)
  }

  /// Shows the progress, 0 to 1.
  package mutating func show(_ share: Double) {
    let now = Int(100 * share)
    guard isShown, now > percent else { return }
    guard ContinuousClock.now - begin > .seconds(1) else { return }
    percent = now
    let line = "\(name) \(Self.bar(share)) \(now) %"
    // A longer line would wrap, and could not be overwritten.
    let columns = max(Terminal.columns ?? 80, 20)
    Terminal.write(
      Terminal.startOfLine + TerminalText.shown(String(line.suffix(columns - 1))), to: 2)
  }

  /// Returns a progress bar: `[#####---------------]`.
  static func bar(_ share: Double, width: Int = 30) -> String {
    let full = Int(exactly: (min(max(share, 0), 1) * Double(width)).rounded()) ?? 0
    return "[" + String(repeating: "#", count: full)
      + String(repeating: "-", count: width - full) + "]"
  }

  /// Clears the line.
  package func end() { if percent >= 0 { Terminal.write(Terminal.startOfLine, to: 2) } }
}
