// SPDX-License-Identifier: Apache-2.0
package import Quantities
package import Registers

extension ChannelSet {
  /// The channels without which there is no motion.
  fileprivate static var motion: ChannelSet {
    ChannelSet(Channel.allCases.filter { $0.row.isInMotion && $0 != .temperature })
  }
}

extension ChipState {
  /// True if the chip does not respond.
  package var isFailed: Bool { if case .failed = self { true } else { false } }
}

extension MotionSource {
  /// Returns the channels that are missing because chips have failed, and messages with the
  /// reasons; `nil` if nothing is missing. A channel is missing once all chips that provide it for
  /// motion have failed. If `needed` is given, chips without any of these channels are ignored. If
  /// a service or an adapter is missing, one message covers all its chips.
  package func silence(
    of chips: [ChipState], needed: ChannelSet? = nil
  ) -> (channels: ChannelSet, description: String)? {
    var channels: ChannelSet = []
    var sentences: [String] = []
    for (index, chip) in chips.enumerated() {
      guard case .failed(let error) = chip else { continue }
      let missing = channelsMissing(ofChip: index, chips)
      // A chip that only detects events has no channels.
      if missing.isEmpty, !self.channels(ofChip: index).isEmpty { continue }
      if let needed, missing.isDisjoint(with: needed) { continue }
      channels.formUnion(missing)
      let sentence = sentence(for: error, ofChip: index)
      if !sentences.contains(sentence) { sentences.append(sentence) }
    }
    guard !sentences.isEmpty else { return nil }
    return (channels, sentences.joined(separator: "; "))
  }

  /// Returns the names of the chips with which motion continues while this chip fails. Empty if
  /// motion lacks a channel because of the failure, or if motion does not use the chip.
  private func substitutes(ofChip index: Int, _ chips: [ChipState]) -> [String] {
    let used = pipeline.channelsUsed(ofChip: index)
    guard !used.isEmpty, channelsMissing(ofChip: index, chips).isDisjoint(with: .motion) else {
      return []
    }
    return chips.indices.filter { other in
      other != index && !chips[other].isFailed
        && !pipeline.combinedChannels(ofChip: other).isDisjoint(with: used)
    }.map(name(ofChip:))
  }

  /// Returns the message about a chip that fails, with the chips with which motion continues.
  package func failure(_ error: ChipError, ofChip index: Int, _ chips: [ChipState]) -> String {
    let others = substitutes(ofChip: index, chips)
    return sentence(for: error, ofChip: index)
      + (others.isEmpty ? "" : "; motion goes on with \(others.joined(separator: " and "))")
  }

  /// Returns the channels that no chip provides for motion while this chip fails.
  private func channelsMissing(ofChip index: Int, _ chips: [ChipState]) -> ChannelSet {
    let combined = pipeline.combinedChannels(ofChip: index)
    let others = chips.indices.filter { $0 != index && !chips[$0].isFailed }
    return others.reduce(pipeline.channelsUsed(ofChip: index)) {
      $0.subtracting(pipeline.combinedChannels(ofChip: $1).intersection(combined))
    }
  }
}
