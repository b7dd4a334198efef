// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackage

/// An MCAP file that grows, and is whole whatever happens: a full disk, or the end of the process
/// in the middle of a write.
///
/// Behind its chunks a file always has an end, without a summary until it is finished. New chunks
/// are written over that end, with the next behind them: first the pages that end the file, then
/// those between, last the page with the old end, which readers had stopped at until then. Linux
/// looks for a deadly signal between two pages and not within one, so each end lies in one page.
package final class MCAPFile: LogBody {
  private let file: LogDescriptor
  private var summary: MCAPSummary
  private var chunk = MCAPChunk()
  /// Bytes before the end that the file has now, and the length of that end.
  private var written = 0
  private var ending = 0
  private static let page = 4096
  /// Bytes of a chunk beside its messages, and of the indexes of each message.
  private static let overhead = 512, perMessage = 16

  /// Opens `path`, which is new, or `replaces` what is there; "-" is standard output.
  package init(
    path: String, replaces: Bool, channels: [MCAPChannel]
  ) throws(FileWriterError) {
    file = try LogDescriptor(path: path, replaces: replaces, appends: false)
    summary = MCAPSummary(channels: channels)
    // A new file is whole from its first moment on; what was there before stays until there is
    // something to put in its place.
    if file.isOrdinary, file.isNew { try begin() }
  }

  package func length(with message: MCAPMessage) -> Int {
    written + chunk.records.count + message.data.count + Self.overhead
      + (chunk.count + 1) * Self.perMessage
  }

  package func append(_ message: MCAPMessage) {
    chunk.add(message, sequence: summary.count(message))
  }

  /// The bytes of a chunk that is long enough to be written.
  package var waiting: Int { chunk.isLong ? chunk.records.count : 0 }

  package func flush() throws(FileWriterError) {
    guard chunk.count > 0 else { return }
    try begin()
    let (bytes, index) = chunk.written(at: written)
    try write(bytes) { _ in MCAPSummary.shortest }
    summary.add(chunk, index: index)
    chunk = MCAPChunk()
  }

  package func sync() throws(FileWriterError) { try file.sync() }

  package func finish() throws(FileWriterError) {
    try flush()
    try begin()
    try write([], last: true) { self.summary.end(at: $0) }
    try sync()
  }

  package func discard() { if summary.isEmpty { file.remove() } }

  /// Writes the beginning, with an end that fits into the first page, then the definitions.
  private func begin() throws(FileWriterError) {
    guard written == 0 else { return }
    try file.begin()
    try write(MCAPRecord.beginning) { _ in MCAPSummary.shortest }
    let definitions = summary.definitions
    try write(definitions.schemas + definitions.channels) { _ in MCAPSummary.shortest }
  }

  /// Puts `data` and the end that belongs to its place where the present end is.
  private func write(
    _ data: [UInt8], last: Bool = false, end: (Int) -> [UInt8]
  ) throws(FileWriterError) {
    guard file.isOrdinary else {
      // What cannot be taken back has one end.
      try pass(last ? data + end(written) : data)
      written += data.count
      return
    }
    var data = data
    // Of a summary that is longer the footer and the magic.
    func straddles() -> Bool {
      let bytes = end(written + data.count)
      let critical = bytes.count <= Self.page ? bytes.count : MCAPSummary.footerLength
      let start = (written + data.count + bytes.count - critical) % Self.page
      return start + critical > Self.page
    }
    // A summary has places in it, but is as long wherever it stands.
    while straddles() { data += Self.padding }
    let bytes = data + end(written + data.count)
    do throws(Errno) { try place(bytes) } catch {
      // The old end is there still, what is behind it goes.
      _ = ftruncate(file.descriptor.rawValue, off_t(written + ending))
      discard()
      throw file.failure(error, "; the messages until then are whole")
    }
    written += data.count
    ending = bytes.count - data.count
  }

  /// A record that says nothing: metadata without a name and an entry.
  private static let padding = MCAPRecord.metadata.bytes([0, 0, 0, 0, 0, 0, 0, 0])

  /// Writes over the old end, page by page from behind.
  private func place(_ bytes: [UInt8]) throws(Errno) {
    let first = min(Self.page - written % Self.page, bytes.count)
    let length = written + bytes.count
    let last = max((length - 1) / Self.page * Self.page - written, first)
    for range in [last..<bytes.count, first..<last, 0..<first] where !range.isEmpty {
      try put(Array(bytes[range]), atOffset: written + range.lowerBound)
    }
  }

  private func put(_ bytes: [UInt8], atOffset offset: Int) throws(Errno) {
    var done = 0
    while done < bytes.count {
      do {
        // The bytes live for the call alone; it reads no further than their count.
        done += try unsafe bytes.withUnsafeBytes {
          try unsafe file.descriptor.write(
            toAbsoluteOffset: Int64(offset + done), UnsafeRawBufferPointer(rebasing: $0[done...]))
        }
      } catch { throw error as? Errno ?? .ioError }
    }
  }

  private func pass(_ bytes: [UInt8]) throws(FileWriterError) {
    do {
      // As above.
      _ = try unsafe bytes.withUnsafeBytes { try unsafe file.descriptor.writeAll($0) }
    } catch { throw file.failure(error as? Errno ?? .ioError) }
  }
}
