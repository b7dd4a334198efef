// SPDX-License-Identifier: Apache-2.0

/// A chip of a running board does not answer any more, or never did.
package struct SensorFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is not sampled for that.
  package var channels: ChannelSet
  /// What is wrong and what to look at first, for people.
  package var description: String

  package init(channels: ChannelSet, description: String) {
    self.channels = channels
    self.description = description
  }
}

extension SensorFailure {
  /// What has failed of these chips of `source`, in its order; `nil` where all answer.
  init?(_ chips: [ChipState], of source: any MotionSource) {
    var silent: ChannelSet = []
    var complaints: [String] = []
    for (index, state) in chips.enumerated() {
      guard case .failed(let error) = state else { continue }
      silent.formUnion(source.channels(ofChip: index))
      complaints.append(source.sentence(for: error, ofChip: index))
    }
    guard !complaints.isEmpty else { return nil }
    self.init(channels: silent, description: complaints.joined(separator: "; "))
  }
}
