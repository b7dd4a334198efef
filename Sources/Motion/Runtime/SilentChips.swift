// SPDX-License-Identifier: Apache-2.0
package import Quantities

extension MotionSource {
  /// Returns the channels that are missing because chips have failed, and sentences with the
  /// reasons; `nil` if no chip has failed. With `needed`, chips without any of these channels are
  /// ignored. A missing service or adapter gives one sentence for all its chips.
  package func silence(
    of chips: [ChipState], needed: ChannelSet? = nil
  ) -> (channels: ChannelSet, description: String)? {
    var channels: ChannelSet = []
    var sentences: [String] = []
    for (index, chip) in chips.enumerated() {
      guard case .failed(let error) = chip else { continue }
      let missing = self.channels(ofChip: index)
      if let needed, missing.isDisjoint(with: needed) { continue }
      channels.formUnion(missing)
      let sentence = sentence(for: error, ofChip: index)
      if !sentences.contains(sentence) { sentences.append(sentence) }
    }
    guard !sentences.isEmpty else { return nil }
    return (channels, sentences.joined(separator: "; "))
  }
}
