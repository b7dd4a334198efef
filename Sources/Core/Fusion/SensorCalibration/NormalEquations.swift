// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// The normal equations of a linear least-squares problem of at most nine unknowns, and their
/// solution by Cholesky's decomposition.
struct NormalEquations {
  typealias Row = InlineArray<9, Scalar>

  private let count: Int
  /// Row by row, nine to a row.
  private var matrix = InlineArray<81, Scalar>(repeating: 0)
  private var right = Row(repeating: 0)

  init(unknowns count: Int) { self.count = count }

  /// Adds the equation `row . unknowns = value`.
  mutating func add(_ row: Row, _ value: Scalar) {
    for i in 0..<count {
      for j in 0...i { matrix[9 * i + j] += row[i] * row[j] }
      right[i] += row[i] * value
    }
  }

  /// Turns the matrix into its lower Cholesky factor. Returns false if it is singular: an
  /// unknown that no equation tells.
  private mutating func factor() -> Bool {
    for i in 0..<count {
      let diagonal = matrix[10 * i]
      for j in 0...i {
        var sum = matrix[9 * i + j]
        for k in 0..<j { sum -= matrix[9 * i + k] * matrix[9 * j + k] }
        if j < i {
          matrix[9 * i + j] = sum / matrix[10 * j]
        } else {
          // What is left of an unknown that others explain is rounding.
          guard sum > max(1e-12, 64 * .ulpOfOne) * diagonal, sum.isFinite else { return false }
          matrix[10 * i] = sqrt(sum)
        }
      }
    }
    return true
  }

  private func solveFactored(_ values: Row) -> Row {
    var x = values
    for i in 0..<count {
      for k in 0..<i { x[i] -= matrix[9 * i + k] * x[k] }
      x[i] /= matrix[10 * i]
    }
    for i in (0..<count).reversed() {
      for k in (i + 1)..<max(count, i + 1) { x[i] -= matrix[9 * k + i] * x[k] }
      x[i] /= matrix[10 * i]
    }
    return x
  }

  /// Returns the unknowns, and of each the standard deviation that equations of unit noise leave;
  /// `nil` if they are not all determined.
  func solution() -> (values: Row, deviations: Row)? {
    var copy = self
    guard copy.factor() else { return nil }
    var deviations = Row(repeating: 0)
    for i in 0..<count {
      var unit = Row(repeating: 0)
      unit[i] = 1
      deviations[i] = sqrt(copy.solveFactored(unit)[i])
    }
    return (copy.solveFactored(right), deviations)
  }
}
