// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension Matrix3 {
  static func diagonal(_ x: Double, _ y: Double, _ z: Double) -> Matrix3 {
    Matrix3(rows: Vector3(x, 0, 0), Vector3(0, y, 0), Vector3(0, 0, z))
  }

  static func + (a: Matrix3, b: Matrix3) -> Matrix3 {
    Matrix3(
      rows: Vector3(a.m11 + b.m11, a.m12 + b.m12, a.m13 + b.m13),
      Vector3(a.m21 + b.m21, a.m22 + b.m22, a.m23 + b.m23),
      Vector3(a.m31 + b.m31, a.m32 + b.m32, a.m33 + b.m33))
  }

  static func - (a: Matrix3, b: Matrix3) -> Matrix3 {
    Matrix3(
      rows: Vector3(a.m11 - b.m11, a.m12 - b.m12, a.m13 - b.m13),
      Vector3(a.m21 - b.m21, a.m22 - b.m22, a.m23 - b.m23),
      Vector3(a.m31 - b.m31, a.m32 - b.m32, a.m33 - b.m33))
  }

  /// The inverse, by cofactors; `nil` for a singular matrix.
  var inverse: Matrix3? {
    let determinant = self.determinant
    guard determinant != 0, determinant.isFinite else { return nil }
    let first = Vector3(
      m22 * m33 - m23 * m32, m13 * m32 - m12 * m33, m12 * m23 - m13 * m22)
    let second = Vector3(
      m23 * m31 - m21 * m33, m11 * m33 - m13 * m31, m13 * m21 - m11 * m23)
    let third = Vector3(
      m21 * m32 - m22 * m31, m12 * m31 - m11 * m32, m11 * m22 - m12 * m21)
    return Matrix3(rows: first / determinant, second / determinant, third / determinant)
  }

  var row1: Vector3 { Vector3(m11, m12, m13) }
  var row2: Vector3 { Vector3(m21, m22, m23) }
  var row3: Vector3 { Vector3(m31, m32, m33) }
}
