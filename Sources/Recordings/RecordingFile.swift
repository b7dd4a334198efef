// SPDX-License-Identifier: Apache-2.0
internal import SystemPackage

/// An open file that is read in parts: a regular one from any place, by each copy of a reader for
/// itself; a pipe once, in order.
final class RecordingFile: Sendable {
  private let descriptor: FileDescriptor
  /// In bytes; `nil` of a pipe or a terminal.
  let size: Int?
  private static let part = 1 << 18

  init(_ path: String) throws(Errno) {
    do {
      descriptor = try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
    }  // It throws nothing else.
    catch { throw error as? Errno ?? .ioError }
    size = (try? descriptor.seek(offset: 0, from: .end)).flatMap { Int(exactly: $0) }
  }

  /// Appends the part from `offset` on to `bytes`; returns false at the end.
  func read(from offset: Int, into bytes: inout [UInt8]) throws(Errno) -> Bool {
    var part = [UInt8](repeating: 0, count: Self.part)
    do {
      // The buffer lives for the call alone; read writes no further than its count.
      let count = try unsafe part.withUnsafeMutableBytes {
        size == nil
          ? try unsafe descriptor.read(into: $0)
          : try unsafe descriptor.read(fromAbsoluteOffset: Int64(offset), into: $0)
      }
      bytes += part[..<count]
      return count > 0
    } catch { throw error as? Errno ?? .ioError }
  }

  // What was read is not lost by an error now.
  deinit { try? descriptor.close() }
}
