// SPDX-License-Identifier: Apache-2.0
internal import SystemPackage

/// A file that is read in parts, because the size of pipes and devices is unknown and some never
/// end.
struct FileParts: ~Copyable {
  private let descriptor: FileDescriptor
  private var part: [UInt8]

  init(_ path: String) throws(Errno) {
    let opened: FileDescriptor
    do {
      opened = try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
    }  // no other error type is thrown
    catch { throw error as? Errno ?? .ioError }
    descriptor = opened
    part = [UInt8](repeating: 0, count: 1 << 18)
  }

  /// Adds the next part of the file to `bytes`. Returns false at the end of the file.
  mutating func read(into bytes: inout [UInt8]) throws(Errno) -> Bool {
    do {
      // read(2) does not keep the buffer's pointer, and writes at most its size.
      let count = try unsafe part.withUnsafeMutableBytes {
        try unsafe descriptor.read(into: $0)
      }
      bytes += part[..<count]
      return count > 0
    } catch { throw error as? Errno ?? .ioError }
  }

  // The bytes that were read before the error are returned. The next read gives the error again.
  deinit { try? descriptor.close() }
}

/// The reading of a file whose size is limited.
package enum BoundedFile {
  package enum Reading {
    case bytes([UInt8])
    /// The file that was read has more than `most` bytes.
    case tooLarge(most: Int)
    case failed
  }

  /// Reads the file at `path`. `most` returns the limit of the size for a file that begins with the
  /// given bytes.
  package static func read(_ path: String, most: ([UInt8]) -> Int) -> Reading {
    var bytes: [UInt8] = []
    do throws(Errno) {
      var parts = try FileParts(path)
      while try parts.read(into: &bytes) {
        let most = most(bytes)
        if bytes.count > most { return .tooLarge(most: most) }
      }
    } catch { return .failed }
    return .bytes(bytes)
  }
}
