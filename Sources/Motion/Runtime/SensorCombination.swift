// SPDX-License-Identifier: Apache-2.0
internal import Fusion
package import Quantities
internal import Redundancy

/// Combines the samples of a board's chips into the samples of one virtual IMU. Samples of a chip
/// that has no combined channels are passed on unchanged.
package struct SensorCombination: Sendable {
  private let chips: [PipelineChip]
  private let roles: [ChipRole]
  /// The number of each chip in the groups; `nil` if its samples are passed on unchanged.
  private var members: [Int?]
  /// The groups of all channels, as the only element of an array. They are in an array because the
  /// compiler expanded each copy of a value of this size into 200 kB of code.
  private var groups: [SensorGroups] = []
  /// The value of `changes` at the last call of `hasChanged`.
  private var reported: UInt32 = 0

  /// Creates the combination for a board's chips, given in the board's order.
  package init(_ chips: [PipelineChip]) {
    self.init(chips, ChipRole.roles(of: chips))
  }

  init(_ chips: [PipelineChip], _ roles: [ChipRole]) {
    self.chips = chips
    self.roles = roles
    members = [Int?](repeating: nil, count: chips.count)
    restart()
  }

  /// The channels from which motion is computed.
  package var channels: ChannelSet {
    roles.reduce(into: ChannelSet()) { $0.formUnion($1.used) }
  }

  /// Discards all samples and conditions, because the chips restart.
  mutating func restart() {
    groups = [SensorGroups()]
    reported = 0
    // Put the chips with combined channels first, because a group can hold a limited number of
    // chips. The other chips may have the gyroscope that is needed to move accelerations to a
    // common point.
    let combined = roles.indices.filter { !roles[$0].combined.isEmpty }
    let others = roles.indices.filter { roles[$0].combined.isEmpty && !roles[$0].alone.isEmpty }
    for index in combined.isEmpty ? [] : combined + others {
      let chip = chips[index]
      members[index] = groups[0].add(chipWith: roles[index].used, alignment: chip.alignment) {
        chip.traits[$0] ?? SensorTraits($0, interval: 0.01)
      }
    }
  }

  /// Adds a sample of a chip. Returns the sample for motion that is due, if any. It contains the
  /// channels that motion takes from this chip alone, and the channels that were combined at this
  /// moment.
  package mutating func add(_ sample: Sample, from chip: Int) -> Sample? {
    var used = sample
    used.channels.formIntersection(roles[chip].used)
    guard !used.channels.isEmpty else { return nil }
    guard let member = members[chip] else { return used }
    return groups[0].add(used, from: member)
  }

  /// Informs fusion how much less certain than usual the channels of a combined sample are, and
  /// lets the bias that fusion has found decide which of two gyroscopes is wrong.
  mutating func exchangeDoubts(with engine: inout FusionEngine, for channels: ChannelSet) {
    let doubts = groups[0].doubts(of: channels) { (engine.gyroBias, engine.gyroBiasCovariance) }
    guard doubts != SensorDoubts() else { return }
    let bias = doubts.bias
    engine.shift(gyroBias: bias.change, doubt: bias.doubt, lasting: bias.seconds)
    engine.widen(rotationRate: doubts.rotationRate, acceleration: doubts.acceleration)
  }

  /// Returns true if a condition has changed since the last call.
  @inline(__always)
  mutating func hasChanged() -> Bool {
    let changes = groups[0].changes
    guard changes != reported else { return false }
    reported = changes
    return true
  }

  /// Returns the conditions of a chip's combined channels.
  func conditions(ofChip chip: Int) -> [ChannelCondition] {
    guard members.indices.contains(chip), let member = members[chip] else { return [] }
    return Channel.allCases.compactMap { channel in
      groups[0].condition(ofChip: member, channel: channel).map { ChannelCondition(channel, $0) }
    }
  }
}
