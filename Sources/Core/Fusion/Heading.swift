// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// Returns the compass direction in which the top edge (+y) of the device points, in degrees
/// clockwise from north, `0 ..< 360`.
///
/// `attitude` is relative to a frame whose X axis is north and whose Z axis is up. Apple calls the
/// heading "the direction the device is pointing", without naming the axis. Here the top edge is
/// used, based on Core Motion's yaw angle: `(270 - yaw) mod 360`, because at yaw 0 the top edge is
/// on the frame's Y axis, which is west.
public func headingDegrees(of attitude: Quaternion) -> Scalar {
  let degrees = 270 - EulerAngles(attitude).yaw * (180 / Scalar.pi)
  // `yaw` is in -pi ... pi, so `degrees` is in 90 ... 450.
  return degrees >= 360 ? degrees - 360 : degrees
}

/// Returns `angle`, in radians, wrapped to -pi ... pi.
func wrapped(_ angle: Scalar) -> Scalar {
  let turn = 2 * Scalar.pi
  return angle - turn * floor((angle + Scalar.pi) / turn)
}
