// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackage

/// Writes a file as a whole or not at all: into a file without a name, which takes its place on
/// `commit` and vanishes without, whatever ends the process. (A file system that has no such, NFS
/// and FAT, is given a temporary file beside it, which a signal may leave there.) Where the target
/// is no ordinary file ("-" for standard output, a pipe, a device, an open descriptor by its name)
/// bytes go straight through, for there is nothing to put in its place. A link stays one: what it
/// leads to is replaced, or made.
public struct FileWriter: ~Copyable, Sendable {
  private let opened: Opened
  private var isOpen: Bool
  private var isCommitted: Bool

  /// Opens `path` for writing; "-" is standard output. Nothing that is there already is touched
  /// before `commit`. `permissions` are those of the file, whatever the umask; `nil`: those of the
  /// file that is replaced, else the usual. What root replaces stays its owner's.
  /// `followsLinks: false` refuses a link, for files that others may have put there.
  public init(
    path: String, permissions: UInt16? = nil, followsLinks: Bool = true
  ) throws(FileWriterError) {
    // All or nothing: a value that throws half made could not be destroyed.
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
        // The buffer lives for the call alone; write reads no further than its count.
        written += try unsafe bytes.withUnsafeBytes {
          try unsafe opened.descriptor.write(UnsafeRawBufferPointer(rebasing: $0[written...]))
        }
      } catch {
        throw failure(error)
      }
    }
  }

  /// Puts what was written in the place of the target.
  public consuming func commit() throws(FileWriterError) {
    guard let temporary = opened.temporary else {
      isCommitted = true
      return
    }
    // The content must be on the disk before the name points to it, or a power cut leaves an empty
    // file.
    if fsync(opened.descriptor.rawValue) != 0 { throw failure(Errno(rawValue: errno)) }
    let name: String?
    do throws(Errno) { name = try temporary.name(for: opened) } catch { throw failure(error) }
    isOpen = false
    do { try opened.descriptor.close() } catch { throw failure(error) }
    // The strings live for the call alone.
    if let name, unsafe rename(name, opened.target) != 0 {
      let error = Errno(rawValue: errno)
      unsafe unlink(name)  // as above
      throw failure(error)
    }
    isCommitted = true
  }

  private func failure(_ error: any Error) -> FileWriterError {
    if error as? Errno == .brokenPipe {
      return FileWriterError(
        .readerGone, file: opened.target, reason: "nobody reads the pipe any more")
    }
    return FileWriterError(.failed, file: opened.target, reason: "\(error)")
  }

  deinit {
    // There is no caller left to hear of an error here, and a file that is not committed is to
    // vanish anyway.
    if isOpen, opened.isOurs { try? opened.descriptor.close() }
    // The string lives for the call alone.
    if case .named(let name)? = opened.temporary, !isCommitted { unsafe unlink(name) }
  }
}
