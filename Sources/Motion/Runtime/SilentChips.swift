// SPDX-License-Identifier: Apache-2.0
package import Quantities

extension MotionSource {
  /// Returns the channels that are missing because chips in these states have failed, and the
  /// sentences with the reasons: a missing service or adapter gives one sentence for any number of
  /// chips. `nil` if no chip has failed.
  package func silence(
    of chips: [ChipState]
  ) -> (channels: ChannelSet, description: String)? {
    var channels: ChannelSet = []
    var sentences: [String] = []
    for (index, chip) in chips.enumerated() {
      guard case .failed(let error) = chip else { continue }
      channels.formUnion(self.channels(ofChip: index))
      let sentence = sentence(for: error, ofChip: index)
      if !sentences.contains(sentence) { sentences.append(sentence) }
    }
    guard !sentences.isEmpty else { return nil }
    return (channels, sentences.joined(separator: "; "))
  }
}
