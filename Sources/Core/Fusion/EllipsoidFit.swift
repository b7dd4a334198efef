// SPDX-License-Identifier: Apache-2.0
internal import CMath
package import Quantities

/// A least-squares fit of an ellipsoid to magnetic field measurements in device axes, without
/// attitudes. Measurements of a field of constant strength lie on a sphere, which soft iron deforms
/// into an ellipsoid.
///
/// `u^T A u - g . u = c` with trace A = 3 is linear in five elements of `A`, in `g` and in `c`,
/// given `|u|^2`. `u` is the measured field minus a fixed origin, in units of 50 microtesla, so
/// that all columns of the normal matrix have a similar size.
package struct EllipsoidFit: Equatable, Sendable {
  /// The fitted ellipsoid.
  package struct Shape {
    /// The principal axes of `A`, without unit. For a sphere the eigenvalues are one.
    package var axes: SymmetricEigen
    /// The centre of the ellipsoid, microtesla, device axes.
    package var center: Vector3
    /// The standard deviation of `A` (Frobenius norm), from the residuals.
    package var sigma: Scalar
  }

  /// The fixed origin that is subtracted from every field measurement, microtesla, device axes.
  private let origin: Vector3
  /// Sums of products of the columns (see `add`). Each row holds its groups of four, starting with
  /// the group that contains the diagonal. Accessed only through spans, because reading a single
  /// element would copy the whole array.
  private var sums = InlineArray<22, Four>(repeating: Four(repeating: 0))
  package private(set) var count = 0.0

  package init(origin: Vector3) { self.origin = origin }

  package mutating func add(_ field: Vector3) {
    let u = (field - origin) / unit
    let a = Four(
      u.x * u.x - u.y * u.y, (u.x * u.x + u.y * u.y) / 2 - u.z * u.z, 2 * u.x * u.y, 2 * u.x * u.z)
    let b = Four(2 * u.y * u.z, u.x, u.y, u.z)
    let c = Four(1, u.dot(u), 0, 0)
    var p = sums.mutableSpan
    for k in 0..<4 {
      p[3 * k] += a * a[k]
      p[3 * k + 1] += b * a[k]
      p[3 * k + 2] += c * a[k]
      p[12 + 2 * k] += b * b[k]
      p[13 + 2 * k] += c * b[k]
    }
    p[20] += c
    p[21] += c * c.y
    count += 1
  }

  /// Multiplies the weight of all earlier field measurements by `factor`.
  mutating func forget(_ factor: Scalar) {
    var p = sums.mutableSpan
    for k in 0..<22 { p[k] *= factor }
    count *= factor
  }

  /// Returns the best-fitting ellipsoid; `nil` if the field measurements do not lie on an
  /// ellipsoid. `correlation` is the number of measurements that together contain the information
  /// of one independent measurement. `noise`, in microtesla, is a lower limit for the residuals.
  /// `prior` is the standard deviation of each element of `A` before the first measurement.
  package func shape(correlation: Scalar, noise: Scalar, prior: Scalar) -> Shape? {
    guard count > 2 * 9 else { return nil }
    let p = sums.span
    // The residual of |u|^2 is twice the radius times the residual of the measured field, and the
    // radius is about one.
    var variance = 4 * (noise / unit) * (noise / unit)
    var solution = InlineArray<9, Scalar>(repeating: 0)
    var factor = Factor(repeating: 0)
    // Solve twice, because the weight of the prior depends on the residuals of the first solution.
    for _ in 0..<2 {
      guard
        let cholesky = Self.factorized(p, ridge: correlation * variance / (prior * prior))
      else { return nil }
      factor = cholesky
      for i in 0..<9 { solution[i] = Self.sum(i, 9, p) }
      Self.solve(&factor, &solution)
      var rest = Self.sum(9, 9, p)
      for i in 0..<9 { rest -= solution[i] * Self.sum(i, 9, p) }
      let residual = rest / (count - 9)
      guard residual > variance else { break }
      variance = residual
    }
    var spread = 0.0
    for i in 0..<5 { spread += Self.square(i) * Self.inverseElement(i, &factor) }
    var a = Covariance(variance: 1)
    a.xx -= solution[0] + solution[1] / 2
    a.yy -= solution[1] / 2 - solution[0]
    a.zz += solution[1]
    a.xy -= solution[2]
    a.xz -= solution[3]
    a.yz -= solution[4]
    let axes = SymmetricEigen(a)
    guard axes.smallest > 0.2, spread >= 0, spread.isFinite else { return nil }
    let g = Vector3(solution[5], solution[6], solution[7])
    let center = axes.matrix(0.5 / axes.value1, 0.5 / axes.value2, 0.5 / axes.value3) * g
    guard center.isFinite else { return nil }
    return Shape(
      axes: axes, center: origin + center * unit, sigma: sqrt(spread * variance * correlation))
  }

  /// Returns the squared Frobenius norm of the change of `A` when the unknown `i` changes by one.
  private static func square(_ i: Int) -> Scalar { i == 1 ? 1.5 : 2 }

  @inline(__always)
  private static func sum(_ i: Int, _ j: Int, _ sums: Span<Four>) -> Scalar {
    let row = i < 4 ? 3 * i : i < 8 ? 3 + 2 * i : 10 + i
    return sums[row + j / 4][j % 4]
  }

  /// Returns the index of the element in row `i` and column `j` of a factor.
  private static func place(_ i: Int, _ j: Int) -> Int { i * 9 + j }

  /// Returns the upper triangular factor U of `U^T U` for the first nine columns.
  private static func factorized(_ sums: Span<Four>, ridge: Scalar) -> Factor? {
    var u = Factor(repeating: 0)
    for i in 0..<9 {
      for j in i..<9 {
        var value = sum(i, j, sums)
        if i == j && i < 5 { value += ridge }
        for k in 0..<i { value -= u[place(k, i)] * u[place(k, j)] }
        if i == j {
          guard value > leastPivot * sum(i, i, sums), value > 0 else { return nil }
          u[place(i, i)] = sqrt(value)
        } else {
          u[place(i, j)] = value / u[place(i, i)]
        }
      }
    }
    return u
  }

  /// The part of a column that must be linearly independent of the other columns: 1e-9, or the
  /// rounding error of ten products in single precision.
  private static var leastPivot: Scalar { max(1e-9, 64 * .ulpOfOne) }

  private static func solve(_ u: inout Factor, _ x: inout InlineArray<9, Scalar>) {
    for i in 0..<9 {
      for k in 0..<i { x[i] -= u[place(k, i)] * x[k] }
      x[i] /= u[place(i, i)]
    }
    for down in 0..<9 {
      let i = 8 - down
      for k in (i + 1)..<9 { x[i] -= u[place(i, k)] * x[k] }
      x[i] /= u[place(i, i)]
    }
  }

  /// Returns the diagonal element `i` of the inverse of `U^T U`. It is the squared length of the
  /// vector `z` that solves `U^T z = e`, where `e` is the unit vector `i`.
  private static func inverseElement(_ i: Int, _ u: inout Factor) -> Scalar {
    var z = InlineArray<9, Scalar>(repeating: 0)
    z[i] = 1 / u[place(i, i)]
    var square = z[i] * z[i]
    for j in (i + 1)..<9 {
      for k in i..<j { z[j] -= u[place(k, j)] * z[k] }
      z[j] /= u[place(j, j)]
      square += z[j] * z[j]
    }
    return square
  }

  package static func == (a: EllipsoidFit, b: EllipsoidFit) -> Bool {
    guard a.origin == b.origin, a.count == b.count else { return false }
    for k in 0..<22 where a.sums[k] != b.sums[k] { return false }
    return true
  }
}

private typealias Four = SIMD4<Scalar>
/// The rows of an upper triangular 9 x 9 matrix, stored in full: computing packed indices would
/// take as long as the products.
private typealias Factor = InlineArray<81, Scalar>

/// The unit of length of the fit, microtesla: about the Earth's field.
private let unit = 50.0
