// SPDX-License-Identifier: Apache-2.0
package import Fusion
package import Quantities
package import Redundancy

/// A chip that feeds a pipeline.
package struct PipelineChip: Sendable {
  /// The channels that the chip samples.
  package var channels: ChannelSet
  /// The channels for which motion may use the chip.
  package var uses: ChannelSet
  /// The chip's rotation and position in the device, and the offset of its clock.
  package var alignment: SensorAlignment
  /// The parameters for fusion of the samples of this chip alone; `nil` if they are not known.
  package var params: FusionEngine.Params?
  /// The properties of the chip's channels. For a channel without an entry, the properties of an
  /// unknown part are assumed.
  package var traits: [Channel: SensorTraits]

  package init(
    _ channels: ChannelSet, uses: ChannelSet = .all, alignment: SensorAlignment = .identity,
    traits: [Channel: SensorTraits] = [:]
  ) {
    self.channels = channels
    self.uses = uses
    self.alignment = alignment
    self.traits = traits
  }
}

/// The role of one chip in a pipeline.
package struct ChipRole: Equatable, Sendable {
  /// The channels that motion takes from this chip alone.
  package var alone: ChannelSet = []
  /// The channels that are combined with other chips' channels.
  package var combined: ChannelSet = []
  /// The channels that motion does not use. The temperature is listed only if other channels of the
  /// chip are combined or not used.
  package var unused: ChannelSet = []

  /// The channels for which motion uses the chip.
  package var used: ChannelSet { alone.union(combined) }
  /// The channels that are published as separate samples of the chip, in addition to the samples
  /// for motion.
  package var separate: ChannelSet { combined.union(unused) }

  /// Returns the roles of a board's chips, in the board's order. A channel that several chips
  /// sample is combined if possible; otherwise the first chip is used. The temperature comes from
  /// the barometer if there is one.
  package static func roles(of chips: [PipelineChip]) -> [ChipRole] {
    let wanted = chips.map { $0.channels.intersection($0.uses) }
    var (sampled, shared): (ChannelSet, ChannelSet) = ([], [])
    for channels in wanted {
      shared.formUnion(channels.intersection(sampled))
      sampled.formUnion(channels)
    }
    shared.formIntersection(SensorGroups.combined)
    var members = 0
    var taken = shared
    let barometer = wanted.firstIndex { $0.contains(.pressure) }
    return chips.indices.map { index in
      var role = ChipRole()
      role.combined = wanted[index].intersection(shared)
      if !role.combined.isEmpty {
        members += 1
        // If a board has more chips of a kind than a group can hold, use the first of them.
        if members > SensorGroups.capacity { role.combined = [] }
      }
      role.alone = wanted[index].subtracting(taken)
      if let barometer, index != barometer { role.alone.remove(.temperature) }
      taken.formUnion(role.alone)
      let unused = chips[index].channels.subtracting(role.used)
      // Nearly every chip measures its own temperature, so a chip does not count as unused if only
      // its temperature is unused.
      role.unused = unused == .temperature && role.combined.isEmpty ? [] : unused
      return role
    }
  }
}
