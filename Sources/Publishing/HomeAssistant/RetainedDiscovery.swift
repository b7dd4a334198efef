// SPDX-License-Identifier: Apache-2.0

/// The entities of a board that a broker has retained from earlier runs, as the broker sends them
/// on a connection.
struct RetainedDiscovery {
  private let discovery: Discovery
  private var topics: Set<String> = []

  init(_ discovery: Discovery) { self.discovery = discovery }

  /// Adds a message of the broker, if it is a retained entity of this board.
  mutating func add(_ message: Message) {
    // What is not retained was sent by this run.
    guard message.isRetained, discovery.owns(message) else { return }
    topics.insert(message.topic)
  }

  /// Returns messages that remove the entities which `offer` neither has nor leaves open, in the
  /// order of their topics; each once.
  mutating func removals(_ offer: DiscoveryOffer) -> [Message] {
    let kept = offer.undecided.union(offer.messages.map(\.topic))
    let stale = topics.subtracting(kept)
    topics.subtract(stale)
    // Home Assistant and the broker take an empty payload for a removal.
    return stale.sorted().map { Message(topic: $0, payload: [], isRetained: true) }
  }
}
