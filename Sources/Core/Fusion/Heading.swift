// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// Returns the compass direction in which the top edge (+y) of the device points: degrees clockwise
/// from north, `0 ..< 360`.
///
/// `attitude` is relative to a frame whose X axis is north and whose Z axis is up. Apple calls it
/// "the direction the device is pointing" and does not name the axis; here it is the top edge by
/// Core Motion's yaw angle, `(270 - yaw) mod 360`, because yaw 0 leaves the top edge on the frame's
/// Y axis, which is west.
public func headingDegrees(of attitude: Quaternion) -> Scalar {
  let degrees = 270 - EulerAngles(attitude).yaw * (180 / Scalar.pi)
  // yaw is in -pi ... pi, so the value lies in 90 ... 450.
  return degrees >= 360 ? degrees - 360 : degrees
}

/// Returns `angle` in radians brought into -pi ... pi.
func wrapped(_ angle: Scalar) -> Scalar {
  let turn = 2 * Scalar.pi
  return angle - turn * floor((angle + Scalar.pi) / turn)
}
