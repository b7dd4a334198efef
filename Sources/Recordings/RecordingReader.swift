// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// Reads a recording: a CSV text with one header row whose columns carry the names and units of
/// `Sample`, or as some apps for phones write it (docs/recordings.md).
///
/// Columns may stand in any order. Columns named `truth.*` and columns of unknown names are never
/// read. Empty cells mean that the quantity was not sampled then; a row without any quantity yields
/// a sample without channels, for time has passed. A row shorter than the header has empty cells at
/// its end. Empty lines are left out. LF and CR LF, a byte order mark, blanks around a cell and
/// cells in quotes are all tolerated.
///
/// Rows are in the order of time. What becomes of others is the reader's `order`: public sets of
/// data have some.
public struct RecordingReader: Sendable {
  /// The handling of a row that is earlier than the one before.
  public enum Order: Sendable {
    /// It is an error.
    case strict
    /// One that is earlier by a second at most is left out. One that is earlier by more begins a
    /// new stretch, an unknown time after the one before: see `shift`.
    case lenient
  }

  /// The file as named in errors.
  public let file: String
  /// The quantities that the recording has columns for.
  public let channels: ChannelSet
  /// The time to add to the timestamps of the present stretch, so that time goes on from the
  /// stretch before, after a gap of `stretchGap`. Zero in the first.
  public private(set) var shift = TimeSpan.zero
  /// The number of stretches that have begun; 1 in a recording whose clock is not set back.
  public private(set) var stretches = 1
  /// The number of rows that were left out until now.
  public private(set) var skippedRows = 0
  /// The gap between two stretches: longer than any across which something is told from samples.
  public static let stretchGap = TimeSpan.seconds(30)

  private let order: Order
  private static let mostSkippedBack = TimeSpan.seconds(1)
  /// The place of the first row that was left out, and of the first of the second stretch.
  private var firstSkipped: Int?
  private var firstRestart: Int?
  private let scanner: CellScanner
  private let names: [String]
  private var columns: [RecordingColumn]
  private let timeUnit: TimeUnit
  /// The app for phones that wrote it, which may leave cells of time empty; `nil` where none did.
  let phone: PhoneRecording?
  private var plausibility = RecordingPlausibility()
  /// The remarks that the header gives rise to, each in a line: known before the first row.
  package let notes: [RecordingDoubt]
  /// Behind the byte order mark, where lines and columns are counted from.
  private let origin: Int
  private var offset: Int
  private var newest: Timestamp?

  /// Reads the header of the recording in `bytes`, which is called `file` in errors.
  public init(bytes: [UInt8], file: String, order: Order = .strict) throws(RecordingError) {
    try self.init(bytes: bytes, file: file, order: order, RecordingConventions())
  }

  /// The same of a recording with other names or units.
  package init(
    bytes: [UInt8], file: String, order: Order = .strict, _ conventions: RecordingConventions
  ) throws(RecordingError) {
    try RecordingBytes.check(bytes, file: file)
    let origin = RecordingBytes.origin(of: bytes)
    let header = try RecordingHeader(
      CellScanner(bytes: bytes), origin: origin, file: file, conventions)
    self.file = file
    self.order = order
    self.origin = origin
    scanner = header.scanner
    names = header.names
    columns = header.columns
    channels = header.channels
    timeUnit = header.timeUnit
    phone = header.phone
    notes = header.notes
    offset = header.end
    if phone?.mayBeGravities == true { tellGravities() }
  }

  /// Reads the recording at `path` into memory, and its header.
  public init(path: String, order: Order = .strict) throws(RecordingError) {
    try self.init(path: path, order: order, RecordingConventions())
  }

  /// The same of a recording with other names or units.
  package init(
    path: String, order: Order = .strict, _ conventions: RecordingConventions
  ) throws(RecordingError) {
    try self.init(
      bytes: RecordingBytes.read(path, conventions), file: path, order: order, conventions)
  }

  /// The doubts that what was read is what it was read as: each in a line, by the rows until now.
  package var doubts: [RecordingDoubt] { plausibility.doubts(of: file) }

  /// Tells g with Apple's sign from m/s2 with Android's by the first rows, and reads them so.
  private mutating func tellGravities() {
    var trial = self
    var sum = 0.0
    var count = 0
    // An error in them is told when they are read.
    while count < 200, let sample = try? trial.next() {
      guard sample.channels.contains(.acceleration) else { continue }
      sum += sample.acceleration.norm
      count += 1
    }
    guard count > 0, sum / Double(count) < 0.4 else { return }
    for index in columns.indices where columns[index].factor == PhoneRecording.androidFactor {
      columns[index].factor = 1
    }
  }

  /// The part of the recording that has been read, 0 to 1.
  package var share: Double { Double(offset) / Double(max(scanner.bytes.count, 1)) }

  /// The next row, or `nil` after the last. Reading ends with the first error.
  public mutating func next() throws(RecordingError) -> Sample? {
    do {
      while true {
        let start = scanner.afterEmptyLines(offset)
        offset = start
        if start == scanner.bytes.count { return nil }
        guard let sample = try row(at: start), try takes(sample.timestamp, rowAt: start) else {
          continue
        }
        plausibility.add(sample)
        return sample
      }
    } catch {
      offset = scanner.bytes.count
      throw error
    }
  }

  /// The row that begins at `start`; `nil` where an app has left out its time.
  private mutating func row(at start: Int) throws(RecordingError) -> Sample? {
    var values = InlineArray<32, Double>(repeating: 0)
    var present: UInt32 = 0
    var timestamp: Timestamp?
    var column = 0
    var endsRow = false
    while !endsRow {
      guard let cell = scanner.cell(at: offset) else { throw badQuotes(offset) }
      guard column < columns.count else { throw tooManyCells(start, extra: cell.start) }
      let (slot, factor) = (columns[column].slot, columns[column].factor)
      if slot == 0, !cell.content.isEmpty {
        let time = try time(cell, column)
        timestamp = max(timestamp ?? time, time)
      } else if slot != RecordingColumns.ignored, !cell.content.isEmpty {
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
        let slot: Int = slots.first { present & (1 << UInt32($0)) == 0 } ?? slots.lowerBound
        throw missing(
          slot: slot, rowAt: start, expected: "all three of .x .y .z in a row, or none")
      }
    }
    return channels
  }
}

// Order
extension RecordingReader {
  /// Returns false for a row that is to be left out.
  private mutating func takes(_ timestamp: Timestamp, rowAt start: Int) throws(RecordingError)
    -> Bool
  {
    defer { newest = max(newest ?? timestamp, timestamp) }
    guard let last = newest, timestamp < last else { return true }
    if last - timestamp <= Self.mostSkippedBack {
      skippedRows += 1
      firstSkipped = firstSkipped ?? start
      return false
    }
    newest = timestamp
    var nanoseconds = shift.nanoseconds
    for (term, isAdded) in [
      (last.nanoseconds, true), (Self.stretchGap.nanoseconds, true), (timestamp.nanoseconds, false),
    ] {
      let sum =
        isAdded
        ? nanoseconds.addingReportingOverflow(term) : nanoseconds.subtractingReportingOverflow(term)
      guard !sum.overflow else {
        throw error(
          at: start,
          "'timestamp' is \(MotionFormat.seconds(timestamp)) after \(MotionFormat.seconds(last))",
          "steps back of at most 292 years in all")
      }
      nanoseconds = sum.partialValue
    }
    shift = TimeSpan(nanoseconds: nanoseconds)
    stretches += 1
    firstRestart = firstRestart ?? start
    return true
  }

  /// The rows that were not in the order of time until now, in a line for people; `nil` where all
  /// were.
  public var remark: String? {
    var parts: [String] = []
    if let firstSkipped {
      let line = scanner.place(of: firstSkipped, after: origin).line
      parts.append(
        skippedRows == 1
          ? "a row is earlier than the one before and left out, in line \(line)"
          : "\(skippedRows) rows are earlier than the one before and left out, the first in line \(line)"
      )
    }
    if let firstRestart {
      let line = scanner.place(of: firstRestart, after: origin).line
      parts.append(
        stretches == 2
          ? "time steps back by more than a second in line \(line), and goes on from there after a gap"
          : "time steps back by more than a second \(stretches - 1) times, first in line \(line), and "
            + "goes on from there after a gap")
    }
    return parts.isEmpty ? nil : "\(file): " + parts.joined(separator: "; ")
  }
}

// Cells
extension RecordingReader {
  private func time(_ cell: Cell, _ column: Int) throws(RecordingError) -> Timestamp {
    guard let decimal = DecimalText(scanner.bytes, cell.content) else {
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
    guard let decimal = DecimalText(scanner.bytes, cell.content) else {
      throw malformed(cell, column, expected: "a number")
    }
    let value = decimal.double(scanner.bytes, cell.content)
    guard value.isFinite else { throw malformed(cell, column, expected: "at most 1.8e308") }
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
