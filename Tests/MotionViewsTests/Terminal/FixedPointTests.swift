// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import MotionViews

@Suite struct FixedPointTests {
  @Test func `numbers are written as printf writes them`() {
    var values: [Double] = [
      0, -0.0, 0.05, 0.15, 0.25, 0.35, 0.5, 1.5, 2.5, 0.125, 0.0005, 0.0015, 1.0005, 2.675, 1.005,
      999.9995, 0.9999999, 1e15, 1e16, 1e300, .infinity, -.infinity, .nan, .leastNonzeroMagnitude,
      .greatestFiniteMagnitude, 123_456_789.987_654_321,
    ]
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<3000 {
      values.append(Double.random(in: -1000...1000, using: &generator))
      // Add halves of the last digit, whose rounding is decisive.
      values.append(Double(Int.random(in: -100_000...100_000, using: &generator)) / 2000)
      values.append(Double(bitPattern: generator.next()))
    }
    for value in values + values.map({ -$0 }) {
      for digits in [0, 1, 2, 3, 4, 6, 9, 12] {
        let text = fixed(value, digits: digits)
        let expected = String(format: "%.\(digits)f", value)
        let place = fixed(value, digits: digits, width: 10)
        if place != String(format: "%10.\(digits)f", value) { Issue.record("'\(place)'") }
        if text != expected { Issue.record("\(value) to \(digits): \(text), printf: \(expected)") }
      }
    }
  }
}
