// SPDX-License-Identifier: Apache-2.0

/// The first line of a file that is not a header: numbers, or a line with other separators, or
/// lines before the header.
struct UnusualHeader {
  let error: RecordingError

  /// The number of lines of a file that are searched for a header.
  private static let mostLines = 50

  /// Examines the first line of a file, whose cells are `names`; `nil` if the line looks like a
  /// header.
  init?(_ scanner: CellScanner, _ start: Int, _ names: [String], file: String) {
    let (found, expected, hint): (String, String, String)
    let place = scanner.place(of: start)
    if !Self.isHeader(names), let line = Self.headerLine(scanner, start) {
      (found, expected) = ("no column 'timestamp'", "the header in the first line")
      hint =
        "line \(line) looks like it: tail -n +\(line) \(file) > rows.csv leaves out what is before"
    } else if names.count > 1, names.allSatisfy(Self.isNumber) {
      (found, expected) = ("the first line has numbers", "a header row with 'timestamp'")
      hint = "write the names of the columns in a line before them"
    } else if names.allSatisfy(Self.isNamedNumber) {
      (found, expected) = ("numbers behind names", "a header row with 'timestamp'")
      hint = "print the names once, in the first line, then only the time and the numbers"
    } else if names.count == 1, let name = names.first, let mark = Self.separator(name) {
      (found, expected) = (
        mark == " " ? "cells with blanks between" : "cells with '\(mark)' between",
        "commas, semicolons or tabulators"
      )
      hint =
        "tr \(mark == " " ? "-s " : "")'\(mark)' ',' < \(file) > rows.csv turns them into commas"
    } else {
      return nil
    }
    error = RecordingError(
      .malformed, file: file, line: place.line, column: place.column, found: found,
      expected: expected, hint: hint)
  }

  /// Returns the number of a later line that has both a column of times and a column of a sensor.
  private static func headerLine(_ scanner: CellScanner, _ start: Int) -> Int? {
    var offset = scanner.nextLine(start)
    for _ in 1..<mostLines where offset < scanner.end {
      let end = scanner.nextLine(offset)
      let text = String(decoding: scanner.bytes[offset..<end], as: UTF8.self)
      let names = [",", ";", "\t"].map { cells(text, $0) }.max { $0.count < $1.count } ?? []
      if names.count > 1, isHeader(names) { return scanner.place(of: offset).line }
      offset = end
    }
    return nil
  }

  private static func cells(_ line: String, _ mark: Character) -> [String] {
    line.split(separator: mark, omittingEmptySubsequences: false).map { cell in
      ColumnName.trimmed(String(cell.filter { !$0.isNewline && $0 != "\"" }))
    }
  }

  private static func isHeader(_ names: [String]) -> Bool {
    if names.contains(RecordingColumns.names[0]) {
      return names.dropFirst().contains { RecordingColumns.names.contains($0) }
    }
    guard let options = UsualNames.options(names, has: []) else { return false }
    return options.contains("timestamp=") && options.contains(",")
  }

  private static func isNumber(_ text: String) -> Bool { text.isEmpty || Double(text) != nil }

  /// Returns true for a string such as `ax:0.12`, the format of Arduino's Serial Plotter.
  private static func isNamedNumber(_ text: String) -> Bool {
    let parts = text.split(separator: ":", maxSplits: 1)
    return parts.count == 2 && parts[0].contains(where: \.isLetter)
      && Double(ColumnName.trimmed(String(parts[1]))) != nil
  }

  /// Returns the separator in the only cell of a line, if the separator occurs in that cell at
  /// least twice.
  private static func separator(_ name: String) -> Character? {
    ["|", " "].first { mark in name.split(separator: mark).count > 2 }
  }
}
