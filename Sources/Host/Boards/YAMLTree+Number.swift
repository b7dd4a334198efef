// SPDX-License-Identifier: Apache-2.0

/// The result of reading a scalar as a number.
enum NumberReading: Equatable {
  case number(Double)
  /// The scalar is not a number. The hint is a suggestion for users, if there is one.
  case none(hint: String?)
}

extension YAMLTree {
  /// The scalar as a decimal number, or as a hexadecimal number with 0x. Spellings that YAML 1.1
  /// and 1.2 read differently (`1:40`, `1_000`, `0o17`, `010`) are not accepted.
  var number: NumberReading {
    guard case .scalar(let text, let plain) = content else { return .none(hint: nil) }
    if !plain {
      guard case .number = YAMLTree(content: .scalar(text, plain: true), position: position).number
      else { return .none(hint: nil) }
      return .none(hint: "remove the quotes: \(text)")
    }
    return Self.number(text)
  }

  private static func number(_ text: String) -> NumberReading {
    let lower = text.lowercased()
    let unsigned = lower.drop { $0 == "+" || $0 == "-" }
    if unsigned.hasPrefix("0x") {
      guard lower.count - unsigned.count == 0, let value = UInt32(unsigned.dropFirst(2), radix: 16)
      else { return .none(hint: "hexadecimal digits are 0-9 and a-f") }
      return .number(Double(value))
    }
    if [".inf", "inf", ".nan", "nan", "infinity"].contains(String(unsigned)) {
      return .none(hint: "infinity and not-a-number are not allowed")
    }
    let digits = Set("0123456789")
    guard lower.allSatisfy({ digits.contains($0) || "+-.e".contains($0) }),
      let value = Double(lower)
    else { return .none(hint: repair(lower)) }
    guard value.isFinite else { return .none(hint: "the number is too large") }
    if unsigned.count > 1, unsigned.hasPrefix("0"), unsigned.allSatisfy(digits.contains) {
      let plain = unsigned.drop { $0 == "0" }
      return .none(
        hint: "a leading 0 makes some YAML readers count in eights: write "
          + (plain.isEmpty ? "0" : "\(plain)"))
    }
    return .number(value)
  }

  /// Returns the valid number that an almost valid text probably means.
  private static func repair(_ text: String) -> String? {
    if text.contains(":") { return "a colon makes no number here" }
    let bare = text.filter { $0 != "_" && $0 != " " && $0 != "'" && $0 != "±" }
    if bare != text, Double(bare) != nil { return "write \(bare)" }
    if text.filter({ $0 == "," }).count == 1 {
      let point = text.replacing(",", with: ".")
      if Double(point) != nil { return "write the decimal point as a point: \(point)" }
    }
    let head = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-" || $0 == "+") }
    let tail = text.dropFirst(head.count).drop { $0 == " " }
    guard let value = Double(head), let factor = units[String(tail)] else {
      return Double(head) == nil || tail.isEmpty ? nil : "write the number alone, in the key's unit"
    }
    return "write \((value * factor).short): the unit is in the key's name"
  }

  /// Units that users append to a number, with the factor from that unit to the unit of the key.
  private static let units: [String: Double] = [
    "hz": 1, "khz": 1e3, "mhz": 1e6, "sps": 1, "g": 1, "dps": 1, "deg/s": 1, "°/s": 1, "ut": 1,
    "µt": 1, "gauss": 100, "mt": 1000, "ms": 1, "s": 1000, "deg": 1, "°": 1, "ppm": 1, "%": 1e4,
  ]
}
