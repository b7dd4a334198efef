// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackage

/// An open file that is read in parts. A regular file is read at any position, by each copy of a
/// reader independently. A pipe is read once, in order.
final class RecordingFile: Sendable {
  private let descriptor: FileDescriptor
  /// The size of the file in bytes; `nil` for a pipe or a terminal.
  let size: Int?
  private static let part = 1 << 18

  init(_ path: String) throws(Errno) {
    do {
      descriptor = try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
    }  // no other error type is thrown
    catch { throw error as? Errno ?? .ioError }
    size = (try? descriptor.seek(offset: 0, from: .end)).flatMap { Int(exactly: $0) }
  }

  /// Creates an empty file without a name, which is deleted when the process ends. /tmp is the last
  /// choice, because it is often in memory.
  init(temporaryIn folder: String?) throws(Errno) {
    size = nil
    var failure = Errno.noSuchFileOrDirectory
    for folder in [folder, "/var/tmp", "/tmp"].compactMap(\.self) {
      let path = FilePath("\(folder)/otolith-\(UInt64.random(in: 0 ... .max))")
      do {
        descriptor = try FileDescriptor.open(
          path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
          permissions: .ownerReadWrite)
      } catch {
        failure = error as? Errno ?? .ioError
        continue
      }
      unsafe unlink("\(path)")  // the C function keeps no pointer
      return
    }
    throw failure
  }

  /// Appends the part at `offset` to `bytes`. Returns false at the end of the file.
  func read(from offset: Int, into bytes: inout [UInt8]) throws(Errno) -> Bool {
    var part = [UInt8](repeating: 0, count: Self.part)
    do {
      // read(2) does not keep the buffer's pointer, and writes at most its size.
      let count = try unsafe part.withUnsafeMutableBytes {
        size == nil
          ? try unsafe descriptor.read(into: $0)
          : try unsafe descriptor.read(fromAbsoluteOffset: Int64(offset), into: $0)
      }
      bytes += part[..<count]
      return count > 0
    } catch { throw error as? Errno ?? .ioError }
  }

  /// Returns the `count` bytes of a regular file at `offset`, or fewer if the file ends before.
  func bytes(at offset: Int, _ count: Int) throws(Errno) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: max(count, 0))
    var done = 0
    do {
      while done < bytes.count {
        // read(2) does not keep the buffer's pointer, and writes at most its size.
        let read = try unsafe bytes.withUnsafeMutableBytes {
          try unsafe descriptor.read(
            fromAbsoluteOffset: Int64(offset + done),
            into: UnsafeMutableRawBufferPointer(rebasing: $0[done...]))
        }
        if read == 0 { break }
        done += read
      }
    } catch { throw error as? Errno ?? .ioError }
    bytes.removeLast(bytes.count - done)
    return bytes
  }

  func append(_ bytes: [UInt8]) throws(Errno) {
    do {
      // write(2) does not keep the bytes' pointer, and reads at most their number.
      _ = try unsafe bytes.withUnsafeBytes { try unsafe descriptor.writeAll($0) }
    } catch { throw error as? Errno ?? .ioError }
  }

  // The bytes that were read before the error are returned. The next read gives the error again.
  deinit { try? descriptor.close() }
}
