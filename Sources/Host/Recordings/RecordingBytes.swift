// SPDX-License-Identifier: Apache-2.0
internal import SystemPackage

/// The bytes of a recording's file, and checks that are made before its first line is parsed.
enum RecordingBytes {
  /// The longest line in bytes. The length is checked after each part of the file, so a line may
  /// exceed this limit by one part before the line is rejected.
  static let longestLine = 1 << 18
  /// The largest number of bytes of a recording in a pipe that is kept in memory.
  static let largestPipe = 1 << 26
  /// The largest number of bytes of a recording before the end of its header.
  static let head = 1 << 16

  /// Reads all bytes of a pipe, whose first bytes are `bytes`.
  static func wholePipe(
    _ bytes: [UInt8], _ file: RecordingFile, name: String
  ) throws(RecordingError) -> [UInt8] {
    try check(bytes, file: name)
    var bytes = bytes
    do throws(Errno) {
      while bytes.count <= largestPipe, try file.read(from: bytes.count, into: &bytes) {}
    } catch { throw unreadable(name, error) }
    guard bytes.count <= largestPipe else {
      throw RecordingError(
        .malformed, file: name, found: "the pipe has more than \(largestPipe) bytes",
        expected: "less, because it is played from memory", hint: "write it to a file first")
    }
    return bytes
  }

  /// Returns the index of the first byte after a byte order mark of a recording.
  static func origin(of bytes: [UInt8]) -> Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

  static func unreadable(_ path: String, _ error: Errno) -> RecordingError {
    var (found, expected, hint): (String, String?, String?) = ("", nil, nil)
    var kind = RecordingError.Kind.noInput
    switch error {
    case .noSuchFileOrDirectory: found = "no such file"
    case .isDirectory: (found, expected) = ("is a directory", "a recording's CSV file")
    case .permissionDenied:
      (kind, found, hint) = (.denied, "no permission to read it", "see: ls -l \(path)")
    default: found = "cannot be read: \(error)"
    }
    if path == "-" { hint = "standard input is /dev/stdin" }
    if path.isEmpty {
      (found, hint) = ("an empty name", "is a shell variable unset?")
    }
    return RecordingError(
      kind, file: path.isEmpty ? "''" : path, found: found, expected: expected, hint: hint)
  }

  /// A kind of file that users pass instead of a recording, recognised by its first bytes.
  private struct FileKind {
    let begin: [UInt8]
    let found: String
    /// The hint for users about a file of this kind. `#` stands for the file's name.
    let hint: String

    static let all = [
      FileKind(
        begin: [0x1F, 0x8B], found: "the file is packed by gzip",
        hint: "unpack it first: gunzip -k #"),
      FileKind(
        begin: Array("PK\u{3}\u{4}".utf8), found: "the file is a zip archive (or a workbook)",
        hint: "unpack it first and name the CSV files in it: unzip #"),
      FileKind(
        begin: [0xD0, 0xCF, 0x11, 0xE0], found: "the file is a workbook of Excel",
        hint: "save it as CSV"),
      FileKind(
        begin: [0xFD, 0x37, 0x7A, 0x58, 0x5A], found: "the file is packed by xz",
        hint: "unpack it first: unxz -k #"),
      FileKind(
        begin: Array("BZh".utf8), found: "the file is compressed with bzip2",
        hint: "unpack it first: bunzip2 -k #"),
      FileKind(
        begin: [0x28, 0xB5, 0x2F, 0xFD], found: "the file is packed by zstd",
        hint: "unpack it first: unzstd #"),
      FileKind(
        begin: [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], found: "the file is compressed with 7-Zip",
        hint: "unpack it first: 7z x #"),
      FileKind(
        begin: Array("PAR1".utf8), found: "a table of Parquet", hint: "write it as CSV first"),
      FileKind(
        begin: Array("ARROW1".utf8), found: "a table of Arrow (Feather)",
        hint: "write it as CSV first"),
      FileKind(
        begin: [0x89] + Array("HDF\r\n".utf8), found: "a file of HDF5",
        hint: "write its tables as CSV first"),
      FileKind(
        begin: Array("MATLAB".utf8), found: "a file of MATLAB", hint: "writetable makes it CSV"),
      FileKind(
        begin: Array("ULog".utf8), found: "a log of PX4",
        hint: "ulog2csv of PyPI's pyulog makes it CSV"),
      FileKind(
        begin: [0xA3, 0x95, 0x80], found: "a log of ArduPilot",
        hint: "mavlogdump.py of PyPI's pymavlink makes it CSV"),
      FileKind(begin: [0xFF, 0xFE], found: "the text is UTF-16", hint: "save it as UTF-8"),
      FileKind(begin: [0xFE, 0xFF], found: "the text is UTF-16", hint: "save it as UTF-8"),
      FileKind(
        begin: Array("#ROSBAG".utf8), found: "a bag of ROS 1",
        hint: "rosbags-convert of PyPI makes it MCAP"),
      FileKind(
        begin: Array("SQLite format 3\0".utf8), found: "a bag of ROS 2 in SQLite",
        hint: "ros2 bag convert, or rosbags-convert of PyPI, makes it MCAP"),
    ]
  }

  /// A text file of this project that is not a recording, recognised by the first word of a line.
  private struct TextOfOurs {
    let key: String
    let found: String
    /// The hint for users about a file of this kind. `#` stands for the file's name.
    let hint: String

    static let all = [
      TextOfOurs(
        key: "otolith-trace:", found: "a trace of a board's buses",
        hint: "otolith trace play # turns it into one"),
      TextOfOurs(
        key: "otolith-board:", found: "a board file",
        hint: "otolith run --board # shows the board's motion"),
      TextOfOurs(
        key: "otolith-calibration:", found: "the calibration of a board",
        hint: "it belongs to its board file"),
      TextOfOurs(
        key: "otolith-learned:", found: "what fusion learned of a board",
        hint: "it belongs to its board file"),
    ]

    /// Returns true if one of the first lines begins with the key by which the file is recognised.
    /// Comments may precede that line.
    func begins(_ bytes: [UInt8]) -> Bool {
      let text = String(decoding: bytes.dropFirst(origin(of: bytes)).prefix(4096), as: UTF8.self)
      return text.split(whereSeparator: \.isNewline).contains { $0.hasPrefix(key) }
    }
  }

  /// Throws if the first bytes show that a file is not text, or that it is another file of this
  /// project.
  static func check(_ bytes: [UInt8], file: String) throws(RecordingError) {
    var (found, expected, hint): (String?, String?, String?) = (nil, "a recording's CSV text", nil)
    if bytes.allSatisfy({ $0 == 0x0A || $0 == 0x0D || $0 == 0x20 }) {
      (found, expected) = ("the file is empty", "a header row with 'timestamp'")
    } else if let kind = FileKind.all.first(where: { bytes.starts(with: $0.begin) }) {
      (found, hint) = (kind.found, kind.hint.replacing("#", with: file))
    } else if bytes.prefix(4096).contains(0) {
      found = "the file is binary"
    } else if !bytes.contains(0x0A), let end = bytes.firstIndex(of: 0x0D), end < bytes.count - 1 {
      (found, expected) = ("its lines end in CR alone", "lines that end in LF or CR LF")
      hint = "tr '\\r' '\\n' < \(file) > lines.csv turns them into such"
    } else if let ours = TextOfOurs.all.first(where: { $0.begins(bytes) }) {
      (found, expected) = (ours.found, "a recording of samples")
      hint = ours.hint.replacing("#", with: file)
    } else if let first = bytes.first(where: { $0 > 0x20 }), "{[".utf8.contains(first) {
      // A file of motion begins with the time and then the attitude.
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
