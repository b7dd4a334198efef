// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackage

/// A growing file of lines that never ends in a partial line, even on a full disk or if the process
/// ends in the middle of a write.
///
/// Linux checks for fatal signals between the pages of a write, not within a page
/// (`generic_perform_write` in mm/filemap.c). Therefore no line crosses a page boundary: if the
/// next line does not fit into the page, the previous line is lengthened to the end of the page, by
/// zeros after the decimals of its timestamp. This requires that the newest line is held back until
/// the next line is known.
package final class LogFile: LogBody {
  private let file: LogDescriptor
  /// The number of bytes in the log file, and the lines that are not written yet.
  private var written = 0
  private var buffer: [UInt8] = []
  private var newest: [UInt8] = []
  private static let page = 4096

  /// Opens the log file `path`, which must be new unless `replaces`; "-" is standard output.
  package init(path: String, replaces: Bool, header: [UInt8]) throws(FileWriterError) {
    file = try LogDescriptor(path: path, replaces: replaces, appends: true)
    newest = header
  }

  /// Returns the size of the file in bytes if `line` is added.
  package func length(with line: [UInt8]) -> Int { length + gap(before: line) + line.count }

  private var length: Int { written + buffer.count + newest.count }

  /// Returns the number of bytes left in the memory page of the file if `line` does not fit into
  /// it, otherwise 0.
  private func gap(before line: [UInt8]) -> Int {
    guard file.isOrdinary, line.count <= Self.page else { return 0 }
    let room = Self.page - length % Self.page
    return room < Self.page && line.count > room ? room : 0
  }

  /// Adds a line in one of the log formats.
  package func append(_ line: [UInt8]) {
    let gap = gap(before: line)
    if gap > 0 { LogFormat.lengthen(&newest, by: gap) }
    buffer += newest
    newest = line
  }

  /// The number of bytes of the lines that are not written yet.
  package var waiting: Int { buffer.count }

  /// Writes all pending lines except the newest.
  package func flush() throws(FileWriterError) {
    guard !buffer.isEmpty else { return }
    if written == 0 { try file.begin() }
    var done = 0
    while done < buffer.count {
      do {
        // write(2) does not keep the buffer's pointer, and reads at most its size.
        done += try unsafe buffer.withUnsafeBytes {
          try unsafe file.descriptor.write(UnsafeRawBufferPointer(rebasing: $0[done...]))
        }
      } catch let error as Errno {
        throw failed(error, after: done)
      } catch { throw failed(.ioError, after: done) }
    }
    written += done
    buffer.removeAll(keepingCapacity: true)
  }

  /// Removes from the file a line that was written in part, and returns the error to throw.
  private func failed(_ error: Errno, after count: Int) -> FileWriterError {
    let whole = (buffer[..<count].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
    buffer = []
    newest = []
    guard file.isOrdinary else { return file.failure(error) }
    // Another program may have truncated the file, so its size is read.
    var status = stat()
    if unsafe fstat(file.descriptor.rawValue, &status) == 0 {  // the C function keeps no pointer
      _ = ftruncate(file.descriptor.rawValue, max(0, status.st_size - off_t(count - whole)))
    }
    // The file is removed if it has no lines: a recorder that is restarted again and again must not
    // fill the disk with empty files.
    if written + whole == 0 { discard() }
    return file.failure(error, "; the lines until then are whole")
  }

  package func sync() throws(FileWriterError) { try file.sync() }

  /// Writes all pending lines with the newest. No line may be added to the log afterwards.
  package func finish() throws(FileWriterError) {
    buffer += newest
    newest = []
    try flush()
    try sync()
  }

  /// Removes the log file if it is new and nothing was written. A file that existed before stays
  /// unchanged.
  package func discard() { if written == 0 { file.remove() } }
}
