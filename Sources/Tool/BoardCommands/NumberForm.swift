// SPDX-License-Identifier: Apache-2.0
import Otolith

/// The expected form of a number on the command line: the noun for it, its limits, and an example
/// for error messages.
package struct NumberForm: Sendable {
  /// The lower limit for a number that must be above 0.
  package static let above0 = Double.leastNonzeroMagnitude

  private let noun: String
  private let limits: ClosedRange<Double>
  private let example: Double
  /// Returns the number that the user probably meant by an invalid text; `nil` if no number is
  /// likely.
  private let meaning: @Sendable (String) -> Double?

  private init(
    _ noun: String, _ limits: ClosedRange<Double>, _ example: Double,
    meaning: @escaping @Sendable (String) -> Double?
  ) {
    self.noun = noun
    self.limits = limits
    self.example = example
    self.meaning = meaning
  }

  /// Returns the form of a number within `limits`. `noun` is the word for the number in messages.
  package static func number(
    of noun: String, _ limits: ClosedRange<Double>, example: Double
  ) -> @Sendable (String) throws -> Double {
    let form = NumberForm("a number of \(noun)", limits, example, meaning: WrittenNumber.leading)
    return { text throws(WrongValue) in try form.number(text) }
  }

  /// Returns the form of a time in seconds within `limits`.
  package static func seconds(
    _ limits: ClosedRange<Double> = above0...1e9, example: Double = 10
  ) -> @Sendable (String) throws -> Double {
    let form = NumberForm(
      "a number of seconds", limits, example, meaning: WrittenNumber.seconds)
    return { text throws(WrongValue) in try form.number(text) }
  }

  /// Returns the form of a whole number within `limits`. `noun` is the word for the number in
  /// messages.
  package static func whole<Number: FixedWidthInteger & Sendable>(
    _ noun: String, _ limits: ClosedRange<Number>, example: Number
  ) -> @Sendable (String) throws -> Number {
    let form = NumberForm(
      noun, Double(limits.lowerBound)...Double(limits.upperBound),
      Double(example), meaning: { WrittenNumber.leading($0).map { $0.rounded() } })
    return { text throws(WrongValue) in
      guard let number = Number(text), limits.contains(number) else { throw form.wrong(text) }
      return number
    }
  }

  private func number(_ text: String) throws(WrongValue) -> Double {
    guard let number = Double(text), limits.contains(number) else { throw wrong(text) }
    return number
  }

  private func wrong(_ text: String) -> WrongValue {
    let meant = meaning(text).flatMap { limits.contains($0) ? [Self.words($0)] : nil }
    return WrongValue("\(noun) \(range)", meant: meant ?? [], example: Self.words(example))
  }

  private var range: String {
    let most = limits.upperBound
    let isBounded = most < Double.greatestFiniteMagnitude && most < 1e18
    guard limits.lowerBound > Self.above0 || limits.lowerBound <= 0 else {
      return "above 0" + (isBounded ? ", at most \(Self.words(most))" : "")
    }
    let least = Self.words(limits.lowerBound)
    return isBounded ? "from \(least) to \(Self.words(most))" : "of at least \(least)"
  }

  /// Returns the number as text, without a fraction if it is whole.
  private static func words(_ number: Double) -> String {
    Int(exactly: number).map { "\($0)" } ?? "\(number)"
  }
}

/// A parser for numbers with units and decimal commas, as users write them.
enum WrittenNumber {
  /// Returns the number at the start of `text`, without its sign, for example in `5hz`, `0,5` and
  /// `-5`; `nil` if other words follow.
  static func leading(_ text: String) -> Double? {
    guard
      let match = text.wholeMatch(
        of: /\s*[-+]?(\d+(?:[.,]\d+)?(?:[eE][-+]?\d+)?)\s*[A-Za-z%\/\u{B0}\u{B5}]*\s*/)
    else { return nil }
    return Double(match.1.replacing(",", with: "."))
  }

  /// Returns the seconds in `2s`, `1h30`, `1h 30min`, `1:30` and every text that `leading` accepts.
  static func seconds(_ text: String) -> Double? {
    let text = text.lowercased()
    if text.wholeMatch(of: /\d+(?::\d{1,2}){1,2}/) != nil {
      return text.split(separator: ":").reduce(0.0) { $0 * 60 + (Double($1) ?? .nan) }
    }
    var sum = 0.0
    var rest = text[...]
    // A number without a unit is in the next smaller unit: `1h30` is 1 h 30 min.
    var smaller = 1.0
    while !rest.isEmpty {
      guard let match = rest.prefixMatch(of: /\s*[-+]?(\d+(?:[.,]\d+)?)\s*([a-z]*)\s*/),
        let number = Double(match.1.replacing(",", with: ".")),
        let unit = match.2.isEmpty ? smaller : unit(String(match.2))
      else { return nil }
      sum += number * unit
      smaller = unit == 86_400 ? 3600 : unit >= 60 ? unit / 60 : 1
      rest = rest[match.range.upperBound...]
    }
    return sum
  }

  /// Returns the number of seconds in the named unit of time.
  private static func unit(_ name: String) -> Double? {
    switch name {
    case "ms": 1e-3
    case "s", "sec", "secs", "second", "seconds": 1
    case "m", "min", "mins", "minute", "minutes": 60
    case "h", "hr", "hrs", "hour", "hours": 3600
    case "d", "day", "days": 86_400
    default: nil
    }
  }
}
