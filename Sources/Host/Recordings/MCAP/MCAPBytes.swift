// SPDX-License-Identifier: Apache-2.0

/// A stream of the bytes in a part of a file, as they are stored or decompressed. Only a piece of
/// the bytes is in memory.
struct MCAPBytes: Sendable {
  private let input: MCAPInput
  private let range: Range<Int>
  /// The position in the file of the next byte to read.
  private var place: Int
  private var unpacker: ZstandardStream?
  /// The compressed bytes that were read from the file.
  private var packed: ArraySlice<UInt8> = []
  /// The number of bytes of the stream that have been decompressed.
  private var unpacked = 0
  /// The expected number of bytes of the stream.
  private let size: Int
  private var buffer: [UInt8] = []
  private var start = 0
  /// The number of bytes of the stream that were read or skipped.
  private(set) var count = 0
  /// True if the bytes cannot be decompressed, or if there are more bytes than expected.
  private(set) var isDamaged = false
  /// The checksum of the bytes that were read and skipped; `nil` if no checksum is needed.
  private(set) var sum: CRC32?

  private static let piece = 1 << 16

  /// Creates a stream of the bytes of `range` as they are stored, with a checksum if `sums`.
  init(_ input: MCAPInput, _ range: Range<Int>, sums: Bool = false) {
    self.input = input
    self.range = range
    place = range.lowerBound
    size = range.count
    sum = sums ? CRC32() : nil
  }

  /// Creates a stream of the decompressed bytes of the zstd frame in `range`, which should be
  /// `size` bytes.
  init(_ input: MCAPInput, unpacking range: Range<Int>, size: Int, sums: Bool) {
    self.input = input
    self.range = range
    place = range.lowerBound
    self.size = size
    sum = sums ? CRC32() : nil
    unpacker = Zstandard.shared.flatMap { ZstandardStream($0) }
    isDamaged = unpacker == nil
  }

  /// The position of the next byte in the file. For compressed bytes this is the position of the
  /// next piece.
  var filePlace: Int { unpacker == nil ? place - (buffer.count - start) : place }

  /// The number of bytes of the stream that remain.
  var remaining: Int { size - count }

  /// Returns the next `count` bytes of the stream; `nil` if there are fewer.
  mutating func take(_ count: Int) throws(RecordingError) -> ArraySlice<UInt8>? {
    while buffer.count - start < count {
      guard try fill() else { return nil }
    }
    let taken = buffer[start..<(start + count)]
    start += count
    self.count += count
    sum?.add(taken)
    return taken
  }

  /// Skips `count` bytes of the stream. Returns false if there are fewer.
  mutating func skip(_ count: Int) throws(RecordingError) -> Bool {
    let ahead = count - (buffer.count - start)
    if unpacker == nil, sum == nil, ahead > 0 {
      guard ahead <= range.upperBound - place else { return false }
      place += ahead
      buffer.removeAll(keepingCapacity: true)
      start = 0
      self.count += count
      return true
    }
    var left = count
    while left > 0 {
      let step = min(left, Self.piece)
      guard try take(step) != nil else { return false }
      left -= step
    }
    return true
  }

  /// Continues reading at the position `place` in the file. This function may be called only for
  /// bytes that are not compressed.
  mutating func go(to place: Int) {
    self.place = place
    buffer.removeAll(keepingCapacity: true)
    start = 0
    count = place - range.lowerBound
  }

  /// Returns true at the end of the stream.
  mutating func isAtEnd() throws(RecordingError) -> Bool {
    if start < buffer.count { return false }
    return try !fill()
  }

  /// Adds the next piece of the stream to the buffer. Returns false at the end of the stream.
  private mutating func fill() throws(RecordingError) -> Bool {
    if start > 0 {
      buffer.removeFirst(start)
      start = 0
    }
    let bytes: [UInt8]
    if unpacker == nil {
      bytes = try filePiece()
    } else {
      // A copy of this stream shares the decompressor and may have advanced it.
      if !isKnownUniquelyReferenced(&unpacker) { try renew() }
      bytes = try unpackedPiece()
    }
    buffer += bytes
    return !bytes.isEmpty
  }

  private mutating func filePiece() throws(RecordingError) -> [UInt8] {
    let bytes = try input.bytes(at: place, min(Self.piece, range.upperBound - place))
    place += bytes.count
    return bytes
  }

  private mutating func unpackedPiece() throws(RecordingError) -> [UInt8] {
    while !isDamaged {
      if packed.isEmpty { packed = try filePiece()[...] }
      let isLast = packed.isEmpty
      guard let (bytes, used) = unpacker?.unpack(packed, room: Self.piece) else { break }
      packed = packed.dropFirst(used)
      if bytes.isEmpty {
        if isLast { return [] }
        // As long as there is input and room for output, decompressing a valid frame makes
        // progress.
        if used == 0 { break }
        continue
      }
      unpacked += bytes.count
      guard unpacked <= size else { break }
      return bytes
    }
    isDamaged = true
    return []
  }

  /// Decompresses the stream again from the start up to the current position.
  private mutating func renew() throws(RecordingError) {
    let reached = unpacked
    guard let library = Zstandard.shared, let fresh = ZstandardStream(library) else {
      isDamaged = true
      return
    }
    unpacker = fresh
    (place, packed, unpacked) = (range.lowerBound, [], 0)
    while unpacked < reached {
      guard try !unpackedPiece().isEmpty else { return }
    }
  }
}
