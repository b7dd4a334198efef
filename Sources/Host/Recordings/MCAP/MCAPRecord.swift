// SPDX-License-Identifier: Apache-2.0

/// The records of an MCAP file (mcap.dev/spec) that are written or read here.
enum MCAPRecord: UInt8 {
  case header = 1
  case footer
  case schema
  case channel
  case message
  case chunk
  case messageIndex
  case chunkIndex
  case statistics = 0x0B
  case metadata
  case summaryOffset = 0x0E
  case dataEnd

  /// The magic bytes with which an MCAP file begins and ends.
  static let magic: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]

  /// The first bytes of an MCAP file: the magic and the header.
  static var beginning: [UInt8] {
    var header: [UInt8] = []
    header.append(counted: "ros2")
    header.append(counted: "otolith")
    return magic + MCAPRecord.header.bytes(header)
  }

  /// Returns the record with `content`: its kind, its length in eight bytes, and the content.
  func bytes(_ content: [UInt8]) -> [UInt8] {
    var bytes = [rawValue]
    bytes.reserveCapacity(content.count + 9)
    bytes.append(littleEndian: UInt64(content.count))
    return bytes + content
  }
}

extension [UInt8] {
  /// Appends the length of a string in four bytes, and then the string.
  mutating func append(counted text: String) { append(counted: Array(text.utf8)) }

  /// Appends the number of bytes in four bytes, and then the bytes, as for a map or an array.
  mutating func append(counted bytes: [UInt8]) {
    append(littleEndian: UInt32(bytes.count))
    self += bytes
  }
}

/// A stream of messages of one type on one topic.
package struct MCAPChannel: Equatable, Sendable {
  /// The number of the channel, which is unique in the file and not 0.
  package var id: UInt16
  package var topic: String
  /// The name and the text of the schema of the channel's messages.
  package var schemaName: String
  package var schema: String

  package init(id: UInt16, topic: String, schemaName: String, schema: String) {
    self.id = id
    self.topic = topic
    self.schemaName = schemaName
    self.schema = schema
  }

  /// Creates the channel for a ROS 2 topic.
  package init(_ topic: ROSTopic) {
    self.init(
      id: topic.rawValue, topic: topic.name, schemaName: topic.message.typeName,
      schema: topic.message.schema)
  }

  /// Returns the record of the channel's schema, which has a separate number.
  func schemaRecord(_ id: UInt16) -> [UInt8] {
    var content: [UInt8] = []
    content.append(littleEndian: id)
    content.append(counted: schemaName)
    content.append(counted: "ros2msg")
    content.append(counted: schema)
    return MCAPRecord.schema.bytes(content)
  }

  func record(schema: UInt16) -> [UInt8] {
    var content: [UInt8] = []
    content.append(littleEndian: id)
    content.append(littleEndian: schema)
    content.append(counted: topic)
    content.append(counted: "cdr")
    // The profile `ros2` of MCAP requires this metadata key of a channel.
    var metadata: [UInt8] = []
    metadata.append(counted: "offered_qos_profiles")
    metadata.append(counted: "")
    content.append(counted: metadata)
    return MCAPRecord.channel.bytes(content)
  }
}

/// A message on a channel.
package struct MCAPMessage: Equatable, Sendable {
  package var channel: UInt16
  /// The message's time in nanoseconds since 1970.
  package var time: Int64
  package var data: [UInt8]

  package init(channel: UInt16, time: Int64, data: [UInt8]) {
    self.channel = channel
    self.time = time
    self.data = data
  }
}
