// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A reader of recordings: CSV with a header row and columns in the names and units of `Sample`, or
/// in the format of some phone apps (docs/recordings.md).
///
/// Columns may be in any order. Columns named `truth.*` and unknown columns are not read. An empty
/// cell means that the quantity was not sampled at that time. A row without any quantity gives a
/// sample without channels, which shows that time has passed. A row may be shorter than the header,
/// and longer if the additional cells are empty. Empty lines are skipped.
///
/// The reader accepts LF and CR LF, a byte order mark, spaces around a cell, cells in quotation
/// marks, and semicolons or tabs as separators. A last line without a line end is not read, because
/// it may be incomplete.
///
/// A file is read in parts, so that only a few hundred kilobytes are in memory, whatever the size
/// of the file is. Copies of a reader read a file independently; a pipe is read only once. An MCAP
/// file is read through once before the first row; an MCAP pipe is first copied to a temporary
/// file.
///
/// Rows should be in the order of their times. `order` determines how the reader handles unreadable
/// rows and rows that are out of order; both occur in public data sets.
public struct RecordingReader: Sendable {
  /// The handling of a row whose time is before the time of the previous row.
  public enum Order: Sendable {
    /// The out-of-order row is an error, as is an unreadable row.
    case strict
    /// A row that is earlier by at most a second is skipped. A row that is earlier by more than a
    /// second begins a new section, an unknown time after the previous section (see `shift`).
    /// Unreadable rows are skipped, and cells such as `NaN` or `null` are treated as empty;
    /// `remark` counts these rows and cells.
    case lenient
  }

  /// The recording's file as errors name it.
  public let file: String
  /// The quantities that have columns in the recording.
  public let channels: ChannelSet
  /// The time that is added to the timestamps of the current section, so that this section follows
  /// the previous section after a gap of `stretchGap`. This time is zero in the first section.
  public private(set) var shift = TimeSpan.zero
  /// The number of sections so far, 1 in a recording whose clock was never set back.
  public private(set) var stretches = 1
  /// The number of rows that were skipped so far because of their times.
  public private(set) var skippedRows = 0
  /// The gap between two sections of a recording. It is longer than any gap over which fusion and
  /// recognisers continue.
  public static let stretchGap = TimeSpan.seconds(30)

  let order: Order
  private static let mostSkippedBack = TimeSpan.seconds(1)
  /// The number of unreadable rows at the start of the recording after which the file is rejected.
  private static let mostUnreadable = 100
  /// The line numbers of the first skipped row, and of the first row after the clock was set back.
  private var firstSkipped: Int?
  private var firstRestart: Int?
  /// The unreadable rows and cells that were skipped.
  var losses = RecordingLosses()
  private var hasRow = false
  var text: RecordingText
  /// The samples of an MCAP file, which has no text; `nil` for other files.
  private var mcap: MCAPSamples?
  let names: [String]
  var columns: [RecordingColumn]
  let timeUnit: TimeUnit
  /// The phone app that wrote the file, which may leave cells of times empty; `nil` for other
  /// files.
  let phone: PhoneRecording?
  private let conventions: RecordingConventions
  private var plausibility = RecordingPlausibility()
  /// The remarks about the header, one line each, which are known before the first row.
  package let notes: [RecordingWarning]
  /// The column names that the user gave and this file does not have.
  let absent: [ColumnName]
  var offset: Int
  var newest: Timestamp?

  var scanner: CellScanner { text.scanner }

  /// Reads the header of the recording in `bytes`. Errors name the recording `file`.
  public init(bytes: [UInt8], file: String, order: Order = .strict) throws(RecordingError) {
    try self.init(bytes: bytes, file: file, order: order, RecordingConventions())
  }

  /// Reads the header of a recording that has other names or units.
  package init(
    bytes: [UInt8], file: String, order: Order = .strict, _ conventions: RecordingConventions
  ) throws(RecordingError) {
    if MCAPInput.begins(bytes) {
      try self.init(MCAPInput(bytes, file: file), order: order, conventions)
    } else {
      try self.init(RecordingText(bytes, file: file), file: file, order: order, conventions)
    }
  }

  private init(
    _ input: MCAPInput, order: Order, _ conventions: RecordingConventions
  ) throws(RecordingError) {
    let file = input.file
    absent = try conventions.absentColumns(ofMCAP: file)
    let samples = try MCAPSamples(
      input, units: conventions.units, chips: conventions.chips, isStrict: order == .strict)
    self.file = file
    self.order = order
    self.conventions = conventions
    mcap = samples
    text = .absent(of: file)
    names = []
    columns = []
    channels = samples.channels
    timeUnit = .ns
    phone = nil
    notes = samples.notes
    offset = 0
  }

  private init(
    _ text: RecordingText, file: String, order: Order, _ conventions: RecordingConventions
  ) throws(RecordingError) {
    let header = try RecordingHeader(text.scanner, file: file, conventions)
    self.file = file
    self.order = order
    self.conventions = conventions
    mcap = nil
    self.text = text
    self.text.separate(by: header.separator)
    names = header.names
    columns = header.columns
    channels = header.channels
    timeUnit = header.timeUnit
    phone = header.phone
    notes = header.notes
    absent = header.absent
    offset = header.end
    if phone?.mayBeGravities == true { detectGravityUnit() }
  }

  /// Opens the recording at `path` and reads its header.
  public init(path: String, order: Order = .strict) throws(RecordingError) {
    try self.init(path: path, order: order, RecordingConventions())
  }

  /// Opens a recording that has other names or units. Errors name the recording `name`. With
  /// `isReadAgain` copies of the reader can read a pipe independently too.
  package init(
    path: String, name: String? = nil, order: Order = .strict, _ conventions: RecordingConventions,
    isReadAgain: Bool = false
  ) throws(RecordingError) {
    let name = name ?? path
    let beginning = try RecordingBeginning(path: path, name: name)
    if MCAPInput.begins(beginning.bytes) {
      try self.init(
        MCAPInput(beginning.file, head: beginning.bytes, file: name), order: order, conventions)
    } else {
      try self.init(
        RecordingText(beginning, name: name, isReadAgain: isReadAgain), file: name, order: order,
        conventions)
    }
  }

  /// Reads only the start of the recording at `path`: the header of CSV, or the first bytes of
  /// MCAP. Throws if the file is not a recording.
  package static func checkBeginning(path: String) throws(RecordingError) {
    let beginning = try RecordingBeginning(path: path, name: path)
    guard !MCAPInput.begins(beginning.bytes) else { return }
    let text = try RecordingText(beginning, name: path, isReadAgain: false)
    _ = try Self(text, file: path, order: .lenient, RecordingConventions())
  }

  /// The number of bytes at the start of a file that `checkKind` examines.
  package static let beginning = UInt64(RecordingBytes.head)

  /// Throws if the first `beginning` bytes of the file at `path` show that it is not a recording.
  /// The error names the file `name`. The columns are not checked.
  package static func checkKind(path: String, name: String) throws(RecordingError) {
    let beginning = try RecordingBeginning(path: path, name: name)
    guard !MCAPInput.begins(beginning.bytes) else { return }
    try RecordingBytes.check(beginning.bytes, file: name)
  }

  /// The warnings that the recording may have other units or contents, one line each. They are
  /// based on the rows that were read so far.
  package var warnings: [RecordingWarning] {
    let warnings = plausibility.warnings(of: file, conventions)
    // MCAP defines the unit of its times.
    return mcap == nil ? warnings : warnings.filter { $0.remedy?.hasPrefix("--time-unit") != true }
  }

  /// Determines from the first rows whether acceleration is in g with Apple's sign or in m/s2 with
  /// Android's.
  private mutating func detectGravityUnit() {
    var preview = self
    preview.text.detach()
    var sum = 0.0
    var count = 0
    // Errors in the first rows are reported later, when the rows are read.
    while count < 200, let sample = try? preview.next() {
      guard sample.channels.contains(.acceleration) else { continue }
      sum += sample.acceleration.norm
      count += 1
    }
    guard count > 0, sum / Double(count) < 0.4 else { return }
    for index in columns.indices where columns[index].factor == PhoneRecording.androidFactor {
      columns[index].factor = 1
    }
  }

  /// The fraction of the recording that has been read, 0 to 1.
  package var share: Double { mcap?.share ?? text.share(at: offset) ?? 0 }

  /// Returns the next row of the recording; `nil` after the last. Reading ends with the first
  /// error.
  public mutating func next() throws(RecordingError) -> Sample? {
    if mcap != nil { return try nextOfMCAP() }
    do throws(RecordingError) {
      while let start = try nextRow() {
        do throws(RecordingError) {
          guard let sample = try row(at: start), try takes(sample.timestamp, rowAt: start) else {
            continue
          }
          hasRow = true
          plausibility.add(sample)
          return sample
        } catch {
          if try readsOn(from: start) { continue }
          try leaveOut(rowAt: start, error)
        }
      }
      if !hasRow, !losses.isFinal { try endWithoutRow() }
      return nil
    } catch {
      text.detach()
      offset = text.scanner.end
      losses.firstError = nil
      losses.isFinal = true
      throw error
    }
  }

  private mutating func endWithoutRow() throws(RecordingError) {
    if let error = losses.firstError { throw error }
    // Phone apps write files for missing sensors too.
    guard conventions.isOfSeveral else { throw noRows }
    losses.isWithoutRows = true
  }

  private mutating func nextOfMCAP() throws(RecordingError) -> Sample? {
    do throws(RecordingError) {
      while let (sample, place) = try mcap?.nextRow() {
        if order == .strict, let newest, sample.timestamp < newest {
          throw RecordingError(
            .malformed, file: file,
            found: "the sample of \(MotionFormat.seconds(sample.timestamp)) s at byte \(place) is "
              + "after one of \(MotionFormat.seconds(newest)) s",
            expected: "messages in time order")
        }
        guard try takes(sample.timestamp, rowAt: place) else { continue }
        plausibility.add(sample)
        return sample
      }
      return nil
    } catch {
      mcap?.stop()
      throw error
    }
  }

  /// Returns the index at which the next row that is not empty starts; `nil` at the end.
  private mutating func nextRow() throws(RecordingError) -> Int? {
    while true {
      offset = text.scanner.afterEmptyLines(offset)
      if offset < text.scanner.end { return offset }
      guard try text.readOn(keeping: &offset) else { break }
    }
    guard let open = text.openLine, losses.openLine == nil else { return nil }
    let line = text.scanner.place(of: open.lowerBound).line
    if order == .strict {
      // An error in the last row is more specific than the missing line end of the file.
      text.acceptOpenLine()
      offset = open.lowerBound
      _ = try row(at: open.lowerBound)
      throw RecordingError(
        .malformed, file: file, line: line, found: "the last line has no end",
        expected: "a line feed", hint: "is the file cut off? remove the line, or complete it")
    }
    losses.openLine = line
    return nil
  }

  /// Reads more of the file if the row at `start` may continue beyond the text in memory, as a
  /// quoted cell can. Returns true if more was read.
  private mutating func readsOn(from start: Int) throws(RecordingError) -> Bool {
    defer { losses.isOpen = false }
    guard losses.isOpen, text.scanner.end - start <= RecordingBytes.longestLine else {
      return false
    }
    offset = start
    return try text.readOn(keeping: &offset)
  }

  private mutating func leaveOut(rowAt start: Int, _ error: RecordingError) throws(RecordingError) {
    guard order == .lenient, !losses.isFinal else { throw error }
    losses.add(error)
    if !hasRow, losses.rows > Self.mostUnreadable, let first = losses.firstError { throw first }
    offset = text.scanner.nextLine(start)
  }
}

// The order of rows.
extension RecordingReader {
  /// Returns false if the row of the recording must be skipped.
  private mutating func takes(_ timestamp: Timestamp, rowAt start: Int) throws(RecordingError)
    -> Bool
  {
    defer { newest = max(newest ?? timestamp, timestamp) }
    guard let last = newest, timestamp < last else { return true }
    if last - timestamp <= Self.mostSkippedBack {
      skippedRows += 1
      firstSkipped = firstSkipped ?? place(ofRowAt: start)
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
        losses.isFinal = true
        let found = "\(MotionFormat.seconds(timestamp)) after \(MotionFormat.seconds(last))"
        let expected = "steps back of at most 292 years in all"
        guard mcap == nil else {
          throw RecordingError(
            .malformed, file: file, found: "a stamp is \(found) at byte \(start)",
            expected: expected)
        }
        throw error(at: start, "'timestamp' is \(found)", expected)
      }
      nanoseconds = sum.partialValue
    }
    shift = TimeSpan(nanoseconds: nanoseconds)
    stretches += 1
    firstRestart = firstRestart ?? place(ofRowAt: start)
    return true
  }

  /// Returns the line number of the row, or, in an MCAP file, the position of its message.
  private func place(ofRowAt start: Int) -> Int {
    mcap == nil ? scanner.place(of: start).line : start
  }

  /// A remark in one line about the rows so far that were unreadable or out of order; `nil` if
  /// there were no such rows.
  public var remark: String? {
    var parts: [String] = mcap?.faults.parts ?? []
    let (row, at) = mcap == nil ? ("row", "in line") : ("sample", "at byte")
    if let place = firstSkipped {
      parts.append(
        skippedRows == 1
          ? "a \(row) is earlier than the previous one and skipped, \(at) \(place)"
          : "\(skippedRows) \(row)s are earlier than the previous one and skipped, the first \(at) "
            + "\(place)")
    }
    if let place = firstRestart {
      parts.append(
        stretches == 2
          ? "time steps back by more than a second \(at) \(place); it continues after a gap"
          : "time steps back by more than a second \(stretches - 1) times, first \(at) \(place); "
            + "it continues after a gap")
    }
    parts += losses.parts
    return parts.isEmpty ? nil : "\(file): " + parts.joined(separator: "; ")
  }
}
