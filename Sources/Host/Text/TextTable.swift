// SPDX-License-Identifier: Apache-2.0

/// Lays out rows of words as lines of text.
package enum TextTable {
  /// Returns a line for each row, with columns as wide as their widest cell and two spaces between
  /// them. The columns in `right` are aligned right, the others left.
  package static func lines(_ rows: [[String]], right: Set<Int> = []) -> [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      row.enumerated().map { column, cell in
        right.contains(column)
          ? cell.leftPadded(to: widths[column]) : cell.padded(to: widths[column])
      }.joined(separator: "  ").trimmedAtEnd
    }
  }
}

extension String {
  /// Returns the text with spaces after it, up to `width` characters.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }

  /// Returns the text with spaces before it, up to `width` characters.
  package func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - count)) + self
  }

  /// The text without the spaces at its end.
  package var trimmedAtEnd: String {
    var text = self[...]
    while text.last == " " { text = text.dropLast() }
    return String(text)
  }
}
