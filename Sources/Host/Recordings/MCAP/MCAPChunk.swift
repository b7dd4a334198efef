// SPDX-License-Identifier: Apache-2.0

/// A chunk of messages with its indexes.
struct MCAPChunk {
  private(set) var records: [UInt8] = []
  private(set) var count = 0
  private(set) var first: Int64 = .max
  private(set) var last: Int64 = .min
  /// The time and the position of each message in the chunk, by channel.
  private var places: [UInt16: [(time: Int64, offset: UInt64)]] = [:]

  private static let mostBytes = 1 << 20

  /// True if the chunk should be written, because the chunk spans a second or has many messages.
  var isLong: Bool {
    guard count > 1 else { return false }
    return Double(last) - Double(first) >= 1e9 || records.count >= Self.mostBytes
  }

  mutating func add(_ message: MCAPMessage, sequence: UInt32) {
    places[message.channel, default: []].append((message.time, UInt64(records.count)))
    var content: [UInt8] = []
    content.reserveCapacity(message.data.count + 22)
    content.append(littleEndian: message.channel)
    content.append(littleEndian: sequence)
    content.append(littleEndian: message.time)
    content.append(littleEndian: message.time)
    content += message.data
    records += MCAPRecord.message.bytes(content)
    count += 1
    first = min(first, message.time)
    last = max(last, message.time)
  }

  /// Returns the chunk with its message indexes for the position `offset` in the file, and the
  /// chunk's entry in the file's summary.
  func written(at offset: Int) -> (bytes: [UInt8], index: [UInt8]) {
    var content: [UInt8] = []
    content.append(littleEndian: first)
    content.append(littleEndian: last)
    content.append(littleEndian: UInt64(records.count))
    content.append(littleEndian: CRC32.of(records))
    let packed = Zstandard.shared?.packed(records)
    let packing = packed == nil ? "" : "zstd"
    let body = packed ?? records
    content.append(counted: packing)
    content.append(littleEndian: UInt64(body.count))
    content += body
    let chunk = MCAPRecord.chunk.bytes(content)
    var bytes = chunk
    var offsets: [UInt8] = []
    for (channel, places) in places.sorted(by: { $0.key < $1.key }) {
      offsets.append(littleEndian: channel)
      offsets.append(littleEndian: UInt64(offset + bytes.count))
      var entries: [UInt8] = []
      for place in places {
        entries.append(littleEndian: place.time)
        entries.append(littleEndian: place.offset)
      }
      var content: [UInt8] = []
      content.append(littleEndian: channel)
      content.append(counted: entries)
      bytes += MCAPRecord.messageIndex.bytes(content)
    }
    var index: [UInt8] = []
    for number in [first, last, Int64(offset), Int64(chunk.count)] {
      index.append(littleEndian: number)
    }
    index.append(counted: offsets)
    index.append(littleEndian: UInt64(bytes.count - chunk.count))
    index.append(counted: packing)
    index.append(littleEndian: UInt64(body.count))
    index.append(littleEndian: UInt64(records.count))
    return (bytes, MCAPRecord.chunkIndex.bytes(index))
  }
}

/// The summary, which is at the end of an MCAP file.
struct MCAPSummary {
  let channels: [MCAPChannel]
  private var chunkIndexes: [UInt8] = []
  private var chunks: UInt32 = 0
  private var messages: [UInt16: UInt64] = [:]
  private var first: Int64 = .max
  private var last: Int64 = .min

  init(channels: [MCAPChannel]) { self.channels = channels }

  /// True if no chunk has been written to the file yet.
  var isEmpty: Bool { chunks == 0 }

  /// Counts a message and returns its sequence number in its channel.
  mutating func count(_ message: MCAPMessage) -> UInt32 {
    let count = messages[message.channel, default: 0] + 1
    messages[message.channel] = count
    return UInt32(truncatingIfNeeded: count)
  }

  mutating func add(_ chunk: MCAPChunk, index: [UInt8]) {
    chunkIndexes += index
    chunks += 1
    first = min(first, chunk.first)
    last = max(last, chunk.last)
  }

  /// The schema records, one for each name, and the channel records.
  var definitions: (schemas: [UInt8], channels: [UInt8], count: Int) {
    var (schemas, records): ([UInt8], [UInt8]) = ([], [])
    var names: [String] = []
    for channel in channels {
      let known = names.firstIndex(of: channel.schemaName)
      let number = UInt16((known ?? names.count) + 1)
      if known == nil {
        names.append(channel.schemaName)
        schemas += channel.schemaRecord(number)
      }
      records += channel.record(schema: number)
    }
    return (schemas, records, names.count)
  }

  /// The shortest valid end of an MCAP file, which has no summary.
  static let shortest = dataEnd + footer(summary: 0, offsets: 0, sum: 0) + MCAPRecord.magic

  /// The number of bytes of the footer and of the magic bytes after it.
  static let footerLength = 37

  static let dataEnd = MCAPRecord.dataEnd.bytes([0, 0, 0, 0])

  private static func footer(summary: Int, offsets: Int, sum: UInt32) -> [UInt8] {
    var content: [UInt8] = []
    content.append(littleEndian: UInt64(summary))
    content.append(littleEndian: UInt64(offsets))
    content.append(littleEndian: sum)
    return MCAPRecord.footer.bytes(content)
  }

  /// Returns the bytes of the end of an MCAP file whose data section ends at `offset`.
  func end(at offset: Int) -> [UInt8] {
    let definitions = definitions
    let groups: [(MCAPRecord, [UInt8])] = [
      (.schema, definitions.schemas), (.channel, definitions.channels),
      (.chunkIndex, chunkIndexes), (.statistics, statistics(schemas: definitions.count)),
    ]
    let start = offset + Self.dataEnd.count
    var (summary, offsets): ([UInt8], [UInt8]) = ([], [])
    for (kind, records) in groups where !records.isEmpty {
      var content = [kind.rawValue]
      content.append(littleEndian: UInt64(start + summary.count))
      content.append(littleEndian: UInt64(records.count))
      offsets += MCAPRecord.summaryOffset.bytes(content)
      summary += records
    }
    let place = start + summary.count
    summary += offsets
    // The summary's checksum includes the first two fields of the footer.
    let blank = Self.footer(summary: start, offsets: place, sum: 0)
    var sum = CRC32()
    sum.add(summary)
    sum.add(blank.dropLast(4))
    return Self.dataEnd + summary + Self.footer(summary: start, offsets: place, sum: sum.value)
      + MCAPRecord.magic
  }

  private func statistics(schemas: Int) -> [UInt8] {
    var content: [UInt8] = []
    content.append(littleEndian: messages.values.reduce(0, +))
    content.append(littleEndian: UInt16(schemas))
    for count in [UInt32(channels.count), 0, 0, chunks] { content.append(littleEndian: count) }
    content.append(littleEndian: chunks > 0 ? first : 0)
    content.append(littleEndian: chunks > 0 ? last : 0)
    var counts: [UInt8] = []
    for (channel, count) in messages.sorted(by: { $0.key < $1.key }) {
      counts.append(littleEndian: channel)
      counts.append(littleEndian: count)
    }
    content.append(counted: counts)
    return MCAPRecord.statistics.bytes(content)
  }
}
