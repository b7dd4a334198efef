// SPDX-License-Identifier: Apache-2.0

/// Bytes for a broker, and the topic that they go to.
package struct Message: Equatable, Sendable {
  package var topic: String
  package var payload: [UInt8]
  /// True where the broker keeps it for programs that subscribe later.
  package var isRetained: Bool

  package init(topic: String, payload: [UInt8], isRetained: Bool = false) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
  }
}
