// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Matrix operations, other than products, for covariances and fits.
extension Matrix3 {
  @inline(__always)
  static var zero: Matrix3 { Matrix3(rows: .zero, .zero, .zero) }

  init(diagonal d: Vector3) {
    self.init(rows: Vector3(d.x, 0, 0), Vector3(0, d.y, 0), Vector3(0, 0, d.z))
  }

  init(diagonal d: Scalar) { self.init(diagonal: Vector3(d, d, d)) }

  /// Accesses the elements row by row, with indices from 0 to 8.
  subscript(_ term: Int) -> Scalar {
    let row = term < 3 ? row1 : term < 6 ? row2 : row3
    return term % 3 == 0 ? row.x : term % 3 == 1 ? row.y : row.z
  }

  /// The inverse of a covariance; `nil` if it is not positive definite. It uses Cholesky factors `L
  /// D L^T`, which stay accurate even if variances differ by orders of magnitude; cofactors do not.
  @inline(__always)
  var positiveInverse: Matrix3? {
    // If an element is not a number, a comparison fails, and the result is `nil`.
    guard m11 > 0 else { return nil }
    let first = 1 / m11
    let (a, b) = (m12 * first, m13 * first)
    let pivot = m22 - a * m12
    guard pivot > 0 else { return nil }
    let second = 1 / pivot
    let left = m23 - b * m12
    let c = left * second
    let last = m33 - b * m13 - c * left
    guard last > 0, last < .infinity else { return nil }
    let third = 1 / last
    let d = c * a - b
    let (xz, yz) = (d * third, -c * third)
    let xy = -a * second - c * xz
    return Matrix3(
      rows: Vector3(first + a * a * second + d * xz, xy, xz),
      Vector3(xy, second - c * yz, yz), Vector3(xz, yz, third))
  }

  /// Adds `factor * other`.
  @inline(__always)
  mutating func add(_ other: Matrix3, times factor: Scalar = 1) {
    m11 += factor * other.m11
    m12 += factor * other.m12
    m13 += factor * other.m13
    m21 += factor * other.m21
    m22 += factor * other.m22
    m23 += factor * other.m23
    m31 += factor * other.m31
    m32 += factor * other.m32
    m33 += factor * other.m33
  }

  /// Subtracts `u v^T`.
  @inline(__always)
  mutating func subtract(_ u: Vector3, _ v: Vector3) {
    m11 -= u.x * v.x
    m12 -= u.x * v.y
    m13 -= u.x * v.z
    m21 -= u.y * v.x
    m22 -= u.y * v.y
    m23 -= u.y * v.z
    m31 -= u.z * v.x
    m32 -= u.z * v.y
    m33 -= u.z * v.z
  }

  var trace: Scalar { m11 + m22 + m33 }

  static func + (a: Matrix3, b: Matrix3) -> Matrix3 {
    Matrix3(
      rows: Vector3(a.m11 + b.m11, a.m12 + b.m12, a.m13 + b.m13),
      Vector3(a.m21 + b.m21, a.m22 + b.m22, a.m23 + b.m23),
      Vector3(a.m31 + b.m31, a.m32 + b.m32, a.m33 + b.m33))
  }
}

/// Returns the matrix `a b^T`.
func outer(_ a: Vector3, _ b: Vector3) -> Matrix3 {
  Matrix3(rows: b * a.x, b * a.y, b * a.z)
}
