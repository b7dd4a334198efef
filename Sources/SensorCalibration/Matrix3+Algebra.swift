// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Returns the matrix `a b^T`.
func outer(_ a: Vector3, _ b: Vector3) -> Matrix3 {
  Matrix3(rows: b * a.x, b * a.y, b * a.z)
}

extension Matrix3 {
  static var zero: Matrix3 { Matrix3(rows: .zero, .zero, .zero) }

  var trace: Scalar { m11 + m22 + m33 }

  static func + (a: Matrix3, b: Matrix3) -> Matrix3 {
    Matrix3(
      rows: Vector3(a.m11 + b.m11, a.m12 + b.m12, a.m13 + b.m13),
      Vector3(a.m21 + b.m21, a.m22 + b.m22, a.m23 + b.m23),
      Vector3(a.m31 + b.m31, a.m32 + b.m32, a.m33 + b.m33))
  }
}
