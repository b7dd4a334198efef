// SPDX-License-Identifier: Apache-2.0
internal import CMath
package import Quantities

/// The principal axes of a symmetric 3 x 3 matrix, computed by Jacobi rotations. This is slower
/// than a closed formula, but accurate even for nearly equal eigenvalues.
package struct SymmetricEigen: Equatable, Sendable {
  package private(set) var value1: Scalar
  package private(set) var value2: Scalar
  package private(set) var value3: Scalar
  // The principal axes as unit vectors.
  private(set) var axis1 = Vector3(1, 0, 0)
  private(set) var axis2 = Vector3(0, 1, 0)
  private(set) var axis3 = Vector3(0, 0, 1)

  package init(_ m: Covariance) {
    var a = m
    // Each sweep squares the size of the elements off the diagonal. After at most six sweeps,
    // usually three, they are below the precision of a double. A comparison with not-a-number is
    // false, so not-a-number propagates to the eigenvalues.
    for _ in 0..<6 {
      let left = a.xy * a.xy + a.xz * a.xz + a.yz * a.yz
      let all = a.xx * a.xx + a.yy * a.yy + a.zz * a.zz
      if left <= .ulpOfOne * .ulpOfOne * all { break }
      Self.turn(&a.xx, &a.yy, &a.xy, &a.xz, &a.yz, &axis1, &axis2)
      Self.turn(&a.xx, &a.zz, &a.xz, &a.xy, &a.yz, &axis1, &axis3)
      Self.turn(&a.yy, &a.zz, &a.yz, &a.xy, &a.xz, &axis2, &axis3)
    }
    value1 = a.xx
    value2 = a.yy
    value3 = a.zz
  }

  var largest: Scalar { max(value1, value2, value3) }
  var smallest: Scalar { min(value1, value2, value3) }

  /// Returns the matrix with the same principal axes and these eigenvalues.
  package func matrix(_ v1: Scalar, _ v2: Scalar, _ v3: Scalar) -> Matrix3 {
    let axes = Matrix3(rows: axis1, axis2, axis3)
    return axes.transposed * Matrix3(rows: axis1 * v1, axis2 * v2, axis3 * v3)
  }

  /// Rotates the axes `p` and `q` in their plane by the smaller of the two angles for which the
  /// element `pq` becomes zero. `r` is the third axis.
  private static func turn(
    _ pp: inout Scalar, _ qq: inout Scalar, _ pq: inout Scalar, _ pr: inout Scalar,
    _ qr: inout Scalar, _ p: inout Vector3, _ q: inout Vector3
  ) {
    let half = (qq - pp) / 2
    let size = sqrt(half * half + pq * pq)
    if size == 0 { return }
    let tangent = (half < 0 ? -pq : pq) / (fabs(half) + size)
    let cosine = sqrt(0.5 + 0.5 * fabs(half) / size)
    let sine = tangent * cosine
    (pp, qq, pq) = (pp - tangent * pq, qq + tangent * pq, 0)
    (pr, qr) = (cosine * pr - sine * qr, sine * pr + cosine * qr)
    (p, q) = (p * cosine - q * sine, p * sine + q * cosine)
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

  mutating func scale(by factor: Scalar) {
    xx *= factor
    xy *= factor
    xz *= factor
    yy *= factor
    yz *= factor
    zz *= factor
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
