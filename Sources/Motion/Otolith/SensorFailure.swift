// SPDX-License-Identifier: Apache-2.0

/// The error that chips of a running board do not respond.
package struct SensorFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// The channels that are not sampled because of the failure.
  package var channels: ChannelSet
  /// The failure and the first thing to check, as a message for users.
  package var description: String

  package init(channels: ChannelSet, description: String) {
    self.channels = channels
    self.description = description
  }
}

extension SensorFailure {
  /// Creates the failure for the chips of `source`, given in its order; `nil` if all chips respond.
  init?(_ chips: [ChipState], of source: any MotionSource) {
    guard let silence = source.silence(of: chips) else { return nil }
    self.init(channels: silence.channels, description: silence.description)
  }
}
