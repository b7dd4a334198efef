// SPDX-License-Identifier: Apache-2.0

/// The entities of a board that the broker has retained from earlier runs.
struct RetainedDiscovery {
  private let discovery: Discovery
  private var topics: Set<String> = []

  init(_ discovery: Discovery) { self.discovery = discovery }

  /// Adds a message from the broker, if the message is a retained entity of this board.
  mutating func add(_ message: Message) {
    // A message without the retain flag was published during this run.
    guard message.isRetained, discovery.owns(message) else { return }
    topics.insert(message.topic)
  }

  /// Returns messages, sorted by topic, that remove the retained entities that `offer` neither
  /// contains nor leaves undecided. Each message is returned once.
  mutating func removals(_ offer: DiscoveryOffer) -> [Message] {
    let kept = offer.undecided.union(offer.messages.map(\.topic))
    let stale = topics.subtracting(kept)
    topics.subtract(stale)
    // An empty payload removes the entity from Home Assistant and from the broker.
    return stale.sorted().map { Message(topic: $0, payload: [], isRetained: true) }
  }
}
