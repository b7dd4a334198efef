// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackage

/// One file of a store: blocks spanning at most an hour in recording order, within which no clock
/// was set back. It is named after the identifier of its first block, so that names sort in
/// recording order.
struct Segment: Equatable, Sendable {
  let path: String
  let first: UInt64

  /// The longest span of a segment on the wall clock, so that the first block gives the approximate
  /// time of the others.
  static let longest: Int64 = 3_600_000_000_000
  /// A segment of this size in bytes gets no further blocks, so that it can be read as a whole.
  static let largest = 4 << 20
  /// The largest backward step of the wall clock within a segment: less than a block.
  static let slack: Int64 = 1_000_000_000
  private static let suffix = ".samples"

  init(in folder: String, first: UInt64) {
    let digits = String(first, radix: 16)
    path = "\(folder)/\(String(repeating: "0", count: 16 - digits.count))\(digits)\(Self.suffix)"
    self.first = first
  }

  init?(in folder: String, name: String) {
    guard name.hasSuffix(Self.suffix), name.count == 16 + Self.suffix.count,
      let first = UInt64(name.prefix(16), radix: 16), first < BlockHeader.mostIdentifier
    else { return nil }
    self.init(in: folder, first: first)
  }

  /// Reads the file; `nil` if it was deleted, or cannot be read.
  func read(_ limit: Int = .max) -> [UInt8]? {
    let options: FileDescriptor.OpenOptions = [.noFollow, .nonBlocking, .closeOnExec]
    guard let file = try? FileDescriptor.open(FilePath(path), .readOnly, options: options)
    else { return nil }
    defer { try? file.close() }
    guard let size = try? file.seek(offset: 0, from: .end) else { return nil }
    let wanted = min(Int(size), limit)
    var bytes = [UInt8](repeating: 0, count: wanted)
    var count = 0
    while count < wanted {
      let place = count
      // The buffer is valid for the call only; `read` writes at most its size.
      let got = try? unsafe bytes.withUnsafeMutableBytes {
        try unsafe file.read(
          fromAbsoluteOffset: Int64(place),
          into: UnsafeMutableRawBufferPointer(rebasing: $0[place...]))
      }
      guard let got else { return nil }
      // Truncated meanwhile.
      if got == 0 { break }
      count += got
    }
    bytes.removeLast(wanted - count)
    return bytes
  }

  /// The header of its first block; `nil` if it is missing, unreadable or damaged.
  var header: BlockHeader? { read(BlockHeader.size).flatMap { BlockHeader($0, at: 0) } }
}

/// Iterates over the blocks of a segment and skips damaged data up to the next valid block; at the
/// end of the newest segment that may be a block being written, or torn by a power failure.
struct BlockWalk {
  let bytes: [UInt8]
  /// The offset at which to look for the next block.
  private(set) var offset = 0
  /// The end of the last valid block found.
  private(set) var end = 0
  /// The number of skipped bytes.
  private(set) var damaged = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the next block's header, without verifying the block, and moves to it.
  mutating func peek() -> BlockHeader? {
    if let header = BlockHeader(bytes, at: offset) { return header }
    search()
    return BlockHeader(bytes, at: offset)
  }

  /// Returns the next valid block.
  mutating func next() -> SampleBlock? {
    while offset < bytes.count {
      if let header = BlockHeader(bytes, at: offset), let block = SampleBlock(bytes, at: offset) {
        offset += header.length
        end = offset
        return block
      }
      search()
    }
    return nil
  }

  /// Skips the block whose header was peeked.
  mutating func skip(_ header: BlockHeader) { offset = min(offset + header.length, bytes.count) }

  /// Moves to the next possible block, or to the end.
  private mutating func search() {
    let start = offset
    offset = min(offset + 1, bytes.count)
    while offset < bytes.count {
      if bytes[offset] == 0x4F, BlockHeader(bytes, at: offset) != nil { break }
      offset += 1
    }
    damaged += offset - start
  }
}
