// SPDX-License-Identifier: Apache-2.0
internal import SystemPackage

/// A recording's file as bytes, and what can be said of a file before its first line is read.
enum RecordingBytes {
  /// All bytes of the file at `path`, which may be a pipe.
  static func read(_ path: String) throws(RecordingError) -> [UInt8] {
    do {
      let descriptor = try FileDescriptor.open(FilePath(path), .readOnly)
      return try descriptor.closeAfter {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while true {
          // The buffer lives for the call alone; read writes no further than its count.
          let count = try unsafe chunk.withUnsafeMutableBytes {
            try unsafe descriptor.read(into: $0)
          }
          if count == 0 { return bytes }
          bytes += chunk[..<count]
        }
      }
    } catch let error as Errno {
      throw unreadable(path, error)
    } catch {
      throw RecordingError(.noInput, file: path, found: "cannot be read: \(error)")
    }
  }

  private static func unreadable(_ path: String, _ error: Errno) -> RecordingError {
    var (found, expected, hint): (String, String?, String?) = ("", nil, nil)
    switch error {
    case .noSuchFileOrDirectory: found = "no such file"
    case .isDirectory: (found, expected) = ("is a directory", "a recording's CSV file")
    case .permissionDenied: (found, hint) = ("no permission to read it", "see: ls -l \(path)")
    default: found = "cannot be read: \(error)"
    }
    return RecordingError(.noInput, file: path, found: found, expected: expected, hint: hint)
  }

  /// Refuses what is no text at all by its first bytes.
  static func check(_ bytes: [UInt8], file: String) throws(RecordingError) {
    var (found, expected, hint): (String?, String?, String?) = (nil, "a recording's CSV text", nil)
    if bytes.allSatisfy({ $0 == 0x0A || $0 == 0x0D || $0 == 0x20 }) {
      (found, expected) = ("the file is empty", "a header row with 'timestamp'")
    } else if bytes.starts(with: [0x1F, 0x8B]) {
      (found, hint) = ("the file is packed by gzip", "unpack it first: gunzip -k \(file)")
    } else if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      (found, hint) = ("the text is UTF-16", "save it as UTF-8")
    } else if bytes.prefix(4096).contains(0) {
      found = "the file is binary"
    }
    guard let found else { return }
    throw RecordingError(.malformed, file: file, found: found, expected: expected, hint: hint)
  }
}
