// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

extension Vector3 {
  /// Returns the angle between two directions, radians. It uses cross and dot product, because the
  /// arc cosine is inaccurate near zero.
  func angle(to other: Vector3) -> Scalar { atan2(cross(other).norm, dot(other)) }
}
