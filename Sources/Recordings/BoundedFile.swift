// SPDX-License-Identifier: Apache-2.0
internal import SystemPackage

/// A file that is read in parts: a pipe and a device say their size only by their end, and some
/// have none.
struct FileParts: ~Copyable {
  private let descriptor: FileDescriptor
  private var part: [UInt8]

  init(_ path: String) throws(Errno) {
    let opened: FileDescriptor
    do {
      opened = try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
    }  // It throws nothing else.
    catch { throw error as? Errno ?? .ioError }
    descriptor = opened
    part = [UInt8](repeating: 0, count: 1 << 18)
  }

  /// Adds the next part to `bytes`; returns false at the end.
  mutating func read(into bytes: inout [UInt8]) throws(Errno) -> Bool {
    do {
      // The buffer lives for the call alone; read writes no further than its count.
      let count = try unsafe part.withUnsafeMutableBytes {
        try unsafe descriptor.read(into: $0)
      }
      bytes += part[..<count]
      return count > 0
    } catch { throw error as? Errno ?? .ioError }
  }

  // What was read is not lost by an error now.
  deinit { try? descriptor.close() }
}

/// A file of which no more is read than there may be.
package enum BoundedFile {
  package enum Reading {
    case bytes([UInt8])
    /// It has more than so many bytes.
    case tooLarge(most: Int)
    case failed
  }

  /// Reads the file at `path`. `most` says how many bytes there may be, of a file that begins with
  /// the bytes that it is given.
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
