// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import Recordings
internal import Text

/// One client of Foxglove's WebSocket protocol, version 1. The client receives the ROS 2 messages
/// to which it subscribes; `otolith record` writes the same messages.
///
/// The protocol has two subprotocol names: one that current apps use, and one in the specification
/// (github.com/foxglove/ws-protocol, docs/spec.md).
package struct FoxgloveClient: Sendable {
  package static let subprotocols = ["foxglove.sdk.v1", "foxglove.websocket.v1"]
  /// The subscription identifiers by channel.
  private var subscriptions: [UInt32: UInt32] = [:]
  /// The number of messages dropped because the client read too slowly.
  package var dropped: UInt64 = 0

  package init() {}

  /// Returns the first message to each client. `session` is different each time the server starts.
  package static func serverInfo(_ name: String, session: String) -> String {
    JSON.object([
      .init("op", .text("serverInfo")), .init("name", .text("otolith: \(name)")),
      .init("capabilities", .list([])),
      .init("metadata", .object([.init("server", .text("otolith"))])),
      .init("sessionId", .text(session)),
    ]).description
  }

  package static func advertise(_ topics: [ROSTopic]) -> String {
    let channels = topics.map { topic in
      JSON.object([
        .init("id", .count(topic.rawValue)), .init("topic", .text(topic.name)),
        .init("encoding", .text("cdr")),
        .init("schemaName", .text(topic.message.typeName)),
        .init("schema", .text(topic.message.schema)),
        .init("schemaEncoding", .text("ros2msg")),
      ])
    }
    return JSON.object([.init("op", .text("advertise")), .init("channels", .list(channels))])
      .description
  }

  package static func unadvertise(_ topics: [ROSTopic]) -> String {
    JSON.object([
      .init("op", .text("unadvertise")),
      .init("channelIds", .list(topics.map { .count($0.rawValue) })),
    ]).description
  }

  private struct Request: Decodable {
    struct Subscription: Decodable {
      var id: UInt32
      var channelId: UInt32
    }
    var op: String
    var subscriptions: [Subscription]?
    var subscriptionIds: [UInt32]?
  }

  /// Handles a message from the client. Returns the replies, which report errors in the message.
  package mutating func receive(_ text: String) -> [String] {
    guard let request = try? JSONDecoder().decode(Request.self, from: Data(text.utf8)) else {
      return [Self.status("this message is unknown to otolith")]
    }
    var complaints: [String] = []
    switch request.op {
    case "subscribe":
      for new in request.subscriptions ?? [] {
        if UInt16(exactly: new.channelId).flatMap(ROSTopic.init) == nil {
          complaints.append(Self.status("there is no channel \(new.channelId)"))
        } else if subscriptions[new.channelId] != nil {
          complaints.append(Self.status("channel \(new.channelId) has a subscription already"))
        } else if subscriptions.values.contains(new.id) {
          complaints.append(Self.status("subscription \(new.id) exists already"))
        } else {
          subscriptions[new.channelId] = new.id
        }
      }
    case "unsubscribe":
      let gone = Set(request.subscriptionIds ?? [])
      subscriptions = subscriptions.filter { !gone.contains($0.value) }
    // `clientInfo` identifies the client's app, and needs no reply.
    case "clientInfo": break
    default: complaints.append(Self.status("otolith does not support '\(request.op.prefix(40))'"))
    }
    return complaints
  }

  /// True while the client has subscriptions.
  package var wantsMessages: Bool { !subscriptions.isEmpty }

  package func wants(_ topic: ROSTopic) -> Bool { subscriptions[UInt32(topic.rawValue)] != nil }

  /// Removes all subscriptions, because their channels no longer exist.
  package mutating func forget() { subscriptions = [:] }

  /// Returns the binary form of a message; `nil` if the client has not subscribed to it.
  package func data(_ message: ROSEncoder.Message, stamp: Int64) -> [UInt8]? {
    guard let subscription = subscriptions[UInt32(message.topic.rawValue)] else { return nil }
    var bytes: [UInt8] = [1]
    for shift in stride(from: 0, to: 32, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: subscription >> UInt32(shift)))
    }
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: stamp >> Int64(shift)))
    }
    return bytes + message.bytes
  }

  private static func status(_ message: String) -> String {
    JSON.object([
      .init("op", .text("status")), .init("level", .integer(2)), .init("message", .text(message)),
    ])
    .description
  }
}
