// SPDX-License-Identifier: Apache-2.0
import Foundation
import Quantities
import Recognition
import SeededRandom
import Testing

extension SplitMix {
  /// Returns a normally distributed number, from twelve uniform ones.
  mutating func normal(_ sigma: Double) -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += Double.random(in: 0..<1, using: &self) }
    return sum * sigma
  }

  mutating func vector(_ sigma: Double) -> Vector3 {
    Vector3(normal(sigma), normal(sigma), normal(sigma))
  }
}

/// Returns the rows of a recording in the test's folder: times in seconds, and the values.
func recording(_ name: String) throws -> [(time: Timestamp, values: [Double])] {
  let url = try #require(
    Bundle.module.url(forResource: name, withExtension: "csv", subdirectory: "Recordings"))
  let text = try String(contentsOf: url, encoding: .utf8)
  return try text.split(separator: "\n").dropFirst().map { line in
    let cells = line.split(separator: ",").map { Double($0) ?? .nan }
    return (Timestamp(seconds: try #require(cells.first)), Array(cells.dropFirst()))
  }
}

extension Vector3 {
  init(_ values: [Double]) { self.init(values[0], values[1], values[2]) }
}
