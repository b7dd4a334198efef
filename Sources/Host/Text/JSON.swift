// SPDX-License-Identifier: Apache-2.0

/// A JSON value (RFC 8259) to be written as text. The members of an object keep their order.
package enum JSON: Equatable, Sendable {
  case null
  case flag(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
  case list([JSON])
  case object([Member])

  /// A member of an object: a name with its value.
  package struct Member: Equatable, Sendable {
    package var name: String
    package var value: JSON

    package init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// Returns a JSON number; `null` if the value is `nil` or not finite.
  package static func number(_ value: Double?) -> JSON {
    guard let value, value.isFinite else { return .null }
    return .number(value)
  }

  package static func count(_ value: some BinaryInteger) -> JSON {
    .integer(Int64(clamping: value))
  }

  package static func texts(_ values: some Sequence<String>) -> JSON {
    .list(values.map { .text($0) })
  }

  /// Returns a number rounded to `places` decimal places, which is enough for a display and saves
  /// bandwidth. Whole numbers have no decimal places.
  package static func rounded(_ value: Double?, _ places: Int) -> JSON {
    guard let value, value.isFinite else { return .null }
    var factor = 1.0
    for _ in 0..<places { factor *= 10 }
    let rounded = (value * factor).rounded() / factor + 0
    return Int64(exactly: rounded).map { .integer($0) } ?? .number(rounded)
  }
}

// MARK: - Writing

extension JSON {
  /// The JSON value as text in one line, without spaces.
  package var description: String { String(decoding: bytes, as: UTF8.self) }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  /// Appends the value as JSON text to `bytes`. A number that is not finite cannot be written in
  /// JSON: its member of an object is left out, its element of a list becomes `null`.
  package func append(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .flag(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let value): bytes += value.description.utf8
    case .number(let value) where value.isFinite: Self.append(value, to: &bytes)
    case .number: bytes += "null".utf8
    case .text(let value): Self.append(value, to: &bytes)
    case .list(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        value.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      var isFirst = true
      for member in members where member.value.hasForm {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        Self.append(name: member.name, to: &bytes)
        member.value.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private var hasForm: Bool {
    if case .number(let value) = self { value.isFinite } else { true }
  }

  /// Appends the shortest text that is read back as the same double. `number` must be finite. A
  /// whole number keeps its `.0`, because programs that take the type of a column from its first
  /// value would otherwise take a measured quantity for an integer.
  package static func append(_ number: Double, to bytes: inout [UInt8]) {
    bytes += number.description.utf8
  }

  /// Appends the name of an object's member and a colon.
  package static func append(name: String, to bytes: inout [UInt8]) {
    append(name, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
  }

  /// Appends `text` in quotation marks, and escapes what JSON does not allow in a string. The
  /// function also escapes `<`, so that no text can end a script element of an HTML page.
  package static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): bytes += "\\n".utf8
      case ..<0x20, UInt8(ascii: "<"):
        bytes += "\\u00".utf8
        bytes += [digit(byte >> 4), digit(byte & 15)]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Returns a hexadecimal digit for `value`, which is at most 15.
  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
