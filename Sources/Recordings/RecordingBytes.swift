// SPDX-License-Identifier: Apache-2.0
internal import SystemPackage

/// A recording's file as bytes, and what can be said of a file before its first line is read.
enum RecordingBytes {
  /// The longest line in bytes, looked at where a part of the file ends: a line may have one part
  /// more before it is refused.
  static let longestLine = 1 << 18
  /// The largest recording in bytes, as it is held in memory: some hours at 1 kHz.
  static let largest = 1 << 30
  /// Bytes after which the header must have been there.
  private static let head = 1 << 16

  /// All bytes of the file at `path`, which may be a pipe. What is no recording is refused as soon
  /// as that is seen: it may have no end.
  static func read(
    _ path: String, _ conventions: RecordingConventions = RecordingConventions()
  ) throws(RecordingError) -> [UInt8] {
    var bytes: [UInt8] = []
    var fault: RecordingError?
    do throws(Errno) {
      var parts = try FileParts(path)
      var isChecked = false
      while fault == nil {
        guard try parts.read(into: &bytes) else { break }
        if !isChecked, bytes.count >= head {
          isChecked = true
          fault = faultOfHead(bytes, file: path, conventions)
        }
        fault = fault ?? faultOfSize(bytes, file: path)
      }
    } catch { throw unreadable(path, error) }
    if let fault { throw fault }
    return MCAPReader.begins(bytes) ? try MCAPRecording.text(of: bytes, file: path) : bytes
  }

  /// `nil` where a recording begins in this way.
  private static func faultOfHead(
    _ bytes: [UInt8], file: String, _ conventions: RecordingConventions
  ) -> RecordingError? {
    if MCAPReader.begins(bytes) { return nil }
    do throws(RecordingError) {
      try check(bytes, file: file)
      _ = try RecordingHeader(
        CellScanner(bytes: bytes), origin: origin(of: bytes), file: file, conventions)
      return nil
    } catch { return error }
  }

  /// `nil` where neither the last line nor the whole is too long.
  private static func faultOfSize(_ bytes: [UInt8], file: String) -> RecordingError? {
    if bytes.count > largest {
      return RecordingError(
        .malformed, file: file, found: "the recording has more than \(largest) bytes",
        hint: "split it")
    }
    if MCAPReader.begins(bytes) { return nil }
    let window = bytes.suffix(longestLine + 1)
    guard window.count > longestLine, !window.contains(UInt8(ascii: "\n")) else { return nil }
    return RecordingError(
      .malformed, file: file,
      line: bytes.count { $0 == UInt8(ascii: "\n") } + 1,
      found: "the line has more than \(longestLine) bytes", expected: "a recording's CSV text")
  }

  /// Behind the byte order mark.
  static func origin(of bytes: [UInt8]) -> Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

  private static func unreadable(_ path: String, _ error: Errno) -> RecordingError {
    var (found, expected, hint): (String, String?, String?) = ("", nil, nil)
    var kind = RecordingError.Kind.noInput
    switch error {
    case .noSuchFileOrDirectory: found = "no such file"
    case .isDirectory: (found, expected) = ("is a directory", "a recording's CSV file")
    case .permissionDenied:
      (kind, found, hint) = (.denied, "no permission to read it", "see: ls -l \(path)")
    default: found = "cannot be read: \(error)"
    }
    return RecordingError(kind, file: path, found: found, expected: expected, hint: hint)
  }

  /// Refuses by its first bytes what is no text at all, or another text of ours.
  static func check(_ bytes: [UInt8], file: String) throws(RecordingError) {
    var (found, expected, hint): (String?, String?, String?) = (nil, "a recording's CSV text", nil)
    if bytes.allSatisfy({ $0 == 0x0A || $0 == 0x0D || $0 == 0x20 }) {
      (found, expected) = ("the file is empty", "a header row with 'timestamp'")
    } else if bytes.starts(with: [0x1F, 0x8B]) {
      (found, hint) = ("the file is packed by gzip", "unpack it first: gunzip -k \(file)")
    } else if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      (found, hint) = ("the text is UTF-16", "save it as UTF-8")
    } else if bytes.starts(with: "SQLite format 3\0".utf8) {
      (found, hint) = (
        "a bag of ROS 2 in SQLite", "ros2 bag convert, or rosbags-convert of PyPI, makes it MCAP"
      )
    } else if bytes.prefix(4096).contains(0) {
      found = "the file is binary"
    } else if bytes.dropFirst(origin(of: bytes)).starts(with: "otolith-trace:".utf8) {
      (found, expected) = ("a trace of a board's buses", "a recording of samples")
      hint = "otolith trace play \(file) turns it into one"
    } else if let first = bytes.first(where: { $0 > 0x20 }), "{[".utf8.contains(first) {
      // Motion begins with its time, and has an attitude soon.
      let head = String(decoding: bytes.prefix(4096), as: UTF8.self)
      if head.contains("\"attitude.w\":") || head.contains("\"userAcceleration.x\":") {
        throw RecordingHeader.motionFile(file, line: nil)
      }
      found = "the text is JSON"
    }
    guard let found else { return }
    throw RecordingError(.malformed, file: file, found: found, expected: expected, hint: hint)
  }
}
