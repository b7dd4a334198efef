// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Quantities

/// The ticks of an axis: the lines, and the numbers at some of them.
struct PlotTicks: Equatable {
  struct Tick: Equatable {
    var value: Double
    /// The number at the tick; empty for a line without a number.
    var text: String
  }

  let range: ClosedRange<Double>
  let ticks: [Tick]

  /// Creates ticks for values in `range`, with about `count` numbers.
  init(_ range: ClosedRange<Double>, scale: PlotAxis.Scale, count: Int, isFixed: Bool) {
    switch scale {
    case .linear: self = Self.linear(range, count: count, isFixed: isFixed)
    case .logarithmic: self = Self.logarithmic(range, count: count, isFixed: isFixed)
    }
  }

  private init(range: ClosedRange<Double>, ticks: [Tick]) {
    self.range = range
    self.ticks = ticks.filter {
      $0.value >= range.lowerBound * (1 - 1e-9) - 1e-300 && range.contains($0.value)
        || abs($0.value - range.upperBound) <= 1e-9 * abs(range.upperBound)
        || abs($0.value - range.lowerBound) <= 1e-9 * abs(range.lowerBound)
    }
  }

  /// Returns ticks at values of 1, 2 or 5 times a power of ten.
  private static func linear(_ wanted: ClosedRange<Double>, count: Int, isFixed: Bool) -> Self {
    var span = wanted.upperBound - wanted.lowerBound
    var range = wanted
    if span <= 0 || span < 1e-12 * abs(wanted.upperBound) {
      // If all values are equal, extend the range by 10 percent on either side.
      let room = max(abs(wanted.upperBound) * 0.1, 1e-9)
      range = wanted.lowerBound - room...wanted.upperBound + room
      span = 2 * room
    }
    let rough = span / Double(max(count, 1))
    let decade = pow(10, floor(log10(rough)))
    let step = ([1, 2, 5, 10].first { $0 * decade >= rough * 0.999 } ?? 10) * decade
    if !isFixed {
      range =
        floor(range.lowerBound / step + 1e-9) * step...ceil(range.upperBound / step - 1e-9) * step
    }
    let first = ceil(range.lowerBound / step - 1e-9)
    let last = floor(range.upperBound / step + 1e-9)
    let digits = max(0, Int(saturating: -floor(log10(step) + 1e-9)))
    let ticks = stride(from: first, through: last, by: 1).map { number in
      let value = number * step
      return Tick(value: value, text: text(value, digits: digits))
    }
    return Self(range: range, ticks: ticks)
  }

  private static func text(_ value: Double, digits: Int) -> String {
    if digits > 6 || abs(value) >= 1e7 { return String(format: "%.3g", value) }
    // Replace -0, which would be printed as "-0".
    return String(format: "%.\(digits)f", value == 0 ? 0 : value)
  }

  /// Returns ticks at powers of ten, with lines between them. If there are few powers, the lines at
  /// 2 and 5 have numbers too.
  private static func logarithmic(_ wanted: ClosedRange<Double>, count: Int, isFixed: Bool)
    -> Self
  {
    var low = log10(wanted.lowerBound)
    var high = log10(wanted.upperBound)
    if high - low < 0.05 {
      low -= 0.5
      high += 0.5
    }
    if !isFixed {
      // Extend the range to the next line within a decade, because whole decades would leave much
      // of the plot empty.
      low = floorToLine(low)
      high = -floorToLine(-high, isMirrored: true)
    }
    let range = pow(10, low)...pow(10, high)
    let decades = Int(saturating: floor(low + 1e-9))...Int(saturating: ceil(high - 1e-9))
    let every = max(
      1, Int(saturating: ((high - low) / Double(max(count, 1)) + 0.999).rounded(.towardZero)))
    var ticks: [Tick] = []
    for decade in decades {
      for digit in 1...9 {
        let value = Double(digit) * pow(10, Double(decade))
        let isNumbered =
          digit == 1 ? decade % every == 0 : high - low < 2 && (digit == 2 || digit == 5)
        if digit > 1, every > 1 { continue }
        ticks.append(Tick(value: value, text: isNumbered ? power(digit, decade) : ""))
      }
    }
    return Self(range: range, ticks: ticks)
  }

  private static func floorToLine(_ exponent: Double, isMirrored: Bool = false) -> Double {
    if isMirrored {
      let value = pow(10, -exponent)
      let decade = pow(10, floor(log10(value) + 1e-9))
      return -log10(ceil(value / decade - 1e-6) * decade)
    }
    let value = pow(10, exponent)
    let decade = pow(10, floor(log10(value) + 1e-9))
    return log10(floor(value / decade + 1e-6) * decade)
  }

  /// Returns numbers from 0.01 to 1000 in full, other numbers as a power of ten.
  private static func power(_ digit: Int, _ decade: Int) -> String {
    if (0...3).contains(decade) {
      return String(format: "%.0f", Double(digit) * pow(10, Double(decade)))
    }
    if (-3..<0).contains(decade) {
      return String(format: "%.\(-decade)f", Double(digit) * pow(10, Double(decade)))
    }
    let digits: [Character] = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"]
    let raised = String(String(abs(decade)).compactMap { $0.wholeNumberValue.map { digits[$0] } })
    return (digit == 1 ? "" : "\(digit)·") + "10" + (decade < 0 ? "⁻" : "") + raised
  }
}
