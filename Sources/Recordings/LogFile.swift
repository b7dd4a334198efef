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
package final class LogFile: LogBody {
  private let file: LogDescriptor
  /// Bytes in the file, and lines on their way to it.
  private var written = 0
  private var buffer: [UInt8] = []
  private var newest: [UInt8] = []
  private static let page = 4096

  /// Opens `path`, which is new, or `replaces` what is there; "-" is standard output.
  package init(path: String, replaces: Bool, header: [UInt8]) throws(FileWriterError) {
    file = try LogDescriptor(path: path, replaces: replaces, appends: true)
    newest = header
  }

  /// The bytes that the file has with `line`.
  package func length(with line: [UInt8]) -> Int { length + gap(before: line) + line.count }

  private var length: Int { written + buffer.count + newest.count }

  /// The rest of the page, where `line` would not fit into it.
  private func gap(before line: [UInt8]) -> Int {
    guard file.isOrdinary, line.count <= Self.page else { return 0 }
    let room = Self.page - length % Self.page
    return room < Self.page && line.count > room ? room : 0
  }

  /// Adds a line of a `LogFormat`.
  package func append(_ line: [UInt8]) {
    let gap = gap(before: line)
    if gap > 0 { LogFormat.lengthen(&newest, by: gap) }
    buffer += newest
    newest = line
  }

  /// The number of bytes that wait to be written.
  package var waiting: Int { buffer.count }

  /// Writes all lines but the newest.
  package func flush() throws(FileWriterError) {
    guard !buffer.isEmpty else { return }
    if written == 0 { try file.begin() }
    var done = 0
    while done < buffer.count {
      do {
        // The buffer lives for the call alone; write reads no further than its count.
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

  /// Takes the beginning of a line back.
  private func failed(_ error: Errno, after count: Int) -> FileWriterError {
    let whole = (buffer[..<count].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
    buffer = []
    newest = []
    guard file.isOrdinary else { return file.failure(error) }
    // Another program may have shortened it meanwhile: its end is asked for.
    var status = stat()
    if unsafe fstat(file.descriptor.rawValue, &status) == 0 {  // written within the call alone
      _ = ftruncate(file.descriptor.rawValue, max(0, status.st_size - off_t(count - whole)))
    }
    // A recorder that is started again and again fills a disk with files that have nothing in them.
    if written + whole == 0 { discard() }
    return file.failure(error, "; the lines until then are whole")
  }

  package func sync() throws(FileWriterError) { try file.sync() }

  /// Writes the newest line as well; nothing comes after it.
  package func finish() throws(FileWriterError) {
    buffer += newest
    newest = []
    try flush()
    try sync()
  }

  /// Leaves nothing behind of a log that never began: what was there already stays.
  package func discard() { if written == 0 { file.remove() } }
}
