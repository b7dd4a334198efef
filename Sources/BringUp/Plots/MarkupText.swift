// SPDX-License-Identifier: Apache-2.0

/// Text as it may stand in SVG and HTML.
public enum MarkupText {
  /// With the characters that would be taken for markup replaced, in attributes too. By scalars, as
  /// a browser reads: a quote with a combining mark behind it is one `Character`, and ends an
  /// attribute all the same.
  public static func escaped(_ text: String) -> String {
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
