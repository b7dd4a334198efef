// SPDX-License-Identifier: Apache-2.0

/// A chip of a running board that stopped answering, or never answered.
package struct SensorFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// The channels that are therefore not sampled.
  package var channels: ChannelSet
  /// The problem and the first thing to check, for people.
  package var description: String

  package init(channels: ChannelSet, description: String) {
    self.channels = channels
    self.description = description
  }
}

extension SensorFailure {
  /// Creates the failure for these chips of `source`, in its order; `nil` if all answer.
  init?(_ chips: [ChipState], of source: any MotionSource) {
    guard let silence = source.silence(of: chips) else { return nil }
    self.init(channels: silence.channels, description: silence.description)
  }
}
