// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// A symmetric 3 x 3 matrix.
package struct Covariance: Equatable, Sendable {
  package var xx, xy, xz, yy, yz, zz: Scalar

  init(variance: Scalar) {
    xx = variance
    yy = variance
    zz = variance
    xy = 0
    xz = 0
    yz = 0
  }

  static func * (p: Covariance, v: Vector3) -> Vector3 {
    Vector3(
      p.xx * v.x + p.xy * v.y + p.xz * v.z,
      p.xy * v.x + p.yy * v.y + p.yz * v.z,
      p.xz * v.x + p.yz * v.y + p.zz * v.z)
  }

  /// Subtracts `v v^T / divisor`.
  mutating func subtract(square v: Vector3, over divisor: Scalar) {
    xx -= v.x * v.x / divisor
    xy -= v.x * v.y / divisor
    xz -= v.x * v.z / divisor
    yy -= v.y * v.y / divisor
    yz -= v.y * v.z / divisor
    zz -= v.z * v.z / divisor
  }
}
