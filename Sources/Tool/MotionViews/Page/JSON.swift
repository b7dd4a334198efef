// SPDX-License-Identifier: Apache-2.0

/// A JSON value for writing only; keys keep their order.
package enum JSON: Sendable {
  case text(String)
  case number(Double)
  case integer(Int64)
  case flag(Bool)
  case list([JSON])
  case object([(String, JSON)])
  case null

  /// Returns a number; `null` for `nil` and values that are not finite.
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

  package var description: String {
    var text = ""
    write(to: &text)
    return text
  }

  package var bytes: [UInt8] { Array(description.utf8) }

  private func write(to text: inout String) {
    switch self {
    case .text(let value): Self.write(value, to: &text)
    case .number(let value): text += Self.shown(value)
    case .integer(let value): text += "\(value)"
    case .flag(let value): text += value ? "true" : "false"
    case .null: text += "null"
    case .list(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.write(to: &text)
      }
      text += "]"
    case .object(let values):
      text += "{"
      for (index, (name, value)) in values.enumerated() {
        if index > 0 { text += "," }
        Self.write(name, to: &text)
        text += ":"
        value.write(to: &text)
      }
      text += "}"
    }
  }

  /// Omits the `.0` of whole numbers, which JSON does not need.
  private static func shown(_ value: Double) -> String {
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  private static func write(_ value: String, to text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      // Escaped because they could end a script element in an HTML page.
      case "<", "\u{2028}", "\u{2029}", ..<" ":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

extension JSON {
  /// Rounds to `places` decimal places, which suffice for a display and save bandwidth.
  package static func rounded(_ value: Double?, _ places: Int) -> JSON {
    guard let value, value.isFinite else { return .null }
    var factor = 1.0
    for _ in 0..<places { factor *= 10 }
    return .number((value * factor).rounded() / factor + 0)
  }
}
