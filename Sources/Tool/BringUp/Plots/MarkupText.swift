// SPDX-License-Identifier: Apache-2.0

/// Functions that escape text for SVG and HTML.
package enum MarkupText {
  /// Returns the text with markup characters replaced, so that it also suits attributes. The
  /// replacement works on Unicode scalars, as browsers do. A quote and a combining mark form one
  /// `Character`, but the quote still ends the attribute.
  package static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
