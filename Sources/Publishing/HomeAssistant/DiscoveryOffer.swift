// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// The entities that a board offers to Home Assistant.
package struct DiscoveryOffer: Equatable, Sendable {
  /// An entity for each thing that the board has delivered.
  package var messages: [Message] = []
  /// Topics of entities that the board may still deliver: what is retained there stays.
  package var undecided: Set<String> = []

  package init() {}

  /// Makes the offer of a board of `channels`, of which `delivered` have been seen in samples.
  /// `heading`: `nil` where none is asked for, else true where motion has had one. `isSettled`:
  /// true where every chip has given samples long enough for each of its channels.
  package init(
    _ discovery: Discovery, channels: ChannelSet, delivered: ChannelSet, heading: Bool?,
    isDoor: Bool, isSettled: Bool
  ) {
    messages = discovery.messages(
      channels: delivered, hasHeading: heading == true,
      isDoor: isDoor && delivered.isSuperset(of: [.acceleration, .rotationRate]))
    // A first heading may take longer than first samples of every chip.
    let possible = isSettled ? delivered : channels
    let open = discovery.messages(
      channels: possible, hasHeading: heading != nil && possible.contains(.magneticField),
      isDoor: isDoor && possible.isSuperset(of: [.acceleration, .rotationRate]))
    undecided = Set(open.map(\.topic)).subtracting(messages.map(\.topic))
  }
}
