// SPDX-License-Identifier: Apache-2.0
import Recordings

/// Lines on their way to the terminal. They may hold texts of others: names of files in a folder,
/// what a HAT's memory says, what a file has in the place of what was expected.
enum TerminalText {
  /// Returns `text` with what a terminal would obey made visible, as JSON writes it; but for ends
  /// of lines, tabs, colours, and going back to the begin of a line first, which are this
  /// program's.
  static func shown(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: ControlCharacters.isRefused) else { return text }
    var shown = ""
    var rest = text.unicodeScalars[...]
    if rest.starts(with: startOfLine.unicodeScalars) {
      shown = startOfLine
      rest = rest.dropFirst(startOfLine.unicodeScalars.count)
    }
    while let scalar = rest.first {
      if let colour = colour(rest) {
        shown.unicodeScalars.append(contentsOf: colour)
        rest = rest[colour.endIndex...]
        continue
      }
      if ControlCharacters.isRefused(scalar) {
        shown += ControlCharacters.escape(scalar)
      } else {
        shown.unicodeScalars.append(scalar)
      }
      rest = rest.dropFirst()
    }
    return shown
  }

  /// Over what stands in the line.
  static let startOfLine = "\r\u{1B}[K"

  /// The code of a colour with which `text` begins.
  private static func colour(_ text: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView? {
    guard text.starts(with: "\u{1B}[".unicodeScalars) else { return nil }
    let numbers = text.dropFirst(2).prefix { ("0"..."9").contains($0) || $0 == ";" }
    guard numbers.count <= 16, numbers.endIndex < text.endIndex, text[numbers.endIndex] == "m"
    else { return nil }
    return text[...numbers.endIndex]
  }
}
