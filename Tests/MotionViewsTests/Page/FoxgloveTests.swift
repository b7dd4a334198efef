// SPDX-License-Identifier: Apache-2.0
import Foundation
import MotionViews
import Recordings
import Testing

/// Foxglove's WebSocket protocol, typed from github.com/foxglove/ws-protocol, docs/spec.md.
@Suite struct FoxgloveTests {
  private func read(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func `a server says who it is and what it has`() throws {
    let about = try read(FoxgloveClient.serverInfo("bench", session: "7"))
    #expect(about["op"] as? String == "serverInfo" && about["name"] as? String == "otolith: bench")
    #expect((about["capabilities"] as? [String])?.isEmpty == true)
    #expect(about["sessionId"] as? String == "7")
    let offer = try read(FoxgloveClient.advertise([.imu, .transform]))
    #expect(offer["op"] as? String == "advertise")
    let channels = try #require(offer["channels"] as? [[String: Any]])
    #expect(channels.map { $0["topic"] as? String } == ["/imu/data", "/tf"])
    #expect(channels[0]["id"] as? Int == 1 && channels[0]["encoding"] as? String == "cdr")
    #expect(channels[0]["schemaName"] as? String == "sensor_msgs/msg/Imu")
    #expect(channels[0]["schemaEncoding"] as? String == "ros2msg")
    let schema = try #require(channels[0]["schema"] as? String)
    #expect(schema.contains("float64[9] orientation_covariance"))
    #expect(schema.contains("MSG: geometry_msgs/Quaternion"))
    let end = try read(FoxgloveClient.unadvertise([.imu]))
    #expect(end["op"] as? String == "unadvertise" && end["channelIds"] as? [Int] == [1])
  }

  @Test func `a message goes to whoever has subscribed to it, little endian`() {
    var client = FoxgloveClient()
    #expect(!client.wantsMessages)
    #expect(
      client.receive(
        #"{"op":"subscribe","subscriptions":[{"id":258,"channelId":1},{"id":3,"channelId":9}]}"#)
        == [])
    #expect(client.wantsMessages && client.wants(.imu) && !client.wants(.pressure))
    #expect(
      client.data((.imu, [0xAA, 0xBB]), stamp: 0x0102_0304_0506_0708)
        == [1, 2, 1, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1, 0xAA, 0xBB])
    #expect(client.data((.pressure, []), stamp: 0) == nil)
    #expect(client.receive(#"{"op":"unsubscribe","subscriptionIds":[258]}"#) == [])
    #expect(client.data((.imu, []), stamp: 0) == nil && client.wants(.transform))
  }

  @Test func `mistakes are answered by a status of an error`() throws {
    var client = FoxgloveClient()
    _ = client.receive(#"{"op":"subscribe","subscriptions":[{"id":1,"channelId":1}]}"#)
    for text in [
      "", "[]", "{}", "null", #"{"op":"advertise"}"#,
      #"{"op":"subscribe","subscriptions":[{"id":2,"channelId":1}]}"#,
      #"{"op":"subscribe","subscriptions":[{"id":1,"channelId":2}]}"#,
      #"{"op":"subscribe","subscriptions":[{"id":9,"channelId":99}]}"#,
      #"{"op":"subscribe","subscriptions":[{"id":-1,"channelId":1}]}"#,
      #"{"op":"subscribe","subscriptions":"all"}"#,
    ] {
      let answers = client.receive(text)
      #expect(answers.count == 1, "\(text)")
      let answer = try read(answers.first ?? "{}")
      #expect(answer["op"] as? String == "status" && answer["level"] as? Int == 2, "\(text)")
      #expect(answer["message"] is String)
    }
    #expect(client.receive(#"{"op":"clientInfo","name":"x"}"#) == [])
  }
}
