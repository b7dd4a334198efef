// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import Recordings

/// One client that speaks Foxglove's WebSocket protocol, version 1: the messages of ROS 2 that
/// `otolith record` writes, as it subscribes to them.
///
/// Both names stand for the messages that are used here: the first is that of the apps of today,
/// the second that of the specification (github.com/foxglove/ws-protocol, docs/spec.md).
package struct FoxgloveClient: Sendable {
  package static let subprotocols = ["foxglove.sdk.v1", "foxglove.websocket.v1"]
  /// Subscriptions by their channels.
  private var subscriptions: [UInt32: UInt32] = [:]
  /// Messages that were left out as the client took too long to read.
  package var dropped: UInt64 = 0

  package init() {}

  /// The first message to each client. `session` is another for each start of the server.
  package static func serverInfo(_ name: String, session: String) -> String {
    JSON.object([
      ("op", .text("serverInfo")), ("name", .text("otolith: \(name)")),
      ("capabilities", .list([])), ("metadata", .object([("server", .text("otolith"))])),
      ("sessionId", .text(session)),
    ]).description
  }

  package static func advertise(_ topics: [ROSTopic]) -> String {
    let channels = topics.map { topic in
      JSON.object([
        ("id", .count(topic.rawValue)), ("topic", .text(topic.name)), ("encoding", .text("cdr")),
        ("schemaName", .text(topic.message.typeName)), ("schema", .text(topic.message.schema)),
        ("schemaEncoding", .text("ros2msg")),
      ])
    }
    return JSON.object([("op", .text("advertise")), ("channels", .list(channels))]).description
  }

  package static func unadvertise(_ topics: [ROSTopic]) -> String {
    JSON.object([
      ("op", .text("unadvertise")), ("channelIds", .list(topics.map { .count($0.rawValue) })),
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

  /// Takes a message; returns what is to be answered: the sentence that says what is wrong.
  package mutating func receive(_ text: String) -> [String] {
    guard let request = try? JSONDecoder().decode(Request.self, from: Data(text.utf8)) else {
      return [Self.status("this is no message that otolith knows")]
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
          complaints.append(Self.status("subscription \(new.id) is there already"))
        } else {
          subscriptions[new.channelId] = new.id
        }
      }
    case "unsubscribe":
      let gone = Set(request.subscriptionIds ?? [])
      subscriptions = subscriptions.filter { !gone.contains($0.value) }
    // The app says who it is.
    case "clientInfo": break
    default: complaints.append(Self.status("otolith knows no '\(request.op.prefix(40))'"))
    }
    return complaints
  }

  /// True where it has subscribed to anything.
  package var wantsMessages: Bool { !subscriptions.isEmpty }

  package func wants(_ topic: ROSTopic) -> Bool { subscriptions[UInt32(topic.rawValue)] != nil }

  /// Forgets what it subscribed to, as the channels are no longer there.
  package mutating func forget() { subscriptions = [:] }

  /// Returns a message as it goes over the wire: `nil` where it has not asked for it.
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
    JSON.object([("op", .text("status")), ("level", .integer(2)), ("message", .text(message))])
      .description
  }
}
