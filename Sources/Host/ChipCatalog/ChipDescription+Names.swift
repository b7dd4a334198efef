// SPDX-License-Identifier: Apache-2.0

extension ChipDescription {
  /// The chip's name without the manufacturer: `mpu6050` for `invensense,mpu6050`.
  package var shortName: String { Self.part(name) }

  fileprivate static func part(_ name: String) -> String {
    name.lastIndex(of: ",").map { String(name[name.index(after: $0)...]) } ?? name
  }
}

extension Collection where Element == ChipDescription {
  /// Returns the chip that a user meant by `word`: its name, the name without the manufacturer, or
  /// its marking (`MPU-6050`). For a package of several chips this is the inertial unit:
  /// `st,lsm9ds1`.
  package func meant(by word: String) -> ChipDescription? {
    if let chip = first(where: { $0.name == word }) { return chip }
    func plain(_ text: some StringProtocol) -> String {
      text.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "," }
    }
    let wanted = plain(word)
    let named = filter { chip in
      let name = plain(wanted.contains(",") ? chip.name : chip.shortName)
      return name == wanted || name == wanted + "imu"
    }
    return named.count == 1 ? named.first : nil
  }
}

extension KnownChips {
  /// Returns the unsupported chip that a user meant by `word`, with or without the manufacturer.
  package static func chip(meantBy word: String) -> KnownChip? {
    chip(named: word)
      ?? all.first { ChipDescription.part($0.name) == word.lowercased().filter { $0 != "-" } }
  }
}
