// SPDX-License-Identifier: Apache-2.0

/// Text from a file that is quoted in a message.
enum Quoted {
  /// Returns the text of `bytes` on one short line. Control characters become '?', and a long text
  /// is cut.
  static func plain(_ bytes: some Collection<UInt8>) -> String {
    let scalars = String(decoding: bytes.prefix(160), as: UTF8.self).unicodeScalars
    var text = ""
    for scalar in scalars.prefix(40) {
      let isControl =
        scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
        || (0x2028...0x202E).contains(scalar.value)
      text.unicodeScalars.append(isControl ? "?" : scalar)
    }
    return scalars.count > 40 ? text + "..." : text
  }

  /// Returns `text` between quotation marks.
  static func text(_ text: String) -> String { "'\(plain(text.utf8))'" }

  /// Returns a probable reason why a cell is not a number; `nil` if no reason is known.
  static func hint(_ text: String) -> String? {
    let lowered = text.lowercased()
    if lowered.isEmpty || text == "?" { return nil }
    if lowered.contains("nan") || lowered.contains("inf")
      || ["na", "null", "none", "-"].contains(lowered)
    {
      return "leave the cell empty where nothing was sampled"
    }
    if lowered.contains("0x") { return "write it in decimal" }
    if lowered.contains(":") { return "seconds on any clock, not a date or a time of day" }
    if lowered.contains(",") { return "decimals use '.', not ','" }
    if lowered.first?.isNumber == true, lowered.last?.isLetter == true { return "leave units out" }
    return nil
  }
}
