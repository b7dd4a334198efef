// SPDX-License-Identifier: Apache-2.0

/// The encoding of a message in a spool file: a header with its own checksum, then the topic and
/// the payload.
///
/// The header is little endian. It has the marker, the length of the topic (bit 31: retained) and
/// the length of the payload with 4 bytes each, then the message number, the checksum of the body
/// and the checksum of the preceding header with 8 bytes each.
struct SpoolRecord {
  static let headerSize = 36
  /// The largest length of topic and payload together, in bytes.
  static let longest = 1 << 20
  /// The limit for message numbers. Larger numbers are treated as damage, so that sums of numbers
  /// cannot overflow.
  static let numberLimit: Spool.Index = 1 << 62
  /// The bytes that start each record. 0xFF never occurs in UTF-8, so JSON text cannot contain the
  /// marker.
  static let marker: [UInt8] = [0xFF, 0x53, 0x50, 0x4C]

  /// Returns the record for `message`; `nil` if the message is too long.
  static func bytes(_ message: Message, number: Spool.Index) -> [UInt8]? {
    let body = Array(message.topic.utf8) + message.payload
    let topicLength = message.topic.utf8.count
    guard topicLength > 0, body.count <= longest else { return nil }
    var bytes = marker
    bytes.reserveCapacity(headerSize + body.count)
    let retained: UInt32 = message.isRetained ? 1 << 31 : 0
    append(UInt64(UInt32(topicLength) | retained), 4, to: &bytes)
    append(UInt64(message.payload.count), 4, to: &bytes)
    append(number, 8, to: &bytes)
    append(sum(body[...]), 8, to: &bytes)
    append(sum(bytes[...]), 8, to: &bytes)
    return bytes + body
  }

  let number: Spool.Index
  let topicLength: Int
  let payloadLength: Int
  let isRetained: Bool
  private let bodySum: UInt64

  var size: Int { Self.headerSize + topicLength + payloadLength }

  /// Parses a header. Returns `nil` if the header is damaged or missing.
  init?(header: [UInt8]) {
    guard header.count == Self.headerSize, header.starts(with: Self.marker),
      Self.sum(header[..<28]) == Self.number(header[28...])
    else { return nil }
    let first = Self.number(header[4..<8])
    isRetained = first >> 31 & 1 == 1
    topicLength = Int(first & 0x7FFF_FFFF)
    payloadLength = Int(Self.number(header[8..<12]))
    number = Self.number(header[12..<20])
    bodySum = Self.number(header[20..<28])
    guard topicLength > 0, topicLength + payloadLength <= Self.longest, number < Self.numberLimit
    else { return nil }
  }

  /// Returns the message whose body follows the header; `nil` if the body is damaged.
  func message(_ body: [UInt8]) -> Message? {
    guard body.count == topicLength + payloadLength, Self.sum(body[...]) == bodySum else {
      return nil
    }
    return Message(
      topic: String(decoding: body[..<topicLength], as: UTF8.self),
      payload: Array(body[topicLength...]), isRetained: isRetained)
  }

  /// Returns the 64-bit FNV-1a hash. Each step is reversible, so the hash detects any damage within
  /// one byte. The hash protects against faulty disks and power failures, not against attackers.
  static func sum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  private static func append(_ value: UInt64, _ count: Int, to bytes: inout [UInt8]) {
    for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
