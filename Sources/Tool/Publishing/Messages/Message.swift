// SPDX-License-Identifier: Apache-2.0

/// A payload for a broker, with its topic.
package struct Message: Equatable, Sendable {
  package var topic: String
  package var payload: [UInt8]
  /// True if the broker retains the message for later subscribers.
  package var isRetained: Bool

  package init(topic: String, payload: [UInt8], isRetained: Bool = false) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
  }
}
