// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackage

/// The descriptor of a log file, which is new or replaces an existing file.
struct LogDescriptor: ~Copyable {
  /// The name of the file.
  let path: String
  let descriptor: FileDescriptor
  /// True for a file, false for a pipe or a device, to which lines are written immediately.
  let isOrdinary: Bool
  /// True if this descriptor created the log file.
  let isNew: Bool

  /// Opens the log file `path`, which must be new unless `replaces`; "-" is standard output. A file
  /// that existed before keeps its content until `begin`.
  init(path: String, replaces: Bool, appends: Bool) throws(FileWriterError) {
    let name = path == "-" ? "standard output" : path
    let opened: (descriptor: FileDescriptor, isNew: Bool)
    do throws(Errno) { opened = try Self.open(path, appends) } catch {
      throw FileWriterError(.cannotCreate, file: path, reason: "\(error)")
    }
    var status = stat()
    // The C function does not keep the structure's pointer.
    let isKnown = unsafe fstat(opened.descriptor.rawValue, &status) == 0
    let isOrdinary = path != "-" && isKnown && status.st_mode & S_IFMT == S_IFREG
    if isOrdinary, !opened.isNew, !replaces {
      try? opened.descriptor.close()
      throw FileWriterError(
        .cannotCreate, file: path, reason: "it exists already; --force replaces it")
    }
    // The log file is locked, because two writers would mix their lines. The lock ends when the
    // descriptor is closed. File systems without locks are used without a lock.
    if isOrdinary, flock(opened.descriptor.rawValue, LOCK_EX | LOCK_NB) != 0,
      errno == EWOULDBLOCK
    {
      try? opened.descriptor.close()
      throw FileWriterError(
        .cannotCreate, file: path, reason: "another log is being written to it")
    }
    self.path = name
    descriptor = opened.descriptor
    self.isOrdinary = isOrdinary
    isNew = opened.isNew
  }

  deinit { if descriptor != .standardOutput { try? descriptor.close() } }

  private static func open(
    _ path: String, _ appends: Bool
  ) throws(Errno) -> (FileDescriptor, isNew: Bool) {
    if path == "-" || path == "/dev/stdout" { return (.standardOutput, false) }
    var options: FileDescriptor.OpenOptions = [.closeOnExec]
    if appends { options.insert(.append) }
    do {
      do {
        let new = try FileDescriptor.open(
          FilePath(path), .writeOnly, options: options.union([.create, .exclusiveCreate]),
          permissions: FilePermissions(rawValue: 0o644))
        return (new, true)
      } catch Errno.fileExists {
        // A file or named pipe that exists is opened without being truncated. O_NOCTTY prevents a
        // terminal from becoming the controlling terminal.
        let old = try FileDescriptor.open(
          FilePath(path), .writeOnly,
          options: options.union(FileDescriptor.OpenOptions(rawValue: O_NOCTTY)))
        return (old, false)
      }
    } catch { throw error as? Errno ?? .ioError }
  }

  /// Truncates the file that is replaced. The function is called when there is new content for the
  /// file.
  func begin() throws(FileWriterError) {
    if isOrdinary, !isNew, ftruncate(descriptor.rawValue, 0) != 0 {
      throw failure(Errno(rawValue: errno))
    }
  }

  func failure(_ error: Errno, _ more: String = "") -> FileWriterError {
    FileWriterError(
      error == .brokenPipe ? .readerGone : .failed, file: path, reason: "\(error)\(more)")
  }

  /// Flushes the log file to the disk. Throws if the disk fails, because the kernel reports such an
  /// error only once. Pipes are not flushed.
  func sync() throws(FileWriterError) {
    guard isOrdinary, fdatasync(descriptor.rawValue) != 0 else { return }
    throw failure(Errno(rawValue: errno))
  }

  /// Removes the log file that this descriptor created.
  func remove() {
    if isNew { unsafe unlink(path) }  // the C function keeps no pointer
  }
}
