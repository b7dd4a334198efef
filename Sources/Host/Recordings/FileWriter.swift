// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackage

/// A writer that replaces a file atomically. The writer writes to a file without a name, which
/// replaces the target on `commit` and otherwise disappears, however the process ends. (On file
/// systems without such files, such as NFS and FAT, it uses a temporary file in the same folder,
/// which may remain after a signal.)
///
/// If the target is not a regular file ("-" for standard output, a pipe, a device, the name of an
/// open descriptor), bytes are written to the target directly. Links are followed: their target is
/// replaced or created.
public struct FileWriter: ~Copyable, Sendable {
  private let opened: Opened
  private var isOpen: Bool
  private var isCommitted: Bool

  /// Opens `path` for writing; "-" is standard output. An existing file does not change before
  /// `commit`. `permissions` are set whatever the umask is; `nil` means the permissions of the
  /// replaced file, or the default. A file that root replaces keeps its owner. With `followsLinks:
  /// false` a link is an error, for folders in which other users can create files.
  public init(
    path: String, permissions: UInt16? = nil, followsLinks: Bool = true
  ) throws(FileWriterError) {
    // All fields are set at the end, because Swift cannot destroy a partly initialised noncopyable
    // value.
    let descriptor = try Opened.descriptor(named: path)
    let opened =
      if let descriptor { descriptor } else { try Place(path, followsLinks).open(permissions) }
    self.opened = opened
    isOpen = true
    isCommitted = false
  }

  /// Writes all of `bytes`.
  public mutating func write(_ bytes: [UInt8]) throws(FileWriterError) {
    var written = 0
    while written < bytes.count {
      do {
        // write(2) does not keep the buffer's pointer, and reads at most its size.
        written += try unsafe bytes.withUnsafeBytes {
          try unsafe opened.descriptor.write(UnsafeRawBufferPointer(rebasing: $0[written...]))
        }
      } catch {
        throw failure(error)
      }
    }
  }

  /// Replaces the target file with the file that was written.
  public consuming func commit() throws(FileWriterError) {
    guard let temporary = opened.temporary else {
      isCommitted = true
      return
    }
    // The content of a file must be on the disk before the name refers to that content; otherwise a
    // power failure could leave an empty file.
    if fsync(opened.descriptor.rawValue) != 0 { throw failure(Errno(rawValue: errno)) }
    let name: String?
    do throws(Errno) { name = try temporary.name(for: opened) } catch { throw failure(error) }
    isOpen = false
    do { try opened.descriptor.close() } catch { throw failure(error) }
    // The C function does not keep the strings' pointers.
    if let name, unsafe rename(name, opened.target) != 0 {
      let error = Errno(rawValue: errno)
      unsafe unlink(name)  // the C function keeps no pointer
      throw failure(error)
    }
    isCommitted = true
  }

  private func failure(_ error: any Error) -> FileWriterError {
    if error as? Errno == .brokenPipe {
      return FileWriterError(
        .readerGone, file: opened.target, reason: "the reader has closed the pipe")
    }
    return FileWriterError(.failed, file: opened.target, reason: "\(error)")
  }

  deinit {
    // Errors cannot be reported here, and a file without a commit disappears in any case.
    if isOpen, opened.isOurs { try? opened.descriptor.close() }
    // The C function does not keep the string's pointer.
    if case .named(let name)? = opened.temporary, !isCommitted { unsafe unlink(name) }
  }
}
