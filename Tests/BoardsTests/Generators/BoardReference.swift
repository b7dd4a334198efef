// SPDX-License-Identifier: Apache-2.0
@testable import Boards
import Text

/// The formats of `BoardFormat` as tables for documentation.
enum BoardReference {
  /// The text between `<!-- keys: begin -->` and `<!-- keys: end -->` in
  /// `docs/reference/board-files.md`.
  static var markdown: String {
    BoardFormat.sections.map(table).joined(separator: "\n")
  }

  private static func table(_ section: BoardSection) -> String {
    var lines = [
      "### \(section.title.prefix(1).uppercased() + section.title.dropFirst())", "",
      section.summary, "",
      "| Key | Value | Left out | Meaning | Example |", "|---|---|---|---|---|",
    ]
    for key in section.keys {
      let isAlternative = section.alternatives.contains { $0.contains(key.name) }
      let fallback =
        key.isRequired ? "not allowed" : key.fallback ?? (isAlternative ? "see below" : "nothing")
      lines.append(
        "| `\(key.name)` | \(key.expectation) | \(fallback) | \(key.summary) | `\(key.example)` |"
      )
    }
    if !section.alternatives.isEmpty {
      let sets = section.alternatives.map { $0.map { "`\($0)`" }.joined(separator: " with ") }
      let count = section.mayCombine ? "At least" : "Exactly"
      lines += ["", "\(count) one of \(NearestWord.list(sets)) has to be there."]
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
