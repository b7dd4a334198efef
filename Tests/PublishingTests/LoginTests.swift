// SPDX-License-Identifier: Apache-2.0
import Publishing
import Testing

@Suite struct LoginTests {
  @Test func `credentials of the unit are taken where none were given`() {
    let names = ["login", "ca.pem", "certificate.pem", "key.pem"].map { "/run/c/mqtt_" + $0 }
    var files = MQTTLogin.Files(login: nil, authorities: "mine.pem", own: nil, key: nil)
    files.complete(from: "/run/c", isEncrypted: true) { names.contains($0) }
    #expect(
      files
        == MQTTLogin.Files(
          login: names[0], authorities: "mine.pem", own: names[2], key: names[3]))
    var clear = MQTTLogin.Files(login: nil, authorities: nil, own: nil, key: nil)
    clear.complete(from: "/run/c", isEncrypted: false) { names.contains($0) }
    #expect(clear == MQTTLogin.Files(login: names[0], authorities: nil, own: nil, key: nil))
    var lone = MQTTLogin.Files(login: nil, authorities: nil, own: nil, key: nil)
    lone.complete(from: "/run/c", isEncrypted: true) { $0 == names[2] }
    #expect(lone.own == nil, "a certificate without its key")
  }
}
