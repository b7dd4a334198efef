// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// Weighted equations in order of time, whose errors are correlated within a block. The scatter of
/// the sums of the blocks gives realistic standard deviations; the number of equations would not.
struct BlockedEquations<let capacity: Int> {
  typealias Row = InlineArray<capacity, Scalar>

  private let count: Int
  private var equations: NormalEquations<capacity>
  private var scatter: NormalEquations<capacity>
  /// The sum of the contributions of the current block to the right-hand side.
  private var block = Row(repeating: 0)
  private var begin: Timestamp?
  /// The length of a block in seconds: one turn to and fro by hand.
  private static var length: Scalar { 1 }

  init(unknowns count: Int) {
    self.count = count
    equations = NormalEquations(unknowns: count)
    scatter = NormalEquations(unknowns: count)
  }

  /// Adds the equation `row . unknowns = value`, whose error has the variance 1 / `weight`.
  mutating func add(_ row: Row, _ value: Scalar, weight: Scalar, at time: Timestamp) {
    if let begin, (time - begin).seconds >= Self.length { close() }
    if begin == nil { begin = time }
    let root = sqrt(weight)
    var scaled = row
    for i in 0..<count {
      scaled[i] *= root
      block[i] += scaled[i] * value * root
    }
    equations.add(scaled, value * root)
  }

  /// Adds prior knowledge about an unknown: `unknown = value` with the standard deviation `sigma`.
  mutating func expect(_ unknown: Int, _ value: Scalar, sigma: Scalar) {
    equations.expect(unknown, value, sigma: sigma)
    scatter.expect(unknown, 0, sigma: sigma)
  }

  private mutating func close() {
    scatter.add(block, 0)
    block = Row(repeating: 0)
    begin = nil
  }

  /// Returns the unknowns with their standard deviations; `nil` if they are not determined.
  mutating func solve() -> (values: Row, deviations: Row)? {
    close()
    return equations.solution(scatter: scatter)
  }
}
