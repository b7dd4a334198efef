// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// The normal equations of a linear least-squares problem of at most nine unknowns, and their
/// solution by Cholesky's decomposition.
struct NormalEquations {
  typealias Row = InlineArray<9, Scalar>

  private let count: Int
  /// The matrix row by row, nine numbers a row.
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

  /// Replaces the matrix by its lower Cholesky factor. Returns false if the matrix is singular: no
  /// equation determines one of the unknowns.
  private mutating func factor() -> Bool {
    for i in 0..<count {
      let diagonal = matrix[10 * i]
      for j in 0...i {
        var sum = matrix[9 * i + j]
        for k in 0..<j { sum -= matrix[9 * i + k] * matrix[9 * j + k] }
        if j < i {
          matrix[9 * i + j] = sum / matrix[10 * j]
        } else {
          // If other unknowns explain an unknown, only a rounding error remains on its diagonal.
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

  /// Returns the unknowns, and the standard deviation of each for equations with unit noise; `nil`
  /// if the equations do not determine all unknowns.
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
