// SPDX-License-Identifier: Apache-2.0
internal import SystemPackage

/// The text of a recording. Only a window of the text is in memory: the current row, and complete
/// lines after it.
struct RecordingText: Sendable {
  private(set) var scanner: CellScanner
  /// True if the window in memory extends to the end of the text.
  private(set) var isComplete: Bool
  private let name: String
  private var file: RecordingFile?
  /// The position in the file at which the window in memory ends.
  private var next = 0
  private var count: Int?

  /// Creates the text of a recording that is completely in memory.
  init(_ bytes: [UInt8], file name: String) throws(RecordingError) {
    try RecordingBytes.check(bytes, file: name)
    self.name = name
    scanner = CellScanner(bytes: bytes)
    isComplete = true
    next = bytes.count
    count = bytes.count
    scanner.origin = RecordingBytes.origin(of: bytes)
    endAtLastLine(from: 0)
  }

  /// Creates the text of a file whose beginning was read. Throws if the beginning shows that it is
  /// not a recording. A pipe that must be read again is read into memory.
  init(
    _ beginning: RecordingBeginning, name: String, isReadAgain: Bool
  ) throws(RecordingError) {
    let (file, bytes) = (beginning.file, beginning.bytes)
    if isReadAgain, file.size == nil {
      try self.init(try RecordingBytes.wholePipe(bytes, file, name: name), file: name)
      return
    }
    try self.init(bytes, file: name)
    isComplete = beginning.isWhole
    self.file = isComplete ? nil : file
    count = file.size
    // The header may be longer than the window in memory.
    var start = scanner.afterBlankLines(scanner.origin)
    while scanner.end <= start, try readOn(keeping: &start) {}
  }

  /// Returns an empty text, for an MCAP recording.
  static func absent(of name: String) -> RecordingText { RecordingText(absentOf: name) }

  private init(absentOf name: String) {
    self.name = name
    scanner = CellScanner(bytes: [])
    isComplete = true
  }

  /// Returns the fraction of the file, 0 to 1, before the byte at `offset` of the window; `nil` for
  /// a pipe.
  func share(at offset: Int) -> Double? {
    guard let count else { return nil }
    return min(1, Double(next - (scanner.bytes.count - offset)) / Double(max(count, 1)))
  }

  /// Reads the next part of the text and removes the bytes before `offset`, the start of a row.
  /// Updates `offset` so that it still refers to that row. Returns false at the end of the text.
  mutating func readOn(keeping offset: inout Int) throws(RecordingError) -> Bool {
    guard !isComplete, let file else { return false }
    scanner.drop(before: offset)
    offset = 0
    let known = scanner.bytes.count
    do throws(Errno) {
      isComplete = try !file.read(from: next, into: &scanner.bytes)
    } catch { throw RecordingBytes.unreadable(name, error) }
    next += scanner.bytes.count - known
    endAtLastLine(from: known)
    if scanner.bytes.count - scanner.end > RecordingBytes.longestLine {
      throw RecordingError(
        .malformed, file: name, line: scanner.place(of: scanner.end).line,
        found: "the line has more than \(RecordingBytes.longestLine) bytes",
        expected: "a recording's CSV text")
    }
    return true
  }

  /// Stops reading the file.
  mutating func detach() {
    file = nil
    isComplete = true
    scanner.bytes.removeSubrange(scanner.end...)
  }

  /// Treats a last line without a line end as a row.
  mutating func acceptOpenLine() { scanner.end = scanner.bytes.count }

  /// Sets the character that separates the recording's cells.
  mutating func separate(by separator: UInt8) { scanner.separator = separator }

  /// The last line, if it is not empty and has no line end; otherwise `nil`. Such a line may be
  /// incomplete.
  var openLine: Range<Int>? {
    let rest = scanner.end..<scanner.bytes.count
    return isComplete && scanner.bytes[rest].contains { !CellScanner.isBlank($0) } ? rest : nil
  }

  private mutating func endAtLastLine(from start: Int) {
    if let last = scanner.bytes[start...].lastIndex(of: UInt8(ascii: "\n")) {
      scanner.end = last + 1
    } else if start == 0 {
      scanner.end = 0
    }
  }
}

/// The beginning of a recording's file, which determines the format.
struct RecordingBeginning {
  let file: RecordingFile
  private(set) var bytes: [UInt8] = []
  /// True if the beginning of the recording is the whole file.
  private(set) var isWhole = false

  /// Opens the recording at `path`. Errors name it `name`.
  init(path: String, name: String) throws(RecordingError) {
    do throws(Errno) {
      file = try RecordingFile(path)
      // A read from a pipe may return only a few bytes, so several reads are needed.
      while bytes.count < RecordingBytes.head, !isWhole {
        isWhole = try !file.read(from: bytes.count, into: &bytes)
      }
    } catch { throw RecordingBytes.unreadable(name, error) }
  }
}
