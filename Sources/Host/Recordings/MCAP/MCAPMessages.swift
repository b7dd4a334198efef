// SPDX-License-Identifier: Apache-2.0

/// A reader of the messages in an MCAP file, in the order in which they were written. The reader
/// reads the file piece by piece. Damage is counted and skipped: after a damaged record the reader
/// searches for the next valid record.
struct MCAPMessages: Sendable {
  struct Message: Sendable {
    var channel: UInt16
    /// The message's log time in nanoseconds.
    var time: Int64
    /// The first bytes of the message, as many as the largest message with samples has.
    var data: ArraySlice<UInt8>
    /// The position in the file of the message's record, or of the chunk that contains the message.
    var place: Int
  }

  enum Step: Sendable {
    case message(Message)
    case beginsChunk
    /// The chunk ended. If `isGood` is false the chunk is damaged, and none of its messages are
    /// used.
    case endsChunk(at: Int, isGood: Bool)
  }

  private struct Chunk: Sendable {
    var place: Int
    var size: Int
    var sum: UInt32
    /// The position in the file of the record after the chunk.
    var end: Int
    /// True if the file ends within the current chunk.
    var isCut: Bool
  }

  private let input: MCAPInput
  private var outer: MCAPBytes
  private var inner: MCAPBytes?
  private var chunk: Chunk?
  /// The position in the file at which the data section ends, if it is known.
  private var limit: Int
  private let isSure: Bool
  /// True in the first pass over the file, which verifies checksums and counts damage.
  private let isChecking: Bool
  /// The positions in the file of the chunks to skip.
  private let damaged: Set<Int>
  private let chunkPlaces: Set<Int>
  /// The positions of the summary's chunks that were not reached yet.
  private(set) var missingChunks: Set<Int>
  private(set) var definitions: MCAPDefinitions
  var faults = MCAPFaults()
  /// The number of messages according to the file's message indexes.
  private(set) var indexed: UInt64 = 0
  private(set) var isOver = false
  /// The number of bytes of chunks that were decompressed.
  private var unpacked = 0
  private let mostUnpacked: Int
  /// The position in the file of the previous record.
  private var previous: Int

  private static let largestChunk = 1 << 28
  private static let longestMessage = 1 << 16
  /// The number of damaged records after which reading ends.
  static let mostFaults = 1 << 14

  /// Creates a reader that reads and checks all of `input`, whose summary is `end`.
  init(_ input: MCAPInput, _ end: MCAPEnd) {
    self.init(
      input, limit: end.limit, isSure: end.isSure, definitions: end.definitions,
      chunkPlaces: end.chunkPlaces, damaged: [], isChecking: true)
  }

  /// Creates a reader that reads `input` again, without the chunks at `damaged` and only up to
  /// `limit`.
  init(
    _ input: MCAPInput, limit: Int, isSure: Bool, definitions: MCAPDefinitions,
    chunkPlaces: Set<Int>, damaged: Set<Int>, isChecking: Bool = false
  ) {
    self.input = input
    self.limit = limit
    self.isSure = isSure
    self.definitions = definitions
    self.chunkPlaces = chunkPlaces
    missingChunks = isChecking ? chunkPlaces : []
    self.damaged = damaged
    self.isChecking = isChecking
    let start = min(MCAPRecord.magic.count, limit)
    outer = MCAPBytes(input, start..<limit)
    previous = start
    mostUnpacked = (1 << 26) + 200 * min(input.size, 1 << 50)
  }

  /// The fraction of the file that has been read, 0 to 1.
  var share: Double {
    isOver ? 1 : Double((chunk?.place ?? outer.filePlace)) / Double(max(limit, 1))
  }

  /// The position in the file at which reading ended.
  var end: Int { limit }

  /// Returns the next message, or the end of a chunk; `nil` at the end of the data.
  mutating func next() throws(RecordingError) -> Step? {
    while !isOver {
      if let step = try chunk == nil ? nextOfFile() : nextOfChunk() { return step }
    }
    return nil
  }

  /// Ends reading at the position `place` of the file.
  mutating func stop(at place: Int) {
    limit = place
    isOver = true
  }

  private static func split(_ head: ArraySlice<UInt8>) -> (kind: UInt8, length: UInt64) {
    var fields = MCAPFields(head)
    return (fields.integer(UInt8.self) ?? 0, fields.integer(UInt64.self) ?? .max)
  }

  private func message(_ content: ArraySlice<UInt8>, at place: Int) -> Message? {
    var fields = MCAPFields(content)
    guard let id = fields.integer(UInt16.self), fields.integer(UInt32.self) != nil,
      let time = fields.integer(UInt64.self), fields.integer(UInt64.self) != nil
    else { return nil }
    return Message(channel: id, time: Int64(clamping: time), data: fields.rest, place: place)
  }

  private mutating func define(_ kind: MCAPRecord, _ content: ArraySlice<UInt8>, at place: Int) {
    switch definitions.add(kind, content) {
    case .taken: break
    case .damaged: faults.add(.record, at: place)
    case .contradicts: faults.add(.definition, at: place)
    }
  }
}

// Reading of the records in an MCAP file.
extension MCAPMessages {
  private mutating func nextOfFile() throws(RecordingError) -> Step? {
    let place = outer.filePlace
    guard place < limit else {
      isOver = true
      return nil
    }
    guard let head = try outer.take(9) else {
      if isSure { faults.add(.record, at: place) }
      isOver = true
      return nil
    }
    var (kind, length) = Self.split(head)
    if chunkPlaces.contains(place) {
      missingChunks.remove(place)
      if kind != MCAPRecord.chunk.rawValue {
        faults.add(.record, at: place)
        kind = MCAPRecord.chunk.rawValue
      }
    }
    if kind == MCAPRecord.chunk.rawValue { return try beginChunk(at: place, length) }
    guard kind != 0, length <= UInt64(outer.remaining) else {
      try findRecord(after: place, mayBeCut: kind != 0)
      return nil
    }
    let size = Int(clamping: length)
    switch MCAPRecord(rawValue: kind) {
    case .message?: return try takeMessage(size, at: place)
    case .schema?, .channel?:
      let seen = min(size, MCAPDefinitions.head)
      guard let record = MCAPRecord(rawValue: kind), let content = try outer.take(seen) else {
        break
      }
      define(record, content, at: place)
      _ = try outer.skip(size - seen)
    case .messageIndex?:
      let count = try outer.take(min(size, 6)).flatMap { content in
        var fields = MCAPFields(content)
        _ = fields.integer(UInt16.self)
        return fields.integer(UInt32.self)
      }
      guard let count, Int(count) + 6 == size, count % 16 == 0 else {
        try findRecord(after: place)
        return nil
      }
      indexed += UInt64(count) / 16
      _ = try outer.skip(size - 6)
    case .dataEnd?, .footer?:
      let isWhole = size == (kind == MCAPRecord.dataEnd.rawValue ? 4 : 20)
      guard isSure || !isWhole else {
        limit = place
        isOver = true
        return nil
      }
      try findRecord(after: place)
      return nil
    default: _ = try outer.skip(size)
    }
    previous = place
    return nil
  }

  private mutating func takeMessage(_ size: Int, at place: Int) throws(RecordingError) -> Step? {
    let seen = min(size, Self.longestMessage)
    guard let content = try outer.take(seen), let message = message(content, at: place) else {
      try findRecord(after: place)
      return nil
    }
    _ = try outer.skip(size - seen)
    previous = place
    return .message(message)
  }

  /// Continues at the next position at which two consecutive records look valid.
  private mutating func findRecord(
    after place: Int, mayBeCut: Bool = false
  ) throws(RecordingError) {
    let known = faults.count(.record)
    faults.add(.record, at: place)
    // The length of the previous record may be wrong, so the search starts inside it.
    var search = min(previous, place) + 1
    while faults.count(.record) < Self.mostFaults, search + 9 <= limit {
      let window = try input.bytes(at: search, min(Self.longestMessage, limit - search))
      guard window.count >= 9 else { break }
      for index in 0..<(window.count - 8) where window[index] > 0 && window[index] < 0x10 {
        // The two highest bytes of a length are 0, because no file has 2^48 bytes.
        guard window[index + 7] == 0, window[index + 8] == 0 else { continue }
        let found = search + index
        if found != place, try isRecord(at: found, window[index..<(index + 9)]) {
          previous = found
          outer.go(to: found)
          return
        }
      }
      search += window.count - 8
    }
    // An incomplete record at the end of a truncated file counts as a missing end, not as damage.
    if mayBeCut, !isSure, faults.count(.end) > 0 {
      faults.forgive(.record, downTo: known)
    }
    isOver = true
  }

  private func isRecord(at place: Int, _ head: ArraySlice<UInt8>) throws(RecordingError) -> Bool {
    let (kind, length) = Self.split(head)
    guard let size = Int(exactly: length), size <= limit - place - 9,
      let record = MCAPRecord(rawValue: kind)
    else { return false }
    switch record {
    case .message:
      let id = try input.bytes(at: place + 9, 2)
      guard size >= 22, id.count == 2 else { return false }
      guard definitions.channels[UInt16(id[0]) | UInt16(id[1]) << 8] != nil else { return false }
    case .chunk:
      return try chunkHeader(at: place, length) != nil
    case .dataEnd: guard size == 4 else { return false }
    case .footer: guard size == 20 else { return false }
    case .header: return false
    default: guard size >= 4 else { return false }
    }
    return try canBegin(at: place + 9 + size)
  }

  /// Returns true if a record can begin at the position `place`, or the data section ends there.
  private func canBegin(at place: Int) throws(RecordingError) -> Bool {
    if place == limit { return true }
    let head = try input.bytes(at: place, 9)
    guard head.count == 9 else { return !isSure }
    let (kind, length) = Self.split(head[...])
    return kind != 0 && length <= UInt64(max(0, limit - place - 9))
  }
}

// Reading of the messages in a chunk of an MCAP file.
extension MCAPMessages {
  private struct ChunkHeader {
    var size: UInt64
    var sum: UInt32
    var packing: String
    /// The byte range of the chunk's compressed data in the file.
    var records: Range<Int>
    var end: Int
    /// True if the length of the chunk's record agrees with the length of its compressed bytes.
    var isWhole: Bool
    var isCut: Bool
  }

  /// Returns the header of the chunk at `place`; `nil` if there is no chunk.
  private func chunkHeader(at place: Int, _ length: UInt64) throws(RecordingError) -> ChunkHeader? {
    let content = try input.bytes(at: place + 9, min(128, limit - place - 9))
    var fields = MCAPFields(content[...])
    guard fields.bytes(16) != nil, let size = fields.integer(UInt64.self),
      let sum = fields.integer(UInt32.self), let packing = fields.text(),
      packing.utf8.count <= 64, let packed = fields.integer(UInt64.self)
    else { return nil }
    let start = place + 9 + 40 + packing.utf8.count
    func header(_ end: Int, isWhole: Bool, isCut: Bool = false) -> ChunkHeader {
      ChunkHeader(
        size: size, sum: sum, packing: packing, records: start..<end, end: end, isWhole: isWhole,
        isCut: isCut)
    }
    // A chunk stores two lengths: the length of the record and the length of its compressed bytes.
    let byLength = Int(exactly: length).flatMap { $0 <= limit - place - 9 ? place + 9 + $0 : nil }
    let bySize = Int(exactly: packed).flatMap { $0 <= limit - start ? start + $0 : nil }
    if let byLength, byLength == bySize { return header(byLength, isWhole: true) }
    if byLength == nil, bySize == nil, !isSure, UInt64(40 + packing.utf8.count) &+ packed == length
    {
      return header(limit, isWhole: true, isCut: true)
    }
    for end in [byLength, bySize] {
      if let end, end >= start, try canBegin(at: end) { return header(end, isWhole: false) }
    }
    return nil
  }

  private mutating func beginChunk(
    at place: Int, _ length: UInt64
  ) throws(RecordingError) -> Step? {
    guard let header = try chunkHeader(at: place, length) else {
      try findRecord(after: place, mayBeCut: length > UInt64(outer.remaining))
      return nil
    }
    if !header.isWhole { faults.add(.record, at: place) }
    previous = place
    guard !damaged.contains(place) else {
      outer.go(to: header.end)
      return nil
    }
    let size = Int(exactly: header.size)
    switch header.packing {
    case "":
      guard size == header.records.count || header.isCut else {
        return leaveOut(.record, at: place, header.end)
      }
      inner = MCAPBytes(input, header.records, sums: isChecking)
    case "zstd" where Zstandard.shared != nil:
      guard let size, size <= Self.largestChunk else {
        return leaveOut(.size, at: place, header.end)
      }
      guard size <= mostUnpacked - unpacked else {
        // The chunks after this one may be equally large, and decompressing them would take too
        // much time.
        faults.add(.size, at: place)
        limit = place
        isOver = true
        return nil
      }
      unpacked += size
      inner = MCAPBytes(input, unpacking: header.records, size: size, sums: isChecking)
    default:
      faults.add(packing: header.packing, at: place)
      outer.go(to: header.end)
      return nil
    }
    chunk = Chunk(
      place: place, size: size ?? 0, sum: header.sum, end: header.end, isCut: header.isCut)
    return .beginsChunk
  }

  private mutating func leaveOut(_ kind: MCAPFaults.Kind, at place: Int, _ end: Int) -> Step? {
    faults.add(kind, at: place)
    outer.go(to: end)
    return nil
  }

  private mutating func nextOfChunk() throws(RecordingError) -> Step? {
    guard let chunk else { return nil }
    if try inner?.isAtEnd() ?? true { return endChunk(chunk, fault: nil) }
    guard let head = try inner?.take(9) else { return endChunk(chunk, fault: .record) }
    let (kind, length) = Self.split(head)
    let record = MCAPRecord(rawValue: kind)
    guard record != .chunk else { return endChunk(chunk, fault: .nesting) }
    guard kind != 0, length <= UInt64(inner?.remaining ?? 0) else {
      return endChunk(chunk, fault: .record)
    }
    let size = Int(clamping: length)
    let seen = min(size, record == .message ? Self.longestMessage : MCAPDefinitions.head)
    guard let content = try inner?.take(seen), try inner?.skip(size - seen) == true else {
      return endChunk(chunk, fault: .record)
    }
    switch record {
    case .message?:
      guard let message = message(content, at: chunk.place) else {
        return endChunk(chunk, fault: .record)
      }
      return .message(message)
    case .schema?, .channel?:
      if let record { define(record, content, at: chunk.place) }
    default: break
    }
    return nil
  }

  /// Ends the chunk, at its end or because of the damage `fault`.
  private mutating func endChunk(_ chunk: Chunk, fault: MCAPFaults.Kind?) -> Step? {
    var fault = fault
    if let inner, !chunk.isCut {
      if fault == nil, inner.count != chunk.size { fault = .unpacking }
      if inner.isDamaged, fault != .nesting { fault = .unpacking }
      if fault == nil, isChecking, chunk.sum != 0, inner.sum?.value != chunk.sum {
        fault = .checksum
      }
    }
    // A chunk that the end of the file cuts off still has complete messages.
    if chunk.isCut { fault = nil }
    if let fault { faults.add(fault, at: chunk.place) }
    inner = nil
    self.chunk = nil
    outer.go(to: chunk.end)
    return .endsChunk(at: chunk.place, isGood: fault == nil)
  }
}
