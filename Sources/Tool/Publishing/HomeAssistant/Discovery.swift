// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import Quantities
internal import Text

/// The retained messages with which Home Assistant finds a board. There is one message per entity,
/// and all entities belong to one device. The rules for payloads are in home-assistant/core,
/// `components/mqtt` (`schemas.py`, `sensor.py`, `binary_sensor.py`, `event.py`).
package struct Discovery: Sendable {
  /// The prefix of the topics to which Home Assistant subscribes.
  package var prefix = "homeassistant"
  /// The prefix of the topics to which the board publishes.
  package var topic: String
  /// A word that is unique for the device.
  package var identifier: String
  /// The display name of the device.
  package var name: String
  /// The names of the board's chips.
  package var model: String
  package var version: String

  package init(topic: String, identifier: String, name: String, model: String, version: String) {
    self.topic = topic
    self.identifier = identifier
    self.name = name
    self.model = model
    self.version = version
  }

  private typealias Field = JSON.Member

  /// Returns the messages for a source with `channels` and, with `hasHeading`, a heading. `isDoor`
  /// is true if the board is mounted on a door.
  package func messages(channels: ChannelSet, hasHeading: Bool, isDoor: Bool) -> [Message] {
    var messages: [Message] = []
    for channel in Channel.allCases where channels.contains(channel) {
      guard let (kind, unit) = Self.measure(channel) else { continue }
      if channel == .proximity {
        messages.append(
          entity(
            "binary_sensor", "proximity", "Proximity", topic: "proximity",
            [
              Field("device_class", .text("occupancy")),
              Field("value_template", .text("{{ 'ON' if value_json.proximity > 0.5 else 'OFF' }}")),
            ]))
        continue
      }
      let word = "\(channel.row.name)"
      messages.append(
        entity(
          "sensor", word, word.prefix(1).uppercased() + word.dropFirst(), topic: word,
          [
            Field("device_class", .text(kind)), Field("unit_of_measurement", .text(unit)),
            Field("state_class", .text("measurement")),
            Field("value_template", .text("{{ value_json.\(word) }}")),
          ]))
    }
    if channels.contains(.acceleration) { messages += ofMovement }
    if hasHeading {
      messages.append(
        entity(
          "sensor", "heading", "Heading", topic: "motion",
          [
            Field("unit_of_measurement", .text("\u{B0}")),
            Field("value_template", .text("{{ value_json.heading }}")),
            Field("icon", .text("mdi:compass")),
          ]))
    }
    if isDoor {
      messages.append(
        entity(
          "binary_sensor", "door", "Door", topic: "event/door",
          [
            Field("device_class", .text("door")),
            Field(
              "value_template",
              .text("{{ 'ON' if value_json.event_type == 'opened' else 'OFF' }}")),
          ]))
    }
    return messages
  }

  private var ofMovement: [Message] {
    [
      entity(
        "sensor", "orientation", "Orientation", topic: "event/orientation",
        [
          Field("device_class", .text("enum")),
          Field("options", .list(PublishedEvent.orientations.map { .text($0) })),
          Field("value_template", .text("{{ value_json.event_type }}")),
        ]),
      entity(
        "sensor", "steps", "Steps", topic: "event/step",
        [
          Field("state_class", .text("total_increasing")),
          Field("value_template", .text("{{ value_json.numberOfSteps }}")),
          Field("icon", .text("mdi:walk")),
        ]),
      entity(
        "event", "shake", "Shake", topic: "event/shake",
        [Field("event_types", .list([.text("shake")]))]),
      entity(
        "event", "fall", "Fall", topic: "event/fall",
        [Field("event_types", .list([.text("fall")]))]),
    ]
  }

  private func entity(
    _ component: String, _ word: String, _ title: String, topic: String, _ own: [Field]
  ) -> Message {
    let device: JSON = .object([
      Field("identifiers", .list([.text(identifier)])), Field("name", .text(name)),
      Field("manufacturer", .text("otolith")), Field("model", .text(model)),
      Field("sw_version", .text(version)),
    ])
    let fields =
      [
        Field("name", .text(title)), Field("unique_id", .text("\(identifier)_\(word)")),
        Field("state_topic", .text("\(self.topic)/\(topic)")),
      ] + own + [
        Field("availability_topic", .text("\(self.topic)/status")), Field("device", device),
        Field(
          "origin",
          .object([Field("name", .text("otolith")), Field("sw_version", .text(version))])),
      ]
    return Message(
      topic: "\(prefix)/\(component)/\(identifier)/\(word)/config",
      payload: JSON.object(fields).bytes, isRetained: true)
  }

  /// Returns Home Assistant's device class and unit for a channel; `nil` if the channel gets no
  /// entity.
  private static func measure(_ channel: Channel) -> (kind: String, unit: String)? {
    switch channel {
    case .pressure: ("atmospheric_pressure", "kPa")
    case .temperature: ("temperature", "\u{B0}C")
    case .humidity: ("humidity", "%")
    case .illuminance: ("illuminance", "lx")
    case .proximity: ("occupancy", "")
    case .acceleration, .rotationRate, .magneticField: nil
    }
  }

  /// The topic filter for all entities of this board.
  var filter: String { "\(prefix)/+/\(identifier)/+/config" }

  /// Returns true if a message announces an entity of this board. The topic alone does not show
  /// this, because another program may use this board's word in its topics.
  func owns(_ message: Message) -> Bool {
    let levels = message.topic.split(separator: "/", omittingEmptySubsequences: false)
    guard message.topic.hasPrefix(prefix + "/"), message.topic.hasSuffix("/config"),
      levels.count >= 4, levels[levels.count - 3] == identifier,
      let object = try? JSONSerialization.jsonObject(with: Data(message.payload)),
      let fields = object as? [String: Any], let state = fields["state_topic"] as? String,
      let device = fields["device"] as? [String: Any],
      let identifiers = device["identifiers"] as? [String]
    else { return false }
    return state.hasPrefix(topic + "/") && identifiers.contains(identifier)
  }

  /// Converts `text` to a word for identifiers and topics, which contains only letters, digits and
  /// `_`.
  package static func word(_ text: String) -> String {
    let word = text.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    return String(word)
  }
}
