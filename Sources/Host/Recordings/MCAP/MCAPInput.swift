// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackage

/// The bytes of an MCAP file, at any position. A pipe is copied into a temporary file first,
/// because the summary is at the end.
struct MCAPInput: Sendable {
  private enum Storage: Sendable {
    case memory([UInt8])
    case file(RecordingFile)
  }

  private let storage: Storage
  /// The MCAP file as errors name it.
  let file: String
  /// The size of the file in bytes when it was opened.
  let size: Int

  /// The largest number of bytes that are copied from a pipe.
  private static let largestPipe = 1 << 30
  /// The longest header record in bytes. The record contains the profile and the name of the
  /// library.
  private static let longestHeader: UInt64 = 1 << 20

  /// Returns true if the bytes begin with the magic of MCAP.
  static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: MCAPRecord.magic) }

  /// Creates the input of an MCAP reader from `bytes` in memory.
  init(_ bytes: [UInt8], file: String) {
    storage = .memory(bytes)
    self.file = file
    size = bytes.count
  }

  /// Creates the input of an MCAP reader from the file `opened`, whose first bytes are `head`.
  init(_ opened: RecordingFile, head: [UInt8], file: String) throws(RecordingError) {
    self.file = file
    if let size = opened.size {
      storage = .file(opened)
      self.size = size
      return
    }
    // A device without an end is rejected before its copy fills the disk.
    guard head.count < 17 || Self.isHeader(head[8..<17]) else {
      throw RecordingError(
        .malformed, file: file, found: "the record at byte 8 is damaged",
        expected: "the header of an MCAP file")
    }
    var count = 0
    do throws(Errno) {
      // The path's string is copied immediately.
      let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) }
      let copy = try RecordingFile(temporaryIn: folder)
      var part = head
      var isOpen = true
      while isOpen, count <= Self.largestPipe {
        try copy.append(part)
        count += part.count
        part.removeAll(keepingCapacity: true)
        isOpen = try opened.read(from: count, into: &part)
      }
      storage = .file(copy)
    } catch {
      throw RecordingError(
        .noInput, file: file, found: "cannot be copied to a temporary file: \(error)",
        hint: "save it as a file, or set TMPDIR to a folder with enough space")
    }
    size = count
    guard count <= Self.largestPipe else {
      throw RecordingError(
        .malformed, file: file, found: "the pipe has more than \(Self.largestPipe) bytes",
        hint: "save it as a file, which may have any length")
    }
  }

  private static func isHeader(_ head: ArraySlice<UInt8>) -> Bool {
    var fields = MCAPFields(head)
    guard let kind = fields.integer(UInt8.self), let length = fields.integer(UInt64.self) else {
      return false
    }
    return kind == MCAPRecord.header.rawValue && length <= longestHeader
  }

  /// Returns the `count` bytes of the file at `place`, or fewer if the file ends before.
  func bytes(at place: Int, _ count: Int) throws(RecordingError) -> [UInt8] {
    switch storage {
    case .memory(let bytes):
      return Array(bytes[min(place, bytes.count)...].prefix(max(count, 0)))
    case .file(let opened):
      do throws(Errno) { return try opened.bytes(at: place, count) } catch {
        throw RecordingBytes.unreadable(file, error)
      }
    }
  }
}
