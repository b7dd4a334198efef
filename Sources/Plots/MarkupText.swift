// SPDX-License-Identifier: Apache-2.0

/// Text as it may stand in SVG and HTML.
public enum MarkupText {
  /// With the characters that would be taken for markup replaced.
  public static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}
