// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Quantities

/// A formatter for numbers and words with a fixed width, so that nothing moves while values change.
enum Text {
  /// Returns a number right-aligned with `digits` decimal places. The text is a dash for `nil`, and
  /// `>` in all columns if the number does not fit.
  static func number(_ value: Double?, _ width: Int, digits: Int, sign: Bool = false) -> String {
    guard let value, value.isFinite else { return padLeft("-", width) }
    let text = (sign && value.sign == .plus ? "+" : "") + fixed(value, digits: digits)
    // If a value is rounded to zero, show it without a minus sign.
    let isZero = text.allSatisfy { "-+0.".contains($0) }
    let shown = isZero ? text.replacingOccurrences(of: "-", with: sign ? "+" : "") : text
    return shown.count > width ? String(repeating: ">", count: width) : padLeft(shown, width)
  }

  /// Returns a count, abbreviated in thousands or millions if it does not fit.
  static func count(_ value: UInt64, _ width: Int) -> String {
    for (divisor, unit) in [(UInt64(1), ""), (1_000, "k"), (1_000_000, "M"), (1_000_000_000, "G")] {
      let text = "\(value / divisor)\(unit)"
      if text.count <= width { return padLeft(text, width) }
    }
    return String(repeating: ">", count: width)
  }

  static func padLeft(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(width - text.unicodeScalars.count, 0)) + text
  }

  /// Returns the text left-aligned in `width` columns. If the text is cut, it ends in two dots.
  static func pad(_ text: String, _ width: Int) -> String {
    let count = text.unicodeScalars.count
    guard count > width else { return text + String(repeating: " ", count: width - count) }
    guard width > 2 else { return String(text.prefix(max(width, 0))) }
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(width - 2))) + ".."
  }

  /// Returns `text` in at most `lines` lines of at most `width` characters. The last line is cut if
  /// necessary.
  static func wrapped(_ text: String, _ width: Int, lines: Int) -> [String] {
    var result: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: true) {
      let longer = line.isEmpty ? String(word) : line + " " + word
      if longer.unicodeScalars.count <= width || line.isEmpty || result.count == lines - 1 {
        line = longer
      } else {
        result.append(line)
        line = String(word)
      }
    }
    if !line.isEmpty { result.append(line) }
    return result.map { $0.unicodeScalars.count > width ? pad($0, width) : $0 }
  }
}

/// A bar that grows to the left or right of its middle, in steps of half a character.
enum Bar {
  /// Returns a bar of `width` characters for `value` in `-range ... range`.
  static func spans(_ value: Double, range: Double, width: Int, _ style: TextStyle) -> [Span] {
    let side = max((width - 1) / 2, 0)
    let share = value.isFinite ? min(max(value / range, -1), 1) : 0
    let halves = Int(saturating: abs(share) * Double(side) * 2)
    let filled = String(repeating: "━", count: halves / 2)
    let rest = side - (halves + 1) / 2
    let track = Span(String(repeating: "┄", count: rest), .faint)
    let empty = Span(String(repeating: "┄", count: side), .faint)
    // A value beyond the range has the warning colour.
    let style = abs(value) > range ? TextStyle.warning : style
    let hasHalf = halves % 2 == 1
    if share >= 0 {
      return [empty, Span("┼", .faint), Span(filled + (hasHalf ? "╸" : ""), style), track]
    }
    return [track, Span((hasHalf ? "╺" : "") + filled, style), Span("┼", .faint), empty]
  }
}

/// A graph in one row, with eight heights.
enum Sparkline {
  private static let steps = Array(" ▁▂▃▄▅▆▇█")

  /// Returns a graph of the last `width` elements of `values`, scaled to `0 ... range`. The newest
  /// value is at the right.
  static func text(_ values: some Collection<Double>, range: Double, width: Int) -> String {
    let shown = values.suffix(width).map { value -> Character in
      let share = value.isFinite ? min(max(value / range, 0), 1) : 0
      // Draw at least one eighth, so that every value is visible.
      return steps[max(Int(saturating: share * 8), 1)]
    }
    return Text.padLeft(String(shown), width)
  }
}
