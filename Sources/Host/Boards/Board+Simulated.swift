// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog

extension Board {
  /// Returns the board with models instead of its hardware or trace. It has no calibration, and
  /// keeps no learned values: the errors of the real chips do not apply to models, nor the other
  /// way round. `motion` is used where the file does not set one.
  package func simulated(
    moving motion: SimulationDescription.Motion = .sway
  ) -> Board {
    var board = self
    for (index, bus) in buses.enumerated() {
      switch bus.connection {
      case .simulated: continue
      case .i2c, .trace(.i2c): board.buses[index].connection = .simulated(.i2c)
      case .spi(_, _, let speed):
        board.buses[index].connection = .simulated(.spi, select: freeSelect(board), speed: speed)
      case .trace(.spi):
        board.buses[index].connection = .simulated(.spi, select: freeSelect(board))
      }
      for chip in board.chips.indices where board.chips[chip].bus == bus.name {
        board.chips[chip].interrupt?.line = .simulated
      }
    }
    board.trace = nil
    board.calibration = nil
    board.calibrationPath = nil
    board.simulation =
      simulation ?? SimulationDescription(motion: motion, positions: Positions(entry: .start))
    return board
  }

  /// Returns the lowest chip select that no simulated bus of `board` uses.
  private func freeSelect(_ board: Board) -> Int {
    let taken = board.buses.compactMap { bus -> Int? in
      if case .simulated(.spi, let select, _) = bus.connection { select } else { nil }
    }
    var select = 0
    while taken.contains(select) { select += 1 }
    return select
  }
}
