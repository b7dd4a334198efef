// SPDX-License-Identifier: Apache-2.0
internal import ChipCatalog

extension Board {
  /// Returns the board with simulated chips instead of its hardware or its trace. `motion` is used
  /// if the board file sets no motion. The result has no calibration and does not store learned
  /// values, because the errors of real chips do not apply to simulated chips, nor the other way
  /// round.
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

  /// Returns the lowest chip select that none of `board`'s simulated buses uses.
  private func freeSelect(_ board: Board) -> Int {
    let taken = board.buses.compactMap { bus -> Int? in
      if case .simulated(.spi, let select, _) = bus.connection { select } else { nil }
    }
    var select = 0
    while taken.contains(select) { select += 1 }
    return select
  }
}
