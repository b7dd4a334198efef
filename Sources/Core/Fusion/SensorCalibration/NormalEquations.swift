// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// The normal equations of a linear least-squares problem with at most `capacity` unknowns, and
/// their solution by Cholesky decomposition.
struct NormalEquations<let capacity: Int> {
  typealias Row = InlineArray<capacity, Scalar>

  private let count: Int
  /// The rows of the symmetric matrix, each stored up to the diagonal.
  private var matrix = InlineArray<capacity, Row>(repeating: Row(repeating: 0))
  private var right = Row(repeating: 0)

  init(unknowns count: Int) { self.count = count }

  /// Adds the equation `row . unknowns = value`.
  mutating func add(_ row: Row, _ value: Scalar) {
    for i in 0..<count {
      for j in 0...i { matrix[i][j] += row[i] * row[j] }
      right[i] += row[i] * value
    }
  }

  /// Adds the equation `unknown = value` with the standard deviation `sigma`.
  mutating func expect(_ unknown: Int, _ value: Scalar, sigma: Scalar) {
    let weight = 1 / (sigma * sigma)
    matrix[unknown][unknown] += weight
    right[unknown] += weight * value
  }

  /// Replaces the matrix with its lower Cholesky factor. Returns false if the matrix is singular,
  /// because no equation determines one of the unknowns.
  private mutating func factor() -> Bool {
    for i in 0..<count {
      let diagonal = matrix[i][i]
      for j in 0...i {
        var sum = matrix[i][j]
        for k in 0..<j { sum -= matrix[i][k] * matrix[j][k] }
        if j < i {
          matrix[i][j] = sum / matrix[j][j]
        } else {
          // If other unknowns fully explain an unknown, only a rounding error remains on the
          // diagonal.
          guard sum > max(1e-12, 64 * .ulpOfOne) * diagonal, sum.isFinite else { return false }
          matrix[i][i] = sqrt(sum)
        }
      }
    }
    return true
  }

  private func solveFactored(_ values: Row) -> Row {
    var x = values
    for i in 0..<count {
      for k in 0..<i { x[i] -= matrix[i][k] * x[k] }
      x[i] /= matrix[i][i]
    }
    for i in (0..<count).reversed() {
      for k in (i + 1)..<max(count, i + 1) { x[i] -= matrix[k][i] * x[k] }
      x[i] /= matrix[i][i]
    }
    return x
  }

  /// Returns the unknowns, and the standard deviation of each for equations with unit noise; `nil`
  /// if the equations do not determine all unknowns.
  func solution() -> (values: Row, deviations: Row)? {
    solution { column, unknown in column[unknown] }
  }

  /// Returns the unknowns, and the standard deviation of each if the right-hand side scatters as in
  /// `scatter` (White, Econometrica 48 (1980) 817). These standard deviations are valid for
  /// correlated errors too. `nil` if the equations do not determine all unknowns.
  func solution(scatter: NormalEquations) -> (values: Row, deviations: Row)? {
    solution { column, _ in scatter.form(column) }
  }

  private func solution(
    _ variance: (Row, Int) -> Scalar
  ) -> (values: Row, deviations: Row)? {
    var copy = self
    guard copy.factor() else { return nil }
    var deviations = Row(repeating: 0)
    for i in 0..<count {
      var unit = Row(repeating: 0)
      unit[i] = 1
      deviations[i] = sqrt(variance(copy.solveFactored(unit), i))
    }
    return (copy.solveFactored(right), deviations)
  }

  /// Returns the quadratic form `x . matrix x`.
  private func form(_ x: Row) -> Scalar {
    var sum: Scalar = 0
    for i in 0..<count {
      for j in 0..<i { sum += 2 * matrix[i][j] * x[i] * x[j] }
      sum += matrix[i][i] * x[i] * x[i]
    }
    return sum
  }
}
