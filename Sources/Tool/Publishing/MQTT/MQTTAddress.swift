// SPDX-License-Identifier: Apache-2.0

/// The address of a broker, with a topic: `mqtt://host/topic` or `mqtts://host:port/topic`.
package struct MQTTAddress: Equatable, Sendable {
  package var host: String
  package var port: UInt16
  package var isEncrypted: Bool
  /// The prefix of every topic, without a trailing slash.
  package var topic: String

  /// Parses an address. Throws `.address` with a message that describes the error.
  package init(_ text: String) throws(PublishError) {
    let rest: Substring
    if text.hasPrefix("mqtt://") {
      (rest, isEncrypted) = (text.dropFirst(7), false)
    } else if text.hasPrefix("mqtts://") {
      (rest, isEncrypted) = (text.dropFirst(8), true)
    } else {
      throw .address(
        "'\(text)' is not an address to publish to; use mqtt://host/topic or "
          + "mqtts://...")
    }
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    let authority = rest[..<slash]
    guard !authority.contains("@") else {
      throw .address(
        "a user's name or password in an address is visible in ps(1): put them into --login-file, "
          + "or in OTOLITH_MQTT_USER and OTOLITH_MQTT_PASSWORD")
    }
    (host, port) = try Self.place(authority, standard: isEncrypted ? 8883 : 1883)
    var path = rest[slash...].drop { $0 == "/" }
    while path.last == "/" { path.removeLast() }
    topic = String(path)
    guard !topic.isEmpty else {
      throw .address("'\(text)' has no topic: append one to the host, mqtt://host/home/desk")
    }
    if let fault = Self.fault(ofTopic: topic) { throw .address("topic '\(topic)': \(fault)") }
  }

  /// The broker's host and port, as users read them.
  package var broker: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

  private static func place(
    _ authority: Substring, standard: UInt16
  ) throws(PublishError) -> (String, UInt16) {
    var name = authority
    var number: Substring?
    if authority.first == "[" {
      guard let end = authority.firstIndex(of: "]") else {
        throw .address("'\(authority)' begins with [ and has no ]")
      }
      name = authority[authority.index(after: authority.startIndex)..<end]
      let rest = authority[authority.index(after: end)...]
      guard rest.isEmpty || rest.first == ":" else {
        throw .address("after the host comes :port or /topic, and not '\(rest)'")
      }
      number = rest.isEmpty ? nil : rest.dropFirst()
    } else if let colon = authority.firstIndex(of: ":") {
      name = authority[..<colon]
      number = authority[authority.index(after: colon)...]
    }
    guard !name.isEmpty else { throw .address("the address names no host") }
    guard let number else { return (String(name), standard) }
    guard let port = UInt16(number), port > 0 else {
      throw .address("'\(number)' is not a port (1 to 65535)")
    }
    return (String(name), port)
  }

  /// Returns the reason why a topic cannot be used for publishing (MQTT 3.1.1, section 4.7); `nil`
  /// if the topic is valid.
  package static func fault(ofTopic topic: String) -> String? {
    if topic.contains(where: { $0 == "+" || $0 == "#" }) {
      return "+ and # are for subscriptions only"
    }
    if topic.hasPrefix("$") { return "topics that begin with $ are reserved for the broker" }
    if topic.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      return "it has a control character"
    }
    return topic.utf8.count > 1024 ? "it is longer than 1024 bytes" : nil
  }
}
