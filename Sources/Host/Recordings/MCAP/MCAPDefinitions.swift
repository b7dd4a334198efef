// SPDX-License-Identifier: Apache-2.0

/// The channels of an MCAP file, and the types of their messages.
struct MCAPDefinitions: Sendable {
  struct Channel: Equatable, Sendable {
    var schema: UInt16
    var topic: String
    var encoding: String
  }

  enum Outcome {
    case taken
    case damaged
    /// The file's channel or schema already has another definition.
    case contradicts
  }

  private(set) var channels: [UInt16: Channel] = [:]
  private var schemas: [UInt16: String] = [:]
  /// The total length in bytes of the names so far, which is limited. The names in the largest
  /// files have a few thousand bytes.
  private var size = 0
  private static let largest = 1 << 24
  /// The number of bytes that are read from the start of a definition, which contains the names.
  static let head = 1 << 14

  /// Returns the name of the type of a channel's messages, such as `sensor_msgs/msg/Imu`; empty if
  /// the type is not defined.
  func type(of channel: Channel) -> String {
    let name = schemas[channel.schema] ?? ""
    // Some ROS 2 writers leave `msg` out of the names of types.
    let parts = name.split(separator: "/")
    guard channel.encoding == "cdr", parts.count == 2 else { return name }
    return "\(parts[0])/msg/\(parts[1])"
  }

  /// Adds the definition of a schema or a channel; `content` is the start of its record, at least
  /// as far as the fields that are read here.
  mutating func add(_ kind: MCAPRecord, _ content: ArraySlice<UInt8>) -> Outcome {
    var fields = MCAPFields(content)
    guard size <= Self.largest, let id = fields.integer(UInt16.self) else { return .damaged }
    if kind == .schema {
      guard let name = fields.text() else { return .damaged }
      size += name.utf8.count
      if let known = schemas[id] { return known == name ? .taken : .contradicts }
      schemas[id] = name
    } else {
      guard let schema = fields.integer(UInt16.self), let topic = fields.text(),
        let encoding = fields.text()
      else { return .damaged }
      let channel = Channel(schema: schema, topic: topic, encoding: encoding)
      size += topic.utf8.count + encoding.utf8.count
      if let known = channels[id] { return known == channel ? .taken : .contradicts }
      channels[id] = channel
    }
    return .taken
  }
}
