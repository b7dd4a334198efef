// SPDX-License-Identifier: Apache-2.0
internal import Quantities

// Reading of rows.
extension RecordingReader {
  /// Returns the row that begins at `start`; `nil` if an app left out the row's time.
  mutating func row(at start: Int) throws(RecordingError) -> Sample? {
    var values = InlineArray<32, Double>(repeating: 0)
    var present: UInt32 = 0
    var timestamp: Timestamp?
    var column = 0
    var endsRow = false
    // A vector is incomplete if one of its axes is not a number.
    var isPartial = false
    while !endsRow {
      guard let cell = text.scanner.cell(at: offset) else {
        losses.isOpen = true
        throw badQuotes(offset)
      }
      if column >= columns.count, cell.content.isEmpty {
        // Some loggers end each row with a comma, but not the header.
        offset = cell.next
        endsRow = cell.endsRow
        continue
      }
      guard column < columns.count else { throw tooManyCells(start, extra: cell.start) }
      let (slot, factor) = (columns[column].slot, columns[column].factor)
      let isRead = slot != RecordingColumns.ignored && !cell.content.isEmpty
      if isRead, order == .lenient, RecordingLosses.isNoNumber(text.scanner.bytes[cell.content]) {
        isPartial = true
        losses.addCell(text.scanner, cell)
      } else if isRead, slot == 0 {
        let time = try time(cell, column)
        timestamp = max(timestamp ?? time, time)
      } else if isRead {
        let value = try number(cell, column) * factor
        let bit: UInt32 = 1 << UInt32(slot)
        values[slot] = present & bit == 0 ? value : values[slot] + value
        present |= bit
      }
      column += 1
      offset = cell.next
      endsRow = cell.endsRow
    }
    guard let timestamp else {
      if phone != nil { return nil }
      throw missing(slot: 0, rowAt: start, expected: "seconds")
    }
    var sample = Sample(timestamp: timestamp)
    sample.channels = try presentChannels(present, rowAt: start, isPartial: isPartial)
    for (channel, slots) in RecordingColumns.channels {
      let first = slots.lowerBound
      sample[channel] =
        channel.isVector
        ? Vector3(values[first], values[first + 1], values[first + 2])
        : Vector3(values[first], 0, 0)
    }
    return sample
  }

  private func presentChannels(
    _ present: UInt32, rowAt start: Int, isPartial: Bool
  ) throws(RecordingError) -> ChannelSet {
    var channels: ChannelSet = []
    for (channel, slots) in RecordingColumns.channels {
      let mask = RecordingColumns.mask(slots)
      if present & mask == mask {
        channels.insert(ChannelSet(channel))
      } else if present & mask != 0, !isPartial {
        let slot: Int = slots.first { present & (1 << UInt32($0)) == 0 } ?? slots.lowerBound
        throw missing(
          slot: slot, rowAt: start, expected: "all three of .x .y .z in a row, or none")
      }
    }
    return channels
  }
}

// Reading of cells.
extension RecordingReader {
  /// The decimal sign that is accepted in addition to '.': a comma if the comma is not the
  /// separator of cells.
  private var decimalSign: UInt8 {
    let comma = UInt8(ascii: ",")
    return text.scanner.separator == comma ? UInt8(ascii: ".") : comma
  }

  private func time(_ cell: Cell, _ column: Int) throws(RecordingError) -> Timestamp {
    guard let decimal = DecimalText(text.scanner.bytes, cell.content, sign: decimalSign) else {
      throw malformed(cell, column, expected: "seconds, such as 12.345")
    }
    guard let nanoseconds = decimal.nanoseconds(timeUnit) else {
      var error = malformed(cell, column, expected: "seconds, at most 292 years of them")
      error.hint = "are these milliseconds or nanoseconds? otolith replay takes --time-unit"
      throw error
    }
    let timestamp = Timestamp(nanoseconds: nanoseconds)
    if order == .strict, let newest, timestamp < newest {
      var error = malformed(cell, column, expected: "rows in time order")
      error.found += " after \(MotionFormat.seconds(newest))"
      error.hint = nil
      throw error
    }
    return timestamp
  }

  private func number(_ cell: Cell, _ column: Int) throws(RecordingError) -> Double {
    guard let decimal = DecimalText(text.scanner.bytes, cell.content, sign: decimalSign) else {
      throw malformed(cell, column, expected: "a number")
    }
    let value = decimal.double(text.scanner.bytes, cell.content)
    guard value.isFinite else { throw malformed(cell, column, expected: "at most 1.8e308") }
    return value
  }
}

// The errors of rows.
extension RecordingReader {
  /// The error for a file that ends after its header.
  var noRows: RecordingError {
    guard let line = losses.openLine else {
      return RecordingError(
        .malformed, file: file, found: "there is no row below the header",
        expected: "a row for each sample", hint: "was the file cut?")
    }
    return RecordingError(
      .malformed, file: file, line: line,
      found: line == 1 ? "nothing below the header" : "the only row has no end",
      expected: "a row for each sample, with a line feed", hint: "was the file cut?")
  }

  func error(at offset: Int, _ found: String, _ expected: String?, _ hint: String? = nil)
    -> RecordingError
  {
    let place = scanner.place(of: offset)
    return RecordingError(
      .malformed, file: file, line: place.line, column: place.column, found: found,
      expected: expected, hint: hint)
  }

  private func malformed(_ cell: Cell, _ column: Int, expected: String) -> RecordingError {
    let text = Quoted.plain(scanner.bytes[cell.content])
    return error(
      at: cell.start, "\(Quoted.text(names[column])) is \(Quoted.text(text))", expected,
      Quoted.hint(text))
  }

  private func missing(slot: Int, rowAt start: Int, expected: String) -> RecordingError {
    var offset = start
    let column = columns.firstIndex { $0.slot == slot } ?? 0
    for _ in 0..<column {
      guard let cell = scanner.cell(at: offset), !cell.endsRow else { break }
      offset = cell.next
    }
    return error(at: offset, "\(Quoted.text(names[column])) is empty", expected)
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
      at: extra, "the row has \(count) cells", "\(columns.count) as in the header",
      "decimals use '.', not ','")
  }
}
