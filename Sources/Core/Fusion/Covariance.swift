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
    let share = v * (1 / divisor)
    xx -= v.x * share.x
    xy -= v.x * share.y
    xz -= v.x * share.z
    yy -= v.y * share.y
    yz -= v.y * share.z
    zz -= v.z * share.z
  }
}
