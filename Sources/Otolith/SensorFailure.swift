// SPDX-License-Identifier: Apache-2.0

/// A chip of a running board does not answer any more, or never did.
public struct SensorFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is not sampled for that.
  public var channels: ChannelSet
  /// What is wrong and what to look at first, for people.
  public var description: String

  public init(channels: ChannelSet, description: String) {
    self.channels = channels
    self.description = description
  }
}

extension SensorFailure {
  /// What has failed of these chips of `board`, in its order; `nil` where all answer.
  init?(_ chips: [ChipState], of board: Board) {
    guard board.chips.count == chips.count else { return nil }
    var silent: ChannelSet = []
    var complaints: [String] = []
    for (chip, state) in zip(board.chips, chips) {
      guard case .failed(let error) = state else { continue }
      for row in ChipCatalog.entry(named: chip.chip)?.description.channels ?? [] {
        silent.insert(ChannelSet(row.channel))
      }
      complaints.append(chip.sentence(for: error, on: board.bus(chip.bus)))
    }
    guard !complaints.isEmpty else { return nil }
    self.init(channels: silent, description: complaints.joined(separator: "; "))
  }
}
