// SPDX-License-Identifier: Apache-2.0
internal import CMath
package import Quantities

/// The principal axes of a symmetric 3 x 3 matrix by Jacobi's rotations: slower than a closed
/// formula and accurate also where two values are alike.
package struct SymmetricEigen: Equatable, Sendable {
  package private(set) var value1: Scalar
  package private(set) var value2: Scalar
  package private(set) var value3: Scalar
  /// The unit axes, one a row.
  private(set) var axes = Matrix3.identity

  package init(_ m: Covariance) {
    var a = m
    // Each sweep squares what is left off the diagonal; six leave nothing that a double can hold.
    for _ in 0..<6 {
      let (c1, s1) = Self.turn(a.xx, a.yy, a.xy)
      axes = Self.rotation12(c1, s1) * axes
      (a.xx, a.yy) = (a.xx - s1 / c1 * a.xy, a.yy + s1 / c1 * a.xy)
      a.xy = 0
      (a.xz, a.yz) = (c1 * a.xz - s1 * a.yz, s1 * a.xz + c1 * a.yz)

      let (c2, s2) = Self.turn(a.xx, a.zz, a.xz)
      axes = Self.rotation13(c2, s2) * axes
      (a.xx, a.zz) = (a.xx - s2 / c2 * a.xz, a.zz + s2 / c2 * a.xz)
      a.xz = 0
      (a.xy, a.yz) = (c2 * a.xy - s2 * a.yz, s2 * a.xy + c2 * a.yz)

      let (c3, s3) = Self.turn(a.yy, a.zz, a.yz)
      axes = Self.rotation23(c3, s3) * axes
      (a.yy, a.zz) = (a.yy - s3 / c3 * a.yz, a.zz + s3 / c3 * a.yz)
      a.yz = 0
      (a.xy, a.xz) = (c3 * a.xy - s3 * a.xz, s3 * a.xy + c3 * a.xz)
    }
    value1 = a.xx
    value2 = a.yy
    value3 = a.zz
  }

  var axis1: Vector3 { Vector3(axes.m11, axes.m12, axes.m13) }
  var axis2: Vector3 { Vector3(axes.m21, axes.m22, axes.m23) }
  var axis3: Vector3 { Vector3(axes.m31, axes.m32, axes.m33) }
  var largest: Scalar { max(value1, value2, value3) }
  var smallest: Scalar { min(value1, value2, value3) }

  /// Returns the matrix with the same axes and these values.
  package func matrix(_ v1: Scalar, _ v2: Scalar, _ v3: Scalar) -> Matrix3 {
    let scaled = Matrix3(rows: axis1 * v1, axis2 * v2, axis3 * v3)
    return axes.transposed * scaled
  }

  /// Returns cosine and sine of the smaller rotation that brings `pq` to zero.
  private static func turn(_ pp: Scalar, _ qq: Scalar, _ pq: Scalar) -> (Scalar, Scalar) {
    guard fabs(pq) > .leastNormalMagnitude else { return (1, 0) }
    let cotangent = (qq - pp) / (2 * pq)
    let size = fabs(cotangent) + sqrt(cotangent * cotangent + 1)
    let tangent = (cotangent < 0 ? -1 : 1) / size
    let cosine = 1 / sqrt(tangent * tangent + 1)
    return (cosine, tangent * cosine)
  }

  private static func rotation12(_ c: Scalar, _ s: Scalar) -> Matrix3 {
    Matrix3(rows: Vector3(c, -s, 0), Vector3(s, c, 0), Vector3(0, 0, 1))
  }
  private static func rotation13(_ c: Scalar, _ s: Scalar) -> Matrix3 {
    Matrix3(rows: Vector3(c, 0, -s), Vector3(0, 1, 0), Vector3(s, 0, c))
  }
  private static func rotation23(_ c: Scalar, _ s: Scalar) -> Matrix3 {
    Matrix3(rows: Vector3(1, 0, 0), Vector3(0, c, -s), Vector3(0, s, c))
  }
}

extension Covariance {
  /// Creates the symmetric part of `m`.
  init(_ m: Matrix3) {
    self.init(variance: 0)
    xx = m.m11
    yy = m.m22
    zz = m.m33
    xy = (m.m12 + m.m21) / 2
    xz = (m.m13 + m.m31) / 2
    yz = (m.m23 + m.m32) / 2
  }

  mutating func add(_ other: Covariance) {
    xx += other.xx
    xy += other.xy
    xz += other.xz
    yy += other.yy
    yz += other.yz
    zz += other.zz
  }
}
