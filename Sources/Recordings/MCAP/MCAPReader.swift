// SPDX-License-Identifier: Apache-2.0

/// Reads the messages of an MCAP file from its beginning to its end, in the order in which they
/// were written; a file that was cut off has what is there.
struct MCAPReader {
  /// The reason why a file, or a message of it, cannot be read.
  enum Fault: Error, Equatable {
    /// The bytes of a record at this place make no sense.
    case damaged(at: Int)
    /// A chunk is packed, by this name.
    case packed(String)
  }

  struct Channel {
    var topic: String
    /// `sensor_msgs/msg/Imu`.
    var message: String
    var encoding: String
  }

  struct Message {
    var channel: Channel
    /// The time at which it was written, nanoseconds.
    var time: Int64
    var data: ArraySlice<UInt8>
  }

  /// True where bytes begin as such a file does.
  static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: MCAPRecord.magic) }

  /// The bytes that were unpacked, of which a recording may have no more than of others.
  private var unpackedBytes: UInt64 = 0
  private var schemas: [UInt16: String] = [:]
  private var channels: [UInt16: Channel] = [:]

  /// Hands on the messages one by one.
  mutating func read(_ bytes: [UInt8], _ take: (Message) -> Void) throws(Fault) {
    try records(bytes[MCAPRecord.magic.count...], take)
  }

  /// Records until the footer, or where the bytes end.
  private mutating func records(
    _ bytes: ArraySlice<UInt8>, _ take: (Message) -> Void
  ) throws(Fault) {
    var fields = Fields(bytes)
    while let kind = fields.integer(UInt8.self), let length = fields.integer(UInt64.self) {
      let start = fields.place - 9
      guard let content = fields.bytes(length) else { return }
      let record = MCAPRecord(rawValue: kind)
      if record == .footer || record == .dataEnd { return }
      try self.record(record, Fields(content), at: start, take)
    }
  }

  private mutating func record(
    _ kind: MCAPRecord?, _ content: Fields, at start: Int, _ take: (Message) -> Void
  ) throws(Fault) {
    var fields = content
    switch kind {
    case .schema:
      guard let id = fields.integer(UInt16.self), let name = fields.text() else {
        throw .damaged(at: start)
      }
      schemas[id] = name
    case .channel:
      guard let id = fields.integer(UInt16.self), let schema = fields.integer(UInt16.self),
        let topic = fields.text(), let encoding = fields.text()
      else { throw .damaged(at: start) }
      channels[id] = Channel(
        topic: topic, message: schemas[schema] ?? "", encoding: encoding)
    case .message:
      guard let id = fields.integer(UInt16.self), fields.integer(UInt32.self) != nil,
        let time = fields.integer(Int64.self), fields.integer(UInt64.self) != nil,
        let channel = channels[id]
      else { throw .damaged(at: start) }
      take(Message(channel: channel, time: time, data: fields.rest))
    case .chunk:
      guard fields.bytes(16) != nil, let size = fields.integer(UInt64.self),
        let sum = fields.integer(UInt32.self), let packing = fields.text(),
        let length = fields.integer(UInt64.self), let records = fields.bytes(length)
      else { throw .damaged(at: start) }
      let plain = try unpacked(records, packing, size, at: start)
      guard sum == 0 || CRC32.of(plain) == sum else { throw .damaged(at: start) }
      try self.records(plain, take)
    default: break
    }
  }

  private mutating func unpacked(
    _ records: ArraySlice<UInt8>, _ packing: String, _ size: UInt64, at start: Int
  ) throws(Fault) -> ArraySlice<UInt8> {
    switch packing {
    case "":
      guard size == UInt64(records.count) else { throw .damaged(at: start) }
      return records
    case "zstd":
      guard let library = Zstandard.shared else { throw .packed(packing) }
      guard size <= UInt64(RecordingBytes.largest) - unpackedBytes,
        let plain = library.unpacked(records, count: Int(size))
      else { throw .damaged(at: start) }
      unpackedBytes += size
      return plain[...]
    default: throw .packed(packing)
    }
  }

  /// The fields of a record, one after the other; `nil` beyond its end.
  private struct Fields {
    private let content: ArraySlice<UInt8>
    private(set) var place: Int

    init(_ content: ArraySlice<UInt8>) {
      self.content = content
      place = content.startIndex
    }

    var rest: ArraySlice<UInt8> { content[place...] }

    mutating func bytes(_ count: UInt64) -> ArraySlice<UInt8>? {
      guard count <= UInt64(content.endIndex - place) else { return nil }
      defer { place += Int(count) }
      return content[place..<(place + Int(count))]
    }

    mutating func integer<Integer: FixedWidthInteger>(_: Integer.Type) -> Integer? {
      guard let bytes = bytes(UInt64(Integer.bitWidth / 8)) else { return nil }
      return bytes.reversed().reduce(0) { $0 << 8 | Integer(truncatingIfNeeded: $1) }
    }

    mutating func text() -> String? {
      guard let length = integer(UInt32.self), let bytes = bytes(UInt64(length)) else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}
