// SPDX-License-Identifier: Apache-2.0

/// Characters that a terminal executes instead of showing them, or that change the direction of
/// text. Text from files is printed without these characters.
package enum ControlCharacters {
  /// Returns true for control characters, including line ends and tabs, and for characters that
  /// change the direction of text.
  package static func contains(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // The ranges are C0, DEL and C1; the separators of lines and paragraphs; and embeddings,
    // overrides and isolates.
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Returns true for control characters that a text file may not contain: all except line ends and
  /// tabs.
  package static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
    contains(scalar) && scalar != "\n" && scalar != "\t"
  }

  /// Returns the first control character that a text file may not contain, in UTF-8 text, with its
  /// index among the bytes; `nil` if the text contains none.
  package static func firstRefused(in bytes: ArraySlice<UInt8>) -> (
    index: Int, scalar: Unicode.Scalar
  )? {
    // Only these bytes can start a control character, and most lines contain none of them.
    for index in bytes.indices where bytes[index] < 0x20 || bytes[index] >= 0x7F {
      let byte = bytes[index]
      guard byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xE2 else { continue }
      let text = String(decoding: bytes[index...].prefix(3), as: UTF8.self)
      if let scalar = text.unicodeScalars.first, isRefused(scalar) { return (index, scalar) }
    }
    return nil
  }

  /// Returns the character's name, such as `U+001B`.
  package static func name(_ scalar: Unicode.Scalar) -> String { "U+" + digits(scalar) }

  /// Returns the character as JSON writes it, such as `\u001B`.
  package static func escape(_ scalar: Unicode.Scalar) -> String { "\\u" + digits(scalar) }

  /// Returns `text` on one line for a terminal, with control characters escaped.
  package static func visible(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: contains) else { return text }
    var visible = ""
    for scalar in text.unicodeScalars {
      if contains(scalar) {
        visible += escape(scalar)
      } else {
        visible.unicodeScalars.append(scalar)
      }
    }
    return visible
  }

  private static func digits(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
