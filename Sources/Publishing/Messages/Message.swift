// SPDX-License-Identifier: Apache-2.0

/// Bytes for a broker, and the topic that they go to.
package struct Message: Equatable, Sendable {
  package var topic: String
  package var payload: [UInt8]
  /// True where the broker keeps it for programs that subscribe later.
  package var isRetained: Bool

  package init(topic: String, payload: [UInt8], isRetained: Bool = false) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
  }
}

/// A message as a spool's file holds it: lengths of topic and payload and a sum over both, little
/// end first, then the two.
struct SpoolRecord {
  static let headerSize = 16
  /// Longer ones are none of ours, but a damaged length.
  static let longest = 1 << 20

  static func bytes(_ message: Message) -> [UInt8] {
    let topic = Array(message.topic.utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(headerSize + topic.count + message.payload.count)
    let retained: UInt32 = message.isRetained ? 1 << 31 : 0
    append(UInt64(UInt32(topic.count) | retained), 4, to: &bytes)
    append(UInt64(message.payload.count), 4, to: &bytes)
    append(sum(topic, message.payload), 8, to: &bytes)
    return bytes + topic + message.payload
  }

  let topicLength: Int
  let payloadLength: Int
  let isRetained: Bool
  private let sum: UInt64

  var size: Int { Self.headerSize + topicLength + payloadLength }

  /// Reads a header; `nil` where that is none.
  init?(header: [UInt8]) {
    guard header.count == Self.headerSize else { return nil }
    let first = Self.number(header[0..<4])
    isRetained = first >> 31 & 1 == 1
    topicLength = Int(first & 0x7FFF_FFFF)
    payloadLength = Int(Self.number(header[4..<8]))
    sum = Self.number(header[8..<16])
    guard topicLength > 0, topicLength + payloadLength <= Self.longest else { return nil }
  }

  /// Returns the message of these bytes, which follow the header; `nil` where they are damaged.
  func message(_ body: [UInt8]) -> Message? {
    guard body.count == topicLength + payloadLength else { return nil }
    let (topic, payload) = (Array(body[..<topicLength]), Array(body[topicLength...]))
    guard Self.sum(topic, payload) == sum else { return nil }
    return Message(
      topic: String(decoding: topic, as: UTF8.self), payload: payload, isRetained: isRetained)
  }

  /// FNV-1a of 64 bits: what a power cut leaves is to be known, not an enemy's work.
  private static func sum(_ parts: [UInt8]...) -> UInt64 {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for part in parts {
      for byte in part { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    return sum
  }

  private static func append(_ value: UInt64, _ count: Int, to bytes: inout [UInt8]) {
    for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
