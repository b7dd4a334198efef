// SPDX-License-Identifier: Apache-2.0

/// Encodes values as JSON (RFC 8259): names in the given order, numbers in the shortest form that
/// reads back as the same double.
package enum JSONText {
  package static func bytes(_ value: PublishedValue) -> [UInt8] {
    var bytes: [UInt8] = []
    append(value, to: &bytes)
    return bytes
  }

  private static func append(_ value: PublishedValue, to bytes: inout [UInt8]) {
    switch value {
    case .number(let number): bytes += (number.isFinite ? number.description : "null").utf8
    case .integer(let integer): bytes += integer.description.utf8
    case .flag(let flag): bytes += (flag ? "true" : "false").utf8
    case .text(let text): append(text, to: &bytes)
    case .list(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(value, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let fields):
      bytes.append(UInt8(ascii: "{"))
      var isFirst = true
      for field in fields where field.value.isSayable {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        append(field.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(field.value, to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case ..<0x20:
        let digits = Array("0123456789abcdef".utf8)
        bytes += "\\u00".utf8
        bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
