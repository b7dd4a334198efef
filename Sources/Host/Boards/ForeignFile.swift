// SPDX-License-Identifier: Apache-2.0

/// Recognises files of other kinds, which users pass instead of a board file, by their first bytes.
enum ForeignFile {
  /// The number of bytes at the start of a file that are examined to recognise its kind.
  static let beginning = 4096

  /// Returns the error for a file that begins with `bytes`, with the file's kind and advice; `nil`
  /// if the file may be a board file.
  static func error(_ bytes: [UInt8], file: String) -> BoardError? {
    let replay = "otolith replay \(file) turns it into motion"
    if bytes.starts(with: [0x89] + Array("MCAP0\r\n".utf8)) {
      return error(file, "is a recording (MCAP)", replay)
    }
    let text = String(decoding: bytes.prefix(beginning), as: UTF8.self)
    for (key, found) in [
      ("otolith-calibration:", "is the calibration of a board"),
      ("otolith-learned:", "is what fusion learned of a board"),
    ] where text.split(whereSeparator: \.isNewline).contains(where: { $0.hasPrefix(key) }) {
      return error(file, found, "name the board file that it belongs to")
    }
    let lines = text.split(whereSeparator: \.isNewline).drop { line in
      line.allSatisfy(\.isWhitespace) || line.hasPrefix("#")
    }
    guard let first = lines.first else { return nil }
    if first.hasPrefix("{\"timestamp\"") {
      return error(
        file, "is a log of samples or motion (JSON lines)",
        "boards are described in YAML: otolith boards new FILE writes one")
    }
    if first.hasPrefix("<") {
      return error(file, "is a page (HTML or XML)", "otolith boards new FILE writes a board file")
    }
    // The first line of a board file does not consist of cells that are separated by commas,
    // semicolons or tabs: a mapping has a colon after its first key, and a list or flow collection
    // begins with a special character.
    let isCells = [",", ";", "\t"].contains { mark in
      first.split(separator: mark, omittingEmptySubsequences: false).count >= 3
    }
    let isMapping = first.contains(/^["']?[A-Za-z0-9_-]+["']?\s*:(?:\s|$)/)
    guard isCells, !bytes.contains(0), !isMapping, let mark = first.first, !"{[-%".contains(mark)
    else { return nil }
    return error(file, "is a recording (rows of cells)", replay)
  }

  private static func error(_ file: String, _ found: String, _ hint: String) -> BoardError {
    BoardError(
      file: file, line: 1, column: 1, found: found, expected: "a board file", hint: hint)
  }
}
