// SPDX-License-Identifier: Apache-2.0

/// One cell of a CSV text, as places in its bytes.
struct Cell {
  /// The begin of the cell, quote and blanks included.
  var start: Int
  /// The content: without quotes, or without the blanks around it.
  var content: Range<Int>
  /// The begin of the next cell, or of the next row.
  var next: Int
  var endsRow: Bool
}

/// Takes CSV apart cell by cell: comma, LF or CR LF, quotes after RFC 4180.
struct CellScanner {
  let bytes: [UInt8]

  private static let comma = UInt8(ascii: ",")
  private static let quote = UInt8(ascii: "\"")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == carriageReturn
  }

  /// The first byte at or after `offset` that is not part of an empty line.
  func afterEmptyLines(_ offset: Int) -> Int {
    var index = offset
    var row = offset
    while index < bytes.count {
      if bytes[index] == Self.lineFeed {
        row = index + 1
      } else if !Self.isBlank(bytes[index]) {
        return row
      }
      index += 1
    }
    return bytes.count
  }

  /// The cell that begins at `offset`; `nil` if it is quoted and not well formed.
  func cell(at offset: Int) -> Cell? {
    var end = offset
    while end < bytes.count, Self.isBlank(bytes[end]) { end += 1 }
    if end < bytes.count, bytes[end] == Self.quote { return quotedCell(at: offset, quote: end) }
    while end < bytes.count, bytes[end] != Self.comma, bytes[end] != Self.lineFeed { end += 1 }
    let endsRow = end == bytes.count || bytes[end] == Self.lineFeed
    var last = end
    while last > offset, Self.isBlank(bytes[last - 1]) { last -= 1 }
    var first = offset
    while first < last, Self.isBlank(bytes[first]) { first += 1 }
    return Cell(
      start: offset, content: first..<last, next: min(end + 1, bytes.count), endsRow: endsRow)
  }

  private func quotedCell(at offset: Int, quote: Int) -> Cell? {
    var index = quote + 1
    while index < bytes.count {
      if bytes[index] == Self.quote {
        // A doubled quote is one quote of the content.
        guard index + 1 < bytes.count, bytes[index + 1] == Self.quote else { break }
        index += 1
      }
      index += 1
    }
    guard index < bytes.count else { return nil }
    let content = quote + 1..<index
    index += 1
    while index < bytes.count, Self.isBlank(bytes[index]) { index += 1 }
    let endsRow = index == bytes.count || bytes[index] == Self.lineFeed
    guard endsRow || bytes[index] == Self.comma else { return nil }
    return Cell(
      start: offset, content: content, next: min(index + 1, bytes.count), endsRow: endsRow)
  }

  /// The line and the character of that line at which the byte at `offset` stands, both from 1.
  /// Counted only when an error wants it, so that rows without error do not pay.
  func place(of offset: Int, after origin: Int) -> (line: Int, column: Int) {
    var line = 1
    var column = 1
    for byte in bytes[origin..<max(origin, min(offset, bytes.count))] {
      if byte == Self.lineFeed {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {  // Bytes that continue a UTF-8 character do not begin one.
        column += 1
      }
    }
    return (line, column)
  }
}
