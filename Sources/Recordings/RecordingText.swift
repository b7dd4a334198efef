// SPDX-License-Identifier: Apache-2.0
internal import SystemPackage

/// The text of a recording: a window of it is in memory, from the row that is read to some whole
/// lines after it.
struct RecordingText: Sendable {
  private(set) var scanner: CellScanner
  /// True where the window reaches to the end of the text.
  private(set) var isComplete: Bool
  private let name: String
  private var file: RecordingFile?
  /// The place in the file behind the window.
  private var next = 0
  private var count: Int?

  /// A text that is in memory.
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

  /// The text in the file that begins so. What is no recording is refused by its beginning. A pipe
  /// that is to be read again is read into memory.
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
    // The header may be longer.
    var start = scanner.afterBlankLines(scanner.origin)
    while scanner.end <= start, try readOn(keeping: &start) {}
  }

  /// No text, of a recording that is none.
  static func absent(of name: String) -> RecordingText { RecordingText(absentOf: name) }

  private init(absentOf name: String) {
    self.name = name
    scanner = CellScanner(bytes: [])
    isComplete = true
  }

  /// The part before the byte at `offset` of the window, 0 to 1; `nil` of a pipe.
  func share(at offset: Int) -> Double? {
    guard let count else { return nil }
    return min(1, Double(next - (scanner.bytes.count - offset)) / Double(max(count, 1)))
  }

  /// Reads the next part, and leaves out what is before `offset`, which is the begin of a row and
  /// stays its place. Returns false where the text is at its end.
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

  /// Reads no further: what follows is left to others.
  mutating func detach() {
    file = nil
    isComplete = true
    scanner.bytes.removeSubrange(scanner.end...)
  }

  /// Makes the last line a row.
  mutating func acceptOpenLine() { scanner.end = scanner.bytes.count }

  /// Reads rows in cells with `separator` between.
  mutating func separate(by separator: UInt8) { scanner.separator = separator }

  /// The last line, which has no end, where there is something in it: it may be cut.
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

/// The begin of a recording's file, by which its format is known.
struct RecordingBeginning {
  let file: RecordingFile
  private(set) var bytes: [UInt8] = []
  /// True where the file has no more.
  private(set) var isWhole = false

  /// Opens the file at `path`, which is called `name` in errors.
  init(path: String, name: String) throws(RecordingError) {
    do throws(Errno) {
      file = try RecordingFile(path)
      // A pipe brings less at once.
      while bytes.count < RecordingBytes.head, !isWhole {
        isWhole = try !file.read(from: bytes.count, into: &bytes)
      }
    } catch { throw RecordingBytes.unreadable(name, error) }
  }
}
