// SPDX-License-Identifier: Apache-2.0
internal import CMath

extension Quaternion {
  /// The rotation about the vertical: the yaw angle in radians. Within five degrees of the poles of
  /// pitch, where yaw and roll coincide, the rotation about the vertical that leaves the smallest
  /// remaining rotation.
  public var azimuth: Scalar {
    let sine = 2 * (y * z + w * x)
    return abs(sine) < 0.9962 ? EulerAngles(self).yaw : 2 * atan2(z, w)
  }
}
