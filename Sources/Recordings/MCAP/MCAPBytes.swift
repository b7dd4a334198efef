// SPDX-License-Identifier: Apache-2.0

/// The bytes of a part of a file one after the other, as they are or unpacked. Holds a piece of
/// them at a time.
struct MCAPBytes: Sendable {
  private let input: MCAPInput
  private let range: Range<Int>
  /// The next byte to be read from the file.
  private var place: Int
  private var unpacker: ZstandardStream?
  /// Bytes that were read from the file and are still packed.
  private var packed: ArraySlice<UInt8> = []
  /// Bytes that came out of the unpacker.
  private var unpacked = 0
  /// The bytes that there are to be.
  private let size: Int
  private var buffer: [UInt8] = []
  private var start = 0
  /// Bytes that were taken or skipped.
  private(set) var count = 0
  /// True where the bytes cannot be unpacked, or are more than they were to be.
  private(set) var isDamaged = false
  /// The checksum of what was taken and skipped; `nil` where it is not needed.
  private(set) var sum: CRC32?

  private static let piece = 1 << 16

  /// The bytes of `range` as they are. `sums` makes a checksum of them.
  init(_ input: MCAPInput, _ range: Range<Int>, sums: Bool = false) {
    self.input = input
    self.range = range
    place = range.lowerBound
    size = range.count
    sum = sums ? CRC32() : nil
  }

  /// The bytes that a frame of zstd in `range` has, which are to be `size`.
  init(_ input: MCAPInput, unpacking range: Range<Int>, size: Int, sums: Bool) {
    self.input = input
    self.range = range
    place = range.lowerBound
    self.size = size
    sum = sums ? CRC32() : nil
    unpacker = Zstandard.shared.flatMap { ZstandardStream($0) }
    isDamaged = unpacker == nil
  }

  /// The place in the file of the next byte; of what is packed, of the next piece.
  var filePlace: Int { unpacker == nil ? place - (buffer.count - start) : place }

  /// The bytes that are still to come.
  var remaining: Int { size - count }

  /// Returns the next `count` bytes, or `nil` where there are fewer.
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

  /// Skips `count` bytes. Returns false where there are fewer.
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

  /// Reads on at the byte of the file at `place`, of bytes that are not packed.
  mutating func go(to place: Int) {
    self.place = place
    buffer.removeAll(keepingCapacity: true)
    start = 0
    count = place - range.lowerBound
  }

  /// Returns true where no byte is left.
  mutating func isAtEnd() throws(RecordingError) -> Bool {
    if start < buffer.count { return false }
    return try !fill()
  }

  /// Adds the next piece to the buffer. Returns false at the end.
  private mutating func fill() throws(RecordingError) -> Bool {
    if start > 0 {
      buffer.removeFirst(start)
      start = 0
    }
    let bytes: [UInt8]
    if unpacker == nil {
      bytes = try filePiece()
    } else {
      // A copy of these bytes uses the unpacker too, and goes on with it.
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
        // With room and bytes a frame goes on.
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

  /// Unpacks once more up to the present place.
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
