// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// Reads a recording: a CSV text with one header row whose columns carry the names and units of
/// `Sample`.
///
/// Columns may stand in any order. Columns named `truth.*` and columns of unknown names are never
/// read. Empty cells mean that the quantity was not sampled then; a row without any quantity yields
/// a sample without channels, for time has passed. A row shorter than the header has empty cells at
/// its end. Empty lines are left out. LF and CR LF, a byte order mark, blanks around a cell and
/// cells in quotes are all tolerated.
public struct RecordingReader: Sendable {
  /// The file as named in errors.
  public let file: String
  /// The quantities that the recording has columns for.
  public let channels: ChannelSet

  private let scanner: CellScanner
  /// The slot of each column.
  private let slots: [Int]
  /// Behind the byte order mark, where lines and columns are counted from.
  private let origin: Int
  private var offset: Int
  private var newest: Timestamp?

  /// Reads the header of the recording in `bytes`, which is called `file` in errors.
  public init(bytes: [UInt8], file: String) throws(RecordingError) {
    try RecordingBytes.check(bytes, file: file)
    let origin = RecordingBytes.origin(of: bytes)
    let header = try RecordingHeader(CellScanner(bytes: bytes), origin: origin, file: file)
    self.file = file
    self.origin = origin
    scanner = header.scanner
    slots = header.slots
    channels = header.channels
    offset = header.end
  }

  /// Reads the recording at `path` into memory, and its header.
  public init(path: String) throws(RecordingError) {
    try self.init(bytes: RecordingBytes.read(path), file: path)
  }

  /// The next row, or `nil` after the last. Reading ends with the first error.
  public mutating func next() throws(RecordingError) -> Sample? {
    do {
      return try row()
    } catch {
      offset = scanner.bytes.count
      throw error
    }
  }

  private mutating func row() throws(RecordingError) -> Sample? {
    let start = scanner.afterEmptyLines(offset)
    offset = start
    if start == scanner.bytes.count { return nil }
    var values = InlineArray<32, Double>(repeating: 0)
    var present: UInt32 = 0
    var timestamp: Timestamp?
    var column = 0
    var endsRow = false
    while !endsRow {
      guard let cell = scanner.cell(at: offset) else { throw badQuotes(offset) }
      guard column < slots.count else { throw tooManyCells(start, extra: cell.start) }
      let slot = slots[column]
      if slot == 0, !cell.content.isEmpty {
        timestamp = try time(cell)
      } else if slot != RecordingColumns.ignored, !cell.content.isEmpty {
        values[slot] = try number(cell, slot)
        present |= 1 << UInt32(slot)
      }
      column += 1
      offset = cell.next
      endsRow = cell.endsRow
    }
    guard let timestamp else { throw missing(slot: 0, rowAt: start, expected: "seconds") }
    newest = timestamp
    var sample = Sample(timestamp: timestamp)
    sample.channels = try presentChannels(present, rowAt: start)
    for (channel, slots) in RecordingColumns.channels {
      let first = slots.lowerBound
      sample[channel] =
        channel.isVector
        ? Vector3(values[first], values[first + 1], values[first + 2])
        : Vector3(values[first], 0, 0)
    }
    return sample
  }

  private func presentChannels(_ present: UInt32, rowAt start: Int) throws(RecordingError)
    -> ChannelSet
  {
    var channels: ChannelSet = []
    for (channel, slots) in RecordingColumns.channels {
      let mask = RecordingColumns.mask(slots)
      if present & mask == mask {
        channels.insert(ChannelSet(channel))
      } else if present & mask != 0 {
        let slot = slots.first { present & (1 << UInt32($0)) == 0 } ?? slots.lowerBound
        throw missing(
          slot: slot, rowAt: start, expected: "all three of .x .y .z in a row, or none")
      }
    }
    return channels
  }
}

// Cells
extension RecordingReader {
  private func time(_ cell: Cell) throws(RecordingError) -> Timestamp {
    guard let decimal = DecimalText(scanner.bytes, cell.content) else {
      throw malformed(cell, 0, expected: "seconds, such as 12.345")
    }
    guard let nanoseconds = decimal.nanoseconds else {
      var error = malformed(cell, 0, expected: "seconds, at most 292 years of them")
      error.hint = "are these milliseconds or nanoseconds?"
      throw error
    }
    let timestamp = Timestamp(nanoseconds: nanoseconds)
    if let newest, timestamp < newest {
      var error = malformed(cell, 0, expected: "rows in time order")
      error.found += " after \(MotionFormat.seconds(newest))"
      error.hint = nil
      throw error
    }
    return timestamp
  }

  private func number(_ cell: Cell, _ slot: Int) throws(RecordingError) -> Double {
    guard let decimal = DecimalText(scanner.bytes, cell.content) else {
      throw malformed(cell, slot, expected: "a number")
    }
    let value = decimal.double(scanner.bytes, cell.content)
    guard value.isFinite else { throw malformed(cell, slot, expected: "at most 1.8e308") }
    return value
  }
}

// Errors
extension RecordingReader {
  private func error(at offset: Int, _ found: String, _ expected: String?, _ hint: String? = nil)
    -> RecordingError
  {
    let place = scanner.place(of: offset, after: origin)
    return RecordingError(
      .malformed, file: file, line: place.line, column: place.column, found: found,
      expected: expected, hint: hint)
  }

  private func malformed(_ cell: Cell, _ slot: Int, expected: String) -> RecordingError {
    let text = Quoted.plain(scanner.bytes[cell.content])
    return error(
      at: cell.start, "'\(RecordingColumns.names[slot])' is \(Quoted.text(text))", expected,
      Quoted.hint(text))
  }

  private func missing(slot: Int, rowAt start: Int, expected: String) -> RecordingError {
    var offset = start
    for _ in 0..<(slots.firstIndex(of: slot) ?? 0) {
      guard let cell = scanner.cell(at: offset), !cell.endsRow else { break }
      offset = cell.next
    }
    return error(at: offset, "'\(RecordingColumns.names[slot])' is empty", expected)
  }

  private func badQuotes(_ offset: Int) -> RecordingError {
    error(
      at: offset, "a cell in quotes is not closed, or goes on after its quotes",
      "a comma or the end of the line after the closing quote")
  }

  private func tooManyCells(_ start: Int, extra: Int) -> RecordingError {
    var count = 1
    var offset = start
    while let cell = scanner.cell(at: offset), !cell.endsRow {
      count += 1
      offset = cell.next
    }
    return error(
      at: extra, "the row has \(count) cells", "\(slots.count) as in the header",
      "decimals use '.', not ','")
  }
}
