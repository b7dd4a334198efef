// SPDX-License-Identifier: Apache-2.0
import Foundation
import Otolith

/// Tells what to do, on standard error: lines that stay and, in a terminal, a picture below them
/// that is redrawn in its place.
final class Guide {
  private let isDrawn: Bool
  /// Lines of the picture that stands below.
  private var height = 0
  private var last = Timestamp.zero

  init() {
    let kind = ProcessInfo.processInfo.environment["TERM"] ?? "dumb"
    isDrawn = isatty(2) == 1 && kind != "dumb"
  }

  /// A line that stays.
  func say(_ line: String) {
    erase()
    last = .zero
    Terminal.complain(line)
  }

  /// A picture in the place of the one before, ten times a second at the most; without a terminal
  /// nothing.
  func draw(_ picture: () -> [String]) {
    guard isDrawn, (Timestamp.now - last).seconds >= 0.1 else { return }
    last = .now
    let lines = picture().prefix(max((Terminal.rows ?? 24) - 1, 1))
    Terminal.write(
      above + lines.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J", to: 2)
    height = lines.count
  }

  /// Takes the picture away.
  func erase() {
    if height > 0 { Terminal.write(above + "\u{1B}[J", to: 2) }
    height = 0
  }

  private var above: String { height > 0 ? "\r\u{1B}[\(height)A" : "\r" }

  /// `[#####---------------]`
  static func bar(_ share: Double, width: Int = 30) -> String {
    let full = Int((min(max(share, 0), 1) * Double(width)).rounded())
    return "[" + String(repeating: "#", count: full)
      + String(repeating: "-", count: width - full) + "]"
  }
}
