// SPDX-License-Identifier: Apache-2.0

/// A decimal number parsed from a string, as `mantissa * 10^exponent`. Hexadecimal numbers,
/// infinities and not-a-number are not accepted. The decimal sign is '.', whatever the locale is.
struct DecimalText {
  private(set) var isNegative = false
  /// The number's first 19 significant digits, which always fit into 64 bits.
  private(set) var mantissa: UInt64 = 0
  private(set) var exponent = 0
  /// The number's twentieth significant digit, which determines the rounding.
  private(set) var nextDigit: UInt8 = 0
  /// False if a digit other than 0 follows the number's nineteenth significant digit.
  private(set) var isExact = true

  /// Reads all of `text[range]`; `nil` if it is not a decimal number. `sign` is accepted as the
  /// decimal sign in addition to '.'.
  init?(_ text: [UInt8], _ range: Range<Int>, sign: UInt8 = UInt8(ascii: ".")) {
    var index = range.lowerBound
    let end = range.upperBound
    if index < end, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
      isNegative = text[index] == UInt8(ascii: "-")
      index += 1
    }
    var digits = 0
    var hasDigit = false
    var isFraction = false
    while index < end {
      let byte = text[index]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        hasDigit = true
        append(byte &- UInt8(ascii: "0"), isFraction: isFraction, digits: &digits)
      case UInt8(ascii: "."), sign:
        if isFraction { return nil }
        isFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        guard hasDigit, let power = Self.power(text, index + 1..<end) else { return nil }
        exponent += power
        return
      default: return nil
      }
      index += 1
    }
    if !hasDigit { return nil }
  }

  private mutating func append(_ digit: UInt8, isFraction: Bool, digits: inout Int) {
    if digits < 19 {
      mantissa = mantissa &* 10 &+ UInt64(digit)
      // Leading zeros are not significant digits.
      if mantissa != 0 { digits += 1 }
      if isFraction { exponent -= 1 }
    } else {
      if digits == 19 { nextDigit = digit }
      digits += 1
      if digit != 0 { isExact = false }
      if !isFraction { exponent += 1 }
    }
  }

  private static func power(_ text: [UInt8], _ range: Range<Int>) -> Int? {
    var index = range.lowerBound
    var isNegative = false
    if index < range.upperBound {
      isNegative = text[index] == UInt8(ascii: "-")
      if isNegative || text[index] == UInt8(ascii: "+") { index += 1 }
    }
    if index == range.upperBound { return nil }
    var power = 0
    while index < range.upperBound {
      let byte = text[index]
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      // The number's exponent is limited to a value far beyond the range of doubles, so that the
      // exponent cannot overflow.
      power = min(power * 10 + Int(byte - UInt8(ascii: "0")), 100_000)
      index += 1
    }
    return isNegative ? -power : power
  }
}

extension DecimalText {
  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// Returns the double nearest to the number, which was read from `text[range]`; infinity if the
  /// number is out of range.
  func double(_ text: [UInt8], _ range: Range<Int>) -> Double {
    // Both operands are exact doubles, so the result is rounded only once (Clinger 1990).
    if isExact, mantissa <= 1 << 53, abs(exponent) <= 22 {
      let power = Self.powersOfTen[abs(exponent)]
      let size = exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
      return isNegative ? -size : size
    }
    let digits = String(decoding: text[range], as: UTF8.self).replacing(",", with: ".")
    return Double(digits) ?? .infinity
  }

  /// Returns the number, in `unit`, as whole nanoseconds; `nil` beyond 292 years. The result is not
  /// computed with doubles, whose steps are 238 ns at the present number of seconds since 1970.
  func nanoseconds(_ unit: TimeUnit) -> Int64? {
    if mantissa == 0 { return 0 }
    var size = mantissa
    var power = exponent + unit.power
    if power < -19 { return 0 }
    if power < 0 {
      var divisor: UInt64 = 1
      while power < 0 {
        divisor *= 10
        power += 1
      }
      // The rounded sum of nanoseconds is at most 1e19 + 5e18, which fits into 64 bits.
      size = (size + divisor / 2) / divisor
    } else {
      while power > 0 {
        let (product, overflow) = size.multipliedReportingOverflow(by: 10)
        if overflow { return nil }
        size = product
        power -= 1
      }
      if exponent + unit.power == 0, nextDigit >= 5 { size += 1 }
    }
    guard let nanoseconds = Int64(exactly: size) else { return nil }
    return isNegative ? -nanoseconds : nanoseconds
  }
}
