// SPDX-License-Identifier: Apache-2.0
import Recordings

/// A filter that escapes control characters in lines for the terminal. These lines may contain
/// untrusted text: file names, a HAT's EEPROM, values in a file.
package enum TerminalText {
  /// Returns `text` with control characters escaped as in JSON. Line ends, tabs, colours and an
  /// initial `startOfLine` are kept, because this program writes them.
  package static func shown(_ text: String) -> String {
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

  /// The control sequence that returns to the start of the line and clears it.
  package static let startOfLine = "\r\u{1B}[K"

  /// Returns the control sequence for a colour at the start of `text`; `nil` if `text` does not
  /// begin with such a sequence.
  private static func colour(_ text: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView? {
    guard text.starts(with: "\u{1B}[".unicodeScalars) else { return nil }
    let numbers = text.dropFirst(2).prefix { ("0"..."9").contains($0) || $0 == ";" }
    guard numbers.count <= 16, numbers.endIndex < text.endIndex, text[numbers.endIndex] == "m"
    else { return nil }
    return text[...numbers.endIndex]
  }
}
