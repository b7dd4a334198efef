// SPDX-License-Identifier: Apache-2.0
public import Quantities

// The messages are in this module, because the portable core contains no text.

extension Timestamp: CustomStringConvertible {
  /// The time in seconds since the origin of the clock, such as 12.345678900 s.
  public var description: String {
    self == .distantFuture ? "distant future" : text(ofNanoseconds: nanoseconds)
  }
}

extension TimeSpan: CustomStringConvertible {
  /// The time span in seconds, such as 0.020000000 s.
  public var description: String { text(ofNanoseconds: nanoseconds) }
}

/// Returns `nanoseconds` as text in seconds, with all digits.
private func text(ofNanoseconds nanoseconds: Int64) -> String {
  let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
  let digits = String(rest)
  let zeros = String(repeating: "0", count: 9 - digits.count)
  return "\(nanoseconds < 0 ? "-" : "")\(whole).\(zeros)\(digits) s"
}
