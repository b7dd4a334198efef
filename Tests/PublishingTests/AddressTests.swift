// SPDX-License-Identifier: Apache-2.0
import Foundation
import Publishing
import Testing

@Suite struct AddressTests {
  @Test func `host port and topic are taken apart`() throws {
    let plain = try MQTTAddress("mqtt://broker.local/home/desk/")
    #expect((plain.host, plain.port) == ("broker.local", 1883))
    #expect(plain.topic == "home/desk")
    #expect(!plain.isEncrypted)
    let encrypted = try MQTTAddress("mqtts://[fe80::1]:9999/a")
    #expect((encrypted.host, encrypted.port) == ("fe80::1", 9999))
    #expect(encrypted.isEncrypted)
    #expect(encrypted.broker == "[fe80::1]:9999")
    #expect(try MQTTAddress("mqtts://b/a").port == 8883)
  }

  @Test(arguments: [
    "", "http://h/t", "mqtt://", "mqtt:///t", "mqtt://h", "mqtt://h/", "mqtt://h:0/t",
    "mqtt://h:65536/t", "mqtt://h:x/t", "mqtt://[::1/t", "mqtt://[::1]x/t", "mqtt://h/a/+",
    "mqtt://h/#", "mqtt://h/$SYS/a", "mqtt://h/a\u{0}b",
  ])
  func `what is no place is refused`(_ text: String) {
    #expect(throws: PublishError.self) { try MQTTAddress(text) }
  }

  @Test func `a password in the address is refused with a way that ps does not show`() {
    #expect(
      throws: PublishError.address(
        "a user's name or password in an address is visible in ps(1): put them into --login-file, "
          + "or in OTOLITH_MQTT_USER and OTOLITH_MQTT_PASSWORD")
    ) { try MQTTAddress("mqtt://me:secret@h/t") }
  }

  @Test func `a localized description is the description`() throws {
    let error = try #require(#expect(throws: PublishError.self) { try MQTTAddress("mqtt://h") })
    #expect((error as any Error).localizedDescription == error.description)
  }
}
