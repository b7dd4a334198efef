// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackage

/// A growing MCAP file that is valid at any time, even on a full disk or if the process ends in the
/// middle of a write.
///
/// After its chunks the file always has an end, which contains a summary only when the file is
/// finished. New chunks overwrite that end, and a new end follows them. The pages are written from
/// the last to the first. The page with the old end is therefore written last, and until then
/// readers stop at the old end. Linux checks for fatal signals between pages, not within a page, so
/// each end is within one page.
package final class MCAPFile: LogBody {
  private let file: LogDescriptor
  private var summary: MCAPSummary
  private var chunk = MCAPChunk()
  /// The position at which the current end of the file starts, and the length of that end.
  private var written = 0
  private var ending = 0
  private static let page = 4096
  /// The overhead of a chunk in bytes, and the overhead of its indexes per message.
  private static let overhead = 512, perMessage = 16

  /// Opens the MCAP file `path`, which must be new unless `replaces`; "-" is standard output.
  package init(
    path: String, replaces: Bool, channels: [MCAPChannel]
  ) throws(FileWriterError) {
    file = try LogDescriptor(path: path, replaces: replaces, appends: false)
    summary = MCAPSummary(channels: channels)
    // A new file is valid from the start. A file that existed before stays unchanged until there is
    // new content.
    if file.isOrdinary, file.isNew { try begin() }
  }

  package func length(with message: MCAPMessage) -> Int {
    written + chunk.records.count + message.data.count + Self.overhead
      + (chunk.count + 1) * Self.perMessage
  }

  package func append(_ message: MCAPMessage) {
    chunk.add(message, sequence: summary.count(message))
  }

  /// The number of pending bytes, which is the size of the chunk if the chunk is long enough to be
  /// written, otherwise 0.
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

  /// Writes the beginning, with an end that fits into the first page, and then the definitions.
  private func begin() throws(FileWriterError) {
    guard written == 0 else { return }
    try file.begin()
    try write(MCAPRecord.beginning) { _ in MCAPSummary.shortest }
    let definitions = summary.definitions
    try write(definitions.schemas + definitions.channels) { _ in MCAPSummary.shortest }
  }

  /// Replaces the current end of the file with `data` and a new end.
  private func write(
    _ data: [UInt8], last: Bool = false, end: (Int) -> [UInt8]
  ) throws(FileWriterError) {
    guard file.isOrdinary else {
      // A pipe cannot be overwritten, so only the final end is written to it.
      try pass(last ? data + end(written) : data)
      written += data.count
      return
    }
    var data = data
    // If a summary is longer than a page, only the footer and the magic must be within one page.
    func straddles() -> Bool {
      let bytes = end(written + data.count)
      let critical = bytes.count <= Self.page ? bytes.count : MCAPSummary.footerLength
      let start = (written + data.count + bytes.count - critical) % Self.page
      return start + critical > Self.page
    }
    // A summary contains positions, but its length does not depend on them.
    while straddles() { data += Self.padding }
    let bytes = data + end(written + data.count)
    do throws(Errno) { try place(bytes) } catch {
      // The old end of the file still exists, so the file is truncated after it.
      _ = ftruncate(file.descriptor.rawValue, off_t(written + ending))
      discard()
      throw file.failure(error, "; the messages before that are complete")
    }
    written += data.count
    ending = bytes.count - data.count
  }

  /// A record for padding: metadata without a name and entries.
  private static let padding = MCAPRecord.metadata.bytes([0, 0, 0, 0, 0, 0, 0, 0])

  /// Writes the bytes over the old end: the last page first, and the page with the old end last.
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
        // write(2) does not keep the bytes' pointer, and reads at most their number.
        done += try unsafe bytes.withUnsafeBytes {
          try unsafe file.descriptor.write(
            toAbsoluteOffset: Int64(offset + done), UnsafeRawBufferPointer(rebasing: $0[done...]))
        }
      } catch { throw error as? Errno ?? .ioError }
    }
  }

  private func pass(_ bytes: [UInt8]) throws(FileWriterError) {
    do {
      // write(2) does not keep the bytes' pointer, and reads at most their number.
      _ = try unsafe bytes.withUnsafeBytes { try unsafe file.descriptor.writeAll($0) }
    } catch { throw file.failure(error as? Errno ?? .ioError) }
  }
}
