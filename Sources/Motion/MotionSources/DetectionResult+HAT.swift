// SPDX-License-Identifier: Apache-2.0
package import Boards
internal import ChipCatalog

extension DetectionResult {
  /// The embedded board for the HAT named in the header's memory: of several versions the one whose
  /// chips all answered, otherwise the one with that name.
  package var hatBoard: (shipped: ShippedBoard, board: Board)? {
    guard let hat else { return nil }
    let versions = ShippedBoard.all.compactMap { shipped in
      (try? BoardFile.parse(
        shipped.text, file: "\(shipped.file) (built in)", catalogue: ChipCatalog.descriptions))
        .map { (shipped: shipped, board: $0) }
    }.filter { version in
      // A later version may have a suffix after its title.
      version.board.wiring?.modules.contains { $0.isHAT && hat.hasPrefix($0.title) } == true
    }
    return versions.first { $0.board.chips.allSatisfy(hasAnswered) }
      ?? versions.first { $0.board.name == hat } ?? versions.first
  }

  private func hasAnswered(_ chip: ChipPlacement) -> Bool {
    findings.contains {
      $0.isSupported && $0.asked.name == chip.chip && $0.address == chip.address
    }
  }
}
