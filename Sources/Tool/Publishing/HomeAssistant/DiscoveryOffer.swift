// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// The entities that a board offers to Home Assistant.
package struct DiscoveryOffer: Equatable, Sendable {
  /// One entity for each quantity that the board has delivered.
  package var messages: [Message] = []
  /// The topics of entities that the board may still deliver. Retained messages with these topics
  /// are not removed.
  package var undecided: Set<String> = []

  package init() {}

  /// Creates the offer for a board with `channels`. Those in `delivered` have appeared in samples.
  /// `heading` is true once a heading has been computed, and `nil` if no heading is wanted.
  /// `isFinal` is true once every chip has had enough time to deliver each of its channels.
  package init(
    _ discovery: Discovery, channels: ChannelSet, delivered: ChannelSet, heading: Bool?,
    isDoor: Bool, isFinal: Bool
  ) {
    messages = discovery.messages(
      channels: delivered, hasHeading: heading == true,
      isDoor: isDoor && delivered.isSuperset(of: [.acceleration, .rotationRate]))
    // The first heading may come later than the first samples from all chips.
    let possible = isFinal ? delivered : channels
    let open = discovery.messages(
      channels: possible, hasHeading: heading != nil && possible.contains(.magneticField),
      isDoor: isDoor && possible.isSuperset(of: [.acceleration, .rotationRate]))
    undecided = Set(open.map(\.topic)).subtracting(messages.map(\.topic))
  }
}
