// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Sensors

extension Board {
  /// A fingerprint of the board: 16 hexadecimal digits computed from the chips, their wiring, their
  /// mounting and their calibration. The fingerprint changes when values learned on the board no
  /// longer apply. Names, rates and ranges are not part of the fingerprint.
  public var fingerprint: String {
    var text = ""
    for chip in chips {
      text += "\(chip.chip) \(chip.bus) \(chip.address?.hexadecimal ?? "-") \(chip.behind ?? "-") "
      text += YAMLText.matrix(chip.mounting.matrix)
      if let errors = calibration?.chips[chip.name]?.errors, errors != ChipCalibration() {
        let nameless = CalibratedChip(chip: "", errors: errors)
        text += Calibration(file: "", chips: ["": nameless]).text
      }
      text += "\n"
    }
    // The hash is FNV-1a (Fowler, Noll, Vo; draft-eastlake-fnv). Unlike Swift's hash it is the same
    // on every machine and in every release.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
