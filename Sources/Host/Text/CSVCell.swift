// SPDX-License-Identifier: Apache-2.0

/// The contents of cells in a CSV file, quoted according to RFC 4180.
package enum CSVCell {
  /// Appends `text` to `bytes`, in quotation marks if it contains a comma, a quotation mark or a
  /// control character.
  package static func append(_ text: String, to bytes: inout [UInt8]) {
    let (comma, quote) = (UInt8(ascii: ","), UInt8(ascii: "\""))
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == comma || $0 == quote }) else {
      bytes += text.utf8
      return
    }
    bytes.append(quote)
    for byte in text.utf8 {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
    }
    bytes.append(quote)
  }

  /// Returns `text` as `append` writes it to a CSV cell.
  package static func text(_ text: String) -> String {
    var bytes: [UInt8] = []
    append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
