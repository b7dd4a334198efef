// SPDX-License-Identifier: Apache-2.0

/// A cell of a CSV text, by its positions in the bytes.
struct Cell {
  /// The index at which the cell starts, including the cell's quotation mark and spaces.
  var start: Int
  /// The indices of the content, without quotation marks or, in an unquoted cell, without the
  /// spaces around it.
  var content: Range<Int>
  /// The index in the bytes at which the next cell or row starts.
  var next: Int
  var endsRow: Bool
}

/// A scanner that splits CSV into cells. The separator is a comma or another character, lines end
/// in LF or CR LF, and quotation marks follow RFC 4180.
struct CellScanner: Sendable {
  var bytes: [UInt8]
  /// The index in the bytes at which the last complete line ends.
  var end: Int
  /// The index of the first character, after a byte order mark if the text has one.
  var origin = 0
  /// The line number of the first line in `bytes`, counted from 1.
  private var line = 1
  var separator = UInt8(ascii: ",")

  init(bytes: [UInt8]) {
    self.bytes = bytes
    end = bytes.count
  }

  private static let quote = UInt8(ascii: "\"")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == carriageReturn
  }

  private func isBlank(_ byte: UInt8) -> Bool { Self.isBlank(byte) && byte != separator }

  /// Returns the index of the first row at or after `offset`. Unlike `afterEmptyLines` this
  /// function includes a last line that has no line feed.
  func afterBlankLines(_ offset: Int) -> Int {
    var all = self
    all.end = bytes.count
    return all.afterEmptyLines(offset)
  }

  /// Returns the start of the line after the line that contains the byte at `offset`.
  func nextLine(_ offset: Int) -> Int {
    var index = offset
    while index < end {
      index += 1
      if bytes[index - 1] == Self.lineFeed { break }
    }
    return index
  }

  /// Removes the bytes before `offset`, which is the start of a CSV row.
  mutating func drop(before offset: Int) {
    guard offset > 0 else { return }
    line = place(of: offset).line
    bytes.removeSubrange(..<offset)
    end = max(end - offset, 0)
    origin = 0
  }

  /// Returns the index of the first byte at or after `offset` that is not part of an empty line.
  func afterEmptyLines(_ offset: Int) -> Int {
    var index = offset
    var row = offset
    while index < end {
      if bytes[index] == Self.lineFeed {
        row = index + 1
      } else if !isBlank(bytes[index]) {
        return row
      }
      index += 1
    }
    return end
  }

  /// Returns the cell that starts at `offset`; `nil` if the cell is quoted and not well formed.
  func cell(at offset: Int) -> Cell? {
    let limit = self.end
    var end = offset
    while end < limit, isBlank(bytes[end]) { end += 1 }
    if end < limit, bytes[end] == Self.quote { return quotedCell(at: offset, quote: end) }
    while end < limit, bytes[end] != separator, bytes[end] != Self.lineFeed { end += 1 }
    let endsRow = end == limit || bytes[end] == Self.lineFeed
    var last = end
    while last > offset, isBlank(bytes[last - 1]) { last -= 1 }
    var first = offset
    while first < last, isBlank(bytes[first]) { first += 1 }
    return Cell(
      start: offset, content: first..<last, next: min(end + 1, limit), endsRow: endsRow)
  }

  private func quotedCell(at offset: Int, quote: Int) -> Cell? {
    let limit = end
    var index = quote + 1
    while index < limit {
      if bytes[index] == Self.quote {
        // A doubled quotation mark stands for one quotation mark in the cell.
        guard index + 1 < limit, bytes[index + 1] == Self.quote else { break }
        index += 1
      }
      index += 1
    }
    guard index < limit else { return nil }
    let content = quote + 1..<index
    index += 1
    while index < limit, isBlank(bytes[index]) { index += 1 }
    let endsRow = index == limit || bytes[index] == Self.lineFeed
    guard endsRow || bytes[index] == separator else { return nil }
    return Cell(
      start: offset, content: content, next: min(index + 1, limit), endsRow: endsRow)
  }

  /// Returns the line of the byte at `offset` and the character in that line, both counted from 1.
  /// This takes time, so the position is computed only for error messages.
  func place(of offset: Int) -> (line: Int, column: Int) {
    var line = line
    var column = 1
    for byte in bytes[origin..<max(origin, min(offset, bytes.count))] {
      if byte == Self.lineFeed {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {  // other bytes continue a UTF-8 character
        column += 1
      }
    }
    return (line, column)
  }
}
