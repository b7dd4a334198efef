// SPDX-License-Identifier: Apache-2.0
internal import Boards
internal import ChipCatalog
internal import Quantities
internal import Registers
internal import Runtime
internal import Sensors

extension ChipPlacement {
  /// Returns a one-sentence message for users if `identity` belongs to a different part from the
  /// one in the board file: the difference, the missing channels, and the remedy; otherwise `nil`.
  /// Such a part can deliver samples, because a driver supports all parts of its family: for
  /// example a BMP280 instead of a BME280.
  func difference(from identity: UInt8, in file: String) -> String? {
    guard settings.assumedIdentity == nil,
      let named = ChipCatalog.entry(named: chip)?.description,
      !named.identity.supported.contains(identity),
      let found = ChipCatalog.descriptions.first(where: {
        $0.family == named.family && $0.identity.supported.contains(identity)
      })
    else { return nil }
    let part = found.identity.parts[identity] ?? found.title
    var other = self
    other.chip = found.name
    let missing = BoardSession.channels(of: self).subtracting(BoardSession.channels(of: other))
    let words = Channel.allCases.filter { missing.contains($0) }.map { "\($0.row.words)" }
    let loss = words.isEmpty ? "" : ", which gives no \(words.joined(separator: " and no "))"
    let setting =
      settings.usesMagnetometer && found.magnetometer == nil
      ? " and remove 'magnetometer'" : ""
    // An embedded board must be copied to a file before it can be changed.
    let place =
      file.hasSuffix(ShippedBoard.suffix)
      ? "a file of your own (otolith boards new FILE --like \(file.dropLast(ShippedBoard.suffix.count)))"
      : file
    return
      "\(name): the chip identifies as \(part) (identity 0x\(hexadecimal(identity)))\(loss); the "
      + "board file says \(named.title): write 'chip: \"\(found.name)\"'\(setting) in \(place)"
  }
}

extension Board {
  /// Sets the remark in `pipeline` about the chip at `index`. The remark says whether the chip is a
  /// different part from the one in the board file, and whether values exceed its range.
  func remark(
    on index: Int, _ identity: UInt8?, _ quality: RemarkedQuality, _ pipeline: MotionPipeline
  ) {
    guard chips.indices.contains(index) else { return }
    let difference = identity.flatMap { chips[index].difference(from: $0, in: file) }
    let remarks = [difference, chips[index].remark(on: quality)].compactMap { $0 }
    pipeline.setRemark(remarks.joined(separator: "; "), ofChip: index)
  }
}
