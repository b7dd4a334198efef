// SPDX-License-Identifier: Apache-2.0
package import Fusion
package import Quantities

extension MotionPipeline {
  /// Returns the channels for which motion uses this chip, alone or together with other chips.
  package func channelsUsed(ofChip index: Int) -> ChannelSet {
    roles.indices.contains(index) ? roles[index].used : []
  }

  /// Returns the channels of this chip that are published, for motion or for a reader of the chip's
  /// separate samples.
  package func channelsPublished(ofChip index: Int) -> ChannelSet {
    roles.indices.contains(index) ? roles[index].used.union(roles[index].unused) : []
  }

  /// Returns the channels of this chip that are combined with other chips' channels.
  package func combinedChannels(ofChip index: Int) -> ChannelSet {
    roles.indices.contains(index) ? roles[index].combined : []
  }

  /// Returns the parameters for fusion of the samples of this chip alone.
  package func params(ofChip index: Int) -> FusionEngine.Params {
    (chipParams.indices.contains(index) ? chipParams[index] : nil) ?? params
  }

  /// Returns the index of the chip under which the samples of a chip are counted. For chips whose
  /// channels are combined, this is the first of them, whichever chip provided the time.
  package func stream(ofChip index: Int) -> Int {
    guard !combinedChannels(ofChip: index).isEmpty else { return index }
    return roles.firstIndex { !$0.combined.isEmpty } ?? index
  }
}
