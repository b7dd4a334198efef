// SPDX-License-Identifier: Apache-2.0
package import Boards
package import Fusion
internal import Quantities
internal import Sensors

extension FusionEngine.Params {
  /// The defaults, with the delays of the chips that `board` uses: of two that sample the same, the first.
  package init(delaysOf board: Board) {
    self.init()
    func chip(_ channel: ChannelSet) -> ChipPlacement? {
      board.chips.first { BoardSession.channels(of: $0).contains(channel) }
    }
    if let chip = chip(.rotationRate) {
      // The engine takes a sample for the mean over the interval that it ends, which lets it be half an interval old by
      // itself; what a chip gives is the newest output of its filter.
      gyroDelay = chip.delays.rotationRate - 0.5 / chip.settings.rate
    }
  }
}
