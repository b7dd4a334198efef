// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackage

/// A file of lines that grows, of which there are whole lines alone whatever happens: a full disk,
/// or the end of the process in the middle of a write.
///
/// Linux looks for a deadly signal between two pages of a write and not within one
/// (`generic_perform_write` in mm/filemap.c). So no line lies across two pages: one after which the
/// next would not fit ends where the page does, by more zeros behind its timestamp. That is why the
/// newest line waits here for the next.
final class LogFile {
  /// The name of the file.
  let path: String
  private let descriptor: FileDescriptor
  /// False for a pipe or a device, which is given what comes as it comes.
  private let isOrdinary: Bool
  /// True where this made the file.
  private let isNew: Bool
  /// Bytes in the file, and lines on their way to it.
  private var written = 0
  private var buffer: [UInt8] = []
  private var newest: [UInt8] = []
  private static let page = 4096

  /// Opens `path`, which is new, or `replaces` what is there; "-" is standard output.
  init(path: String, replaces: Bool, header: [UInt8]) throws(FileWriterError) {
    self.path = path == "-" ? "standard output" : path
    newest = header
    do throws(Errno) {
      (descriptor, isNew) = try Self.open(path)
    } catch { throw FileWriterError(.cannotCreate, file: path, reason: "\(error)") }
    var status = stat()
    // Written within the call alone.
    let isKnown = unsafe fstat(descriptor.rawValue, &status) == 0
    isOrdinary = path != "-" && isKnown && status.st_mode & S_IFMT == S_IFREG
    if isOrdinary, !isNew, !replaces {
      throw FileWriterError(
        .cannotCreate, file: path, reason: "it is there already; --force replaces it")
    }
  }

  deinit { if descriptor != .standardOutput { try? descriptor.close() } }

  private static func open(_ path: String) throws(Errno) -> (FileDescriptor, isNew: Bool) {
    if path == "-" || path == "/dev/stdout" { return (.standardOutput, false) }
    do {
      do {
        let new = try FileDescriptor.open(
          FilePath(path), .writeOnly, options: [.create, .exclusiveCreate, .append, .closeOnExec],
          permissions: FilePermissions(rawValue: 0o644))
        return (new, true)
      } catch Errno.fileExists {
        // Such as a named pipe. What is in a file stays until the first line.
        let old = try FileDescriptor.open(
          FilePath(path), .writeOnly,
          options: [.append, .closeOnExec, FileDescriptor.OpenOptions(rawValue: O_NOCTTY)])
        return (old, false)
      }
    } catch { throw error as? Errno ?? .ioError }
  }

  /// The bytes that the file has with `line`.
  func length(with line: [UInt8]) -> Int { length + gap(before: line) + line.count }

  private var length: Int { written + buffer.count + newest.count }

  /// The rest of the page, where `line` would not fit into it.
  private func gap(before line: [UInt8]) -> Int {
    guard isOrdinary, line.count <= Self.page else { return 0 }
    let room = Self.page - length % Self.page
    return room < Self.page && line.count > room ? room : 0
  }

  /// Adds a line of a `LogFormat`.
  func append(_ line: [UInt8]) {
    let gap = gap(before: line)
    if gap > 0 { LogFormat.lengthen(&newest, by: gap) }
    buffer += newest
    newest = line
  }

  /// The number of bytes that wait to be written.
  var waiting: Int { buffer.count }

  /// Writes all lines but the newest.
  func flush() throws(FileWriterError) {
    guard !buffer.isEmpty else { return }
    // A file that is replaced goes when there is something to put in its place.
    if written == 0, isOrdinary, !isNew, ftruncate(descriptor.rawValue, 0) != 0 {
      throw failure(Errno(rawValue: errno))
    }
    var done = 0
    while done < buffer.count {
      do {
        // The buffer lives for the call alone; write reads no further than its count.
        done += try unsafe buffer.withUnsafeBytes {
          try unsafe descriptor.write(UnsafeRawBufferPointer(rebasing: $0[done...]))
        }
      } catch let error as Errno {
        throw failed(error, after: done)
      } catch { throw failed(.ioError, after: done) }
    }
    written += done
    buffer.removeAll(keepingCapacity: true)
  }

  /// Takes the beginning of a line back.
  private func failed(_ error: Errno, after count: Int) -> FileWriterError {
    let whole = (buffer[..<count].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
    buffer = []
    newest = []
    guard isOrdinary else { return failure(error) }
    // Another program may have shortened it meanwhile: its end is asked for.
    var status = stat()
    if unsafe fstat(descriptor.rawValue, &status) == 0 {  // written within the call alone
      _ = ftruncate(descriptor.rawValue, max(0, status.st_size - off_t(count - whole)))
    }
    // A recorder that is started again and again fills a disk with files that have nothing in them.
    if written + whole == 0 { discard() }
    return failure(error, "; the lines until then are whole")
  }

  private func failure(_ error: Errno, _ more: String = "") -> FileWriterError {
    FileWriterError(
      error == .brokenPipe ? .readerGone : .failed, file: path, reason: "\(error)\(more)")
  }

  /// Sends what was written to the disk, so that a power cut does not take it. A pipe has none.
  /// Throws where the disk does not take it: the system says so once, and not again at the end.
  func sync() throws(FileWriterError) {
    guard isOrdinary, fdatasync(descriptor.rawValue) != 0 else { return }
    throw failure(Errno(rawValue: errno))
  }

  /// Writes the newest line as well; nothing comes after it.
  func finish() throws(FileWriterError) {
    buffer += newest
    newest = []
    try flush()
    try sync()
  }

  /// Leaves nothing behind of a log that never began: what was there already stays.
  func discard() {
    if isNew, written == 0 { unsafe unlink(path) }  // the string lives for the call alone
  }
}
