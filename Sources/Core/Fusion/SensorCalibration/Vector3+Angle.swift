// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

extension Vector3 {
  /// Returns the angle between two directions, radians: from cross and dot product, because the arc
  /// cosine alone is inaccurate near zero.
  func angle(to other: Vector3) -> Scalar { atan2(cross(other).norm, dot(other)) }
}
