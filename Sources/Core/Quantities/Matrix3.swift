// SPDX-License-Identifier: Apache-2.0

/// A 3 x 3 matrix. Elements are named by row and column: `m12` is row 1, column 2.
public struct Matrix3: Equatable, Sendable, BitwiseCopyable {
  public var m11: Scalar
  public var m12: Scalar
  public var m13: Scalar
  public var m21: Scalar
  public var m22: Scalar
  public var m23: Scalar
  public var m31: Scalar
  public var m32: Scalar
  public var m33: Scalar

  /// Creates a matrix from its three rows.
  @inlinable @inline(__always)
  public init(rows first: Vector3, _ second: Vector3, _ third: Vector3) {
    m11 = first.x
    m12 = first.y
    m13 = first.z
    m21 = second.x
    m22 = second.y
    m23 = second.z
    m31 = third.x
    m32 = third.y
    m33 = third.z
  }

  @inlinable @inline(__always)
  package var row1: Vector3 { Vector3(m11, m12, m13) }
  @inlinable @inline(__always)
  package var row2: Vector3 { Vector3(m21, m22, m23) }
  @inlinable @inline(__always)
  package var row3: Vector3 { Vector3(m31, m32, m33) }

  @inlinable @inline(__always)
  public static var identity: Matrix3 {
    Matrix3(rows: Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1))
  }

  @inlinable @inline(__always)
  public var transposed: Matrix3 {
    Matrix3(rows: Vector3(m11, m21, m31), Vector3(m12, m22, m32), Vector3(m13, m23, m33))
  }

  @inlinable
  public var determinant: Scalar {
    m11 * (m22 * m33 - m23 * m32) - m12 * (m21 * m33 - m23 * m31) + m13 * (m21 * m32 - m22 * m31)
  }

  /// The inverse, computed by cofactors; `nil` if the matrix is singular or not finite.
  public var inverse: Matrix3? {
    let determinant = determinant
    guard determinant != 0, determinant.isFinite else { return nil }
    return Matrix3(
      rows: row2.cross(row3) / determinant, row3.cross(row1) / determinant,
      row1.cross(row2) / determinant
    ).transposed
  }

  @inlinable
  public static func * (m: Matrix3, v: Vector3) -> Vector3 {
    Vector3(
      m.m11 * v.x + m.m12 * v.y + m.m13 * v.z,
      m.m21 * v.x + m.m22 * v.y + m.m23 * v.z,
      m.m31 * v.x + m.m32 * v.y + m.m33 * v.z)
  }

  @inlinable
  public static func * (a: Matrix3, b: Matrix3) -> Matrix3 {
    let columns = b.transposed
    let first = a * Vector3(columns.m11, columns.m12, columns.m13)
    let second = a * Vector3(columns.m21, columns.m22, columns.m23)
    let third = a * Vector3(columns.m31, columns.m32, columns.m33)
    return Matrix3(rows: first, second, third).transposed
  }
}
