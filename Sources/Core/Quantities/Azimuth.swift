// SPDX-License-Identifier: Apache-2.0
internal import CMath

extension Quaternion {
  /// The heading angle about the vertical, in radians. This is the yaw angle, except within five
  /// degrees of a pitch of +-90 degrees. There the axes of yaw and roll coincide, so the value is
  /// the rotation about the vertical that leaves the smallest remaining rotation.
  public var azimuth: Scalar {
    let sine = 2 * (y * z + w * x)
    return abs(sine) < 0.9962 ? EulerAngles(self).yaw : 2 * atan2(z, w)
  }
}
