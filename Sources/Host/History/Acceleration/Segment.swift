// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackage

/// A file of a store. A segment contains blocks from at most an hour, in the order of recording. No
/// clock was set back during this time. The file's name is the identifier of the segment's first
/// block, so that names sort in the order of recording.
struct Segment: Equatable, Sendable {
  let path: String
  let first: UInt64

  /// The longest time of a segment on the wall clock in nanoseconds. The first block then gives the
  /// approximate time of the other blocks.
  static let longest: Int64 = 3_600_000_000_000
  /// The size in bytes from which no more blocks are added to a segment, so that the segment can be
  /// read at once.
  static let largest = 4 << 20
  /// The largest backward step of the wall clock within a segment in nanoseconds. This step is
  /// shorter than the duration of a block.
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

  /// Reads the segment's file; `nil` if it was deleted or cannot be read.
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
      // read(2) does not keep the buffer's pointer, and writes at most its size.
      let got = try? unsafe bytes.withUnsafeMutableBytes {
        try unsafe file.read(
          fromAbsoluteOffset: Int64(place),
          into: UnsafeMutableRawBufferPointer(rebasing: $0[place...]))
      }
      guard let got else { return nil }
      // Another process truncated the segment's file meanwhile.
      if got == 0 { break }
      count += got
    }
    bytes.removeLast(wanted - count)
    return bytes
  }

  /// The header of the first block; `nil` if the header is missing, unreadable or damaged.
  var header: BlockHeader? { read(BlockHeader.size).flatMap { BlockHeader($0, at: 0) } }
}

/// An iterator over the blocks of a segment. The iterator skips damaged data up to the next valid
/// block. At the end of the newest segment, such data may be a block that is being written, or a
/// block that a power failure cut off.
struct BlockWalk {
  let bytes: [UInt8]
  /// The position in the segment at which the next block is searched.
  private(set) var offset = 0
  /// The position in the segment at which the last valid block that was found ends.
  private(set) var end = 0
  /// The number of damaged bytes that were skipped.
  private(set) var damaged = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Moves to the next block and returns its header, without verifying the block; `nil` after the
  /// last block.
  mutating func peek() -> BlockHeader? {
    if let header = BlockHeader(bytes, at: offset) { return header }
    search()
    return BlockHeader(bytes, at: offset)
  }

  /// Returns the next valid block of the segment; `nil` after the last.
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

  /// Skips the block whose header `peek` returned.
  mutating func skip(_ header: BlockHeader) { offset = min(offset + header.length, bytes.count) }

  /// Moves to the next position in the segment at which a block may start, or to the end.
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
