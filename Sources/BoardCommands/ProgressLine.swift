// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The progress of long work: a line of standard error over itself, where that is a terminal and
/// nothing else is shown there. Work of less than a second shows none.
package struct ProgressLine {
  private let name: String
  private let isShown: Bool
  private let begin = ContinuousClock.now
  private var percent = -1

  /// The progress of `name`. `isQuiet` says that standard output, on the same terminal, has lines
  /// of its own.
  package init(_ name: String, isQuiet: Bool = false) {
    self.name = name
    isShown = isatty(2) == 1 && !(isQuiet && Terminal.isInteractive)
  }

  /// Shows that this part of the work is done, 0 to 1.
  package mutating func show(_ share: Double) {
    let now = Int(100 * share)
    guard isShown, now > percent else { return }
    guard ContinuousClock.now - begin > .seconds(1) else { return }
    percent = now
    let line = "\(name) \(Self.bar(share)) \(now) %"
    // A longer line would not go over itself.
    let columns = max(Terminal.columns ?? 80, 20)
    Terminal.write(
      Terminal.startOfLine + TerminalText.shown(String(line.suffix(columns - 1))), to: 2)
  }

  /// `[#####---------------]`
  static func bar(_ share: Double, width: Int = 30) -> String {
    let full = Int(exactly: (min(max(share, 0), 1) * Double(width)).rounded()) ?? 0
    return "[" + String(repeating: "#", count: full)
      + String(repeating: "-", count: width - full) + "]"
  }

  /// Takes it away.
  package func end() { if percent >= 0 { Terminal.write(Terminal.startOfLine, to: 2) } }
}
