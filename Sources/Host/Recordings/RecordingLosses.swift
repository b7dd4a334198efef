// SPDX-License-Identifier: Apache-2.0

/// The rows and cells of a recording that cannot be read and that a lenient reader skips.
struct RecordingLosses: Sendable {
  /// The number of rows of the recording that cannot be read.
  private(set) var rows = 0
  /// The error of the first of the rows that cannot be read.
  var firstError: RecordingError?
  private var firstRow: (line: Int?, reason: String)?
  /// The number of cells that contain a word such as `NaN` in place of a number.
  private var cells = 0
  private var firstCell: (line: Int, text: String)?
  /// The line number of the last line, if it has no line end.
  var openLine: Int?
  /// True if a quoted cell extends to the end of the text in memory.
  var isOpen = false
  /// True if the file ends after its header.
  var isWithoutRows = false
  /// True if no further row of the recording can follow.
  var isFinal = false

  mutating func add(_ error: RecordingError) {
    rows += 1
    if firstRow == nil {
      firstRow = (error.line, error.found)
      firstError = error
    }
  }

  mutating func addCell(_ scanner: CellScanner, _ cell: Cell) {
    cells += 1
    if firstCell == nil {
      firstCell = (
        scanner.place(of: cell.start).line, Quoted.plain(scanner.bytes[cell.content])
      )
    }
  }

  /// Returns true for words that programs write instead of a missing number.
  static func isNoNumber(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first, bytes.count <= 10 else { return false }
    // Most cells are numbers, which begin with a digit or a sign; but a word may begin with a sign
    // too.
    if first >= UInt8(ascii: "0"), first <= UInt8(ascii: "9") { return false }
    if first == UInt8(ascii: "-"), bytes.count > 1, let second = bytes.dropFirst().first,
      second < UInt8(ascii: "A")
    {
      return second == UInt8(ascii: "-")
    }
    var word = String(decoding: bytes, as: UTF8.self).lowercased()
    if "+-".contains(word.prefix(1)), word.count > 1 { word.removeFirst() }
    return words.contains(word)
  }

  private static let words: Set<String> = [
    "nan", "inf", "infinity", "null", "none", "nil", "na", "n/a", "#n/a", "<na>", "-", "--", "?",
    "nan(ind)", "1.#qnan", "1.#inf", "undefined",
  ]

  /// The remarks for the recording's summary, one for each kind of loss.
  var parts: [String] {
    var parts: [String] = []
    if isWithoutRows { parts.append("there is no row below the header") }
    if let firstRow {
      let place = firstRow.line.map { " in line \($0)" } ?? ""
      parts.append(
        rows == 1
          ? "an unreadable row was skipped,\(place) (\(firstRow.reason))"
          : "\(rows) unreadable rows were skipped, the first\(place) (\(firstRow.reason))")
    }
    if let firstCell {
      parts.append(
        cells == 1
          ? "a cell is not a number and was read as empty, in line \(firstCell.line) "
            + "('\(firstCell.text)')"
          : "\(cells) cells are not numbers and were read as empty, the first in line "
            + "\(firstCell.line) ('\(firstCell.text)')")
    }
    if let openLine {
      parts.append(
        "the last line, \(openLine), has no line end and was skipped: the file may be "
          + "cut off")
    }
    return parts.map(ControlCharacters.visible)
  }
}
