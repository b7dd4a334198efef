// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The motion of a device that two hands turn to and fro about all its axes, and move about 10 cm.
/// The rotation rates reach some 220 degrees/s about each axis, which is within the smallest usual
/// range.
extension MovingWorld {
  static func handling(at t: Double) -> Quaternion {
    attitude(
      yaw: -Double.pi / 2 + 0.8 * Wave.sine(0.43 * t) + 0.25 * Wave.sine(1.1 * t + 0.3),
      pitch: 0.7 * Wave.sine(0.52 * t + 0.4) + 0.2 * Wave.sine(1.3 * t),
      roll: 0.9 * Wave.sine(0.37 * t + 0.7) + 0.25 * Wave.sine(0.97 * t + 0.1))
  }

  /// Returns the linear acceleration in g, in reference coordinates.
  static func accelerationOfHandling(at t: Double) -> Vector3 {
    Vector3(
      0.12 * Wave.sine(0.61 * t), 0.1 * Wave.sine(0.83 * t + 0.2), 0.15 * Wave.sine(0.71 * t + 0.6))
  }
}
