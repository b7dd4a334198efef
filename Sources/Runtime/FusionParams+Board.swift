// SPDX-License-Identifier: Apache-2.0
package import Boards
package import Fusion
internal import Quantities
internal import Sensors

extension FusionEngine.Params {
  /// The defaults for what moves `board`, with the delays of the chips that it uses: of two that sample the same, the first.
  package init(of board: Board) {
    self.init(carrier: board.carrier)
    func chip(_ channel: ChannelSet) -> ChipPlacement? {
      board.chips.first { BoardSession.channels(of: $0).contains(channel) }
    }
    if let chip = chip(.rotationRate) { gyroDelay = chip.delays.rotationRate }
    if let chip = chip(.acceleration) { accelerationDelay = chip.delays.acceleration }
    if let chip = chip(.magneticField) { magneticDelay = chip.delays.magneticField }
  }
}
