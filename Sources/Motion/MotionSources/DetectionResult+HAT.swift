// SPDX-License-Identifier: Apache-2.0
package import Boards
internal import ChipCatalog

extension DetectionResult {
  /// The embedded board for the HAT that the header's memory names. If the board has several
  /// versions, the version whose chips all responded is chosen, otherwise the version with exactly
  /// the HAT's name.
  package var hatBoard: (shipped: ShippedBoard, board: Board)? {
    guard let hat else { return nil }
    let versions = ShippedBoard.all.compactMap { shipped in
      (try? BoardFile.parse(
        shipped.text, file: "\(shipped.file) (built in)", catalogue: ChipCatalog.descriptions))
        .map { (shipped: shipped, board: $0) }
    }.filter { version in
      // The name of a later version of a HAT may have a suffix.
      version.board.wiring?.modules.contains { $0.isHAT && hat.hasPrefix($0.title) } == true
    }
    return versions.first { $0.board.chips.allSatisfy(hasAnswered) }
      ?? versions.first { $0.board.name == hat } ?? versions.first
  }

  private func hasAnswered(_ chip: ChipPlacement) -> Bool {
    findings.contains {
      $0.isSupported && $0.candidate.name == chip.chip && $0.address == chip.address
    }
  }
}
