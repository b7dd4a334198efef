// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemPackage

/// One of the files of a store: the blocks of at most an hour, in the order in which they were
/// recorded, within which no clock was set back. Its name is the identifier of its first block, so
/// that the names are in order too.
struct Segment: Equatable, Sendable {
  let path: String
  let first: UInt64

  /// No segment spans more of the wall clock: where the first block is, the others are near.
  static let longest: Int64 = 3_600_000_000_000
  /// No segment begins a block beyond this many bytes, so that one can be read as a whole.
  static let largest = 4 << 20
  /// By so much the wall clock may step back within a segment: less than a block.
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

  /// All of it; `nil` where it has gone meanwhile, or cannot be read.
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
      // The buffer lives for the call alone; `read` fills no more than it is given.
      let got = try? unsafe bytes.withUnsafeMutableBytes {
        try unsafe file.read(
          fromAbsoluteOffset: Int64(place),
          into: UnsafeMutableRawBufferPointer(rebasing: $0[place...]))
      }
      guard let got else { return nil }
      // Cut off meanwhile.
      if got == 0 { break }
      count += got
    }
    bytes.removeLast(wanted - count)
    return bytes
  }

  /// The header of its first block; `nil` where it is empty, unreadable or damaged there.
  var header: BlockHeader? { read(BlockHeader.size).flatMap { BlockHeader($0, at: 0) } }
}

/// Walks the blocks of a segment. What is damaged is stepped over to the next block that is whole;
/// at the end of the newest segment that is a block still being written, or torn by a power cut.
struct BlockWalk {
  let bytes: [UInt8]
  /// The place at which the next block is looked for.
  private(set) var offset = 0
  /// Behind the last whole block found.
  private(set) var end = 0
  /// Bytes stepped over.
  private(set) var damaged = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The header of the next block, which is not checked beyond that, and its place.
  mutating func peek() -> BlockHeader? {
    if let header = BlockHeader(bytes, at: offset) { return header }
    search()
    return BlockHeader(bytes, at: offset)
  }

  /// The next block that is whole.
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

  /// Leaves the block just peeked at.
  mutating func skip(_ header: BlockHeader) { offset = min(offset + header.length, bytes.count) }

  /// Goes on to the next place that looks like a block, or to the end.
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
