// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import Testing

@testable import Publishing

/// The entities offered to Home Assistant, and the removal of those from earlier runs.
@Suite struct DiscoveryTests {
  private let discovery = Discovery(
    topic: "home/desk", identifier: "otolith_pi_home_desk", name: "Desk", model: "BME280",
    version: "1")

  private func topic(_ kind: String, _ word: String) -> String {
    "homeassistant/\(kind)/otolith_pi_home_desk/\(word)/config"
  }

  @Test func `an entity is offered once its channel has been delivered`() {
    let offer = DiscoveryOffer(
      discovery, channels: [.pressure, .humidity], delivered: [.pressure], heading: nil,
      isDoor: false, isFinal: false)
    #expect(offer.messages.map(\.topic) == [topic("sensor", "pressure")])
    #expect(offer.undecided == [topic("sensor", "humidity")])
    let final = DiscoveryOffer(
      discovery, channels: [.pressure, .humidity], delivered: [.pressure], heading: nil,
      isDoor: false, isFinal: true)
    #expect(final.messages == offer.messages && final.undecided.isEmpty)
  }

  @Test func `a heading and a door wait for what they are made of`() {
    let all: ChannelSet = [.acceleration, .rotationRate, .magneticField]
    let before = DiscoveryOffer(
      discovery, channels: all, delivered: [.acceleration], heading: false, isDoor: true,
      isFinal: false)
    let open = [topic("sensor", "heading"), topic("binary_sensor", "door")]
    #expect(before.undecided == Set(open))
    let after = DiscoveryOffer(
      discovery, channels: all, delivered: all, heading: true, isDoor: true, isFinal: false)
    #expect(after.messages.map(\.topic).suffix(2) == open)
    #expect(after.undecided.isEmpty)
  }

  /// Fusion may need longer for a first heading than chips for a first sample.
  @Test func `a heading stays open as long as there is a magnetic field`() {
    let all: ChannelSet = [.acceleration, .rotationRate, .magneticField]
    func undecided(_ delivered: ChannelSet) -> Set<String> {
      DiscoveryOffer(
        discovery, channels: all, delivered: delivered, heading: false, isDoor: false,
        isFinal: true
      ).undecided
    }
    #expect(undecided(all) == [topic("sensor", "heading")])
    #expect(undecided([.acceleration, .rotationRate]).isEmpty)
  }

  private func config(
    _ kind: String, _ word: String, state: String = "home/desk/x",
    identifier: String = "otolith_pi_home_desk", isRetained: Bool = true
  ) -> Message {
    let text = #"{"state_topic":"\#(state)","device":{"identifiers":["\#(identifier)"]}}"#
    return Message(topic: topic(kind, word), payload: Array(text.utf8), isRetained: isRetained)
  }

  @Test func `what is offered and what is undecided stays, the rest is removed once`() {
    var retained = RetainedDiscovery(discovery)
    let words = ["pressure", "humidity", "illuminance"]
    for word in words { retained.add(config("sensor", word)) }
    var offer = DiscoveryOffer(
      discovery, channels: [.pressure, .humidity], delivered: [.pressure], heading: nil,
      isDoor: false, isFinal: false)
    let gone = Message(topic: topic("sensor", "illuminance"), payload: [], isRetained: true)
    #expect(retained.removals(offer) == [gone])
    #expect(retained.removals(offer).isEmpty)
    offer.undecided = []
    #expect(retained.removals(offer).map(\.topic) == [topic("sensor", "humidity")])
  }

  @Test func `what is another program's stays`() {
    var retained = RetainedDiscovery(discovery)
    retained.add(config("sensor", "a", state: "home/other/x"))
    retained.add(config("sensor", "b", identifier: "someone"))
    retained.add(config("sensor", "c", isRetained: false))
    retained.add(
      Message(topic: topic("sensor", "d"), payload: Array("not JSON".utf8), isRetained: true))
    retained.add(Message(topic: topic("sensor", "e"), payload: [], isRetained: true))
    var elsewhere = config("sensor", "f")
    elsewhere.topic = "homeassistant/sensor/otolith_pi_home_desks/f/config"
    retained.add(elsewhere)
    #expect(retained.removals(DiscoveryOffer()).isEmpty)
  }

  @Test func `discovery has one device and no name twice`() throws {
    let discovery = Discovery(
      topic: "home/desk", identifier: "otolith_pi", name: "Desk", model: "bosch,bme280",
      version: "1")
    let messages = discovery.messages(channels: .all, hasHeading: true, isDoor: true)
    #expect(Set(messages.map(\.topic)).count == messages.count)
    let areRetained = messages.allSatisfy { $0.isRetained }
    #expect(areRetained)
    let temperature = try #require(messages.first { $0.topic.contains("temperature") })
    #expect(temperature.topic == "homeassistant/sensor/otolith_pi/temperature/config")
    #expect(
      String(decoding: temperature.payload, as: UTF8.self)
        == #"{"name":"Temperature","unique_id":"otolith_pi_temperature","#
        + #""state_topic":"home/desk/temperature","device_class":"temperature","#
        + #""unit_of_measurement":"°C","state_class":"measurement","#
        + #""value_template":"{{ value_json.temperature }}","#
        + #""availability_topic":"home/desk/status","#
        + #""device":{"identifiers":["otolith_pi"],"name":"Desk","manufacturer":"otolith","#
        + #""model":"bosch,bme280","sw_version":"1"},"#
        + #""origin":{"name":"otolith","sw_version":"1"}}"#)
  }
}
