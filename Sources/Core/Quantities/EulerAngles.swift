// SPDX-License-Identifier: Apache-2.0
internal import CMath

/// Core Motion's three angles in radians: intrinsic yaw (z), then pitch (x), then roll (y), `R(q) =
/// Rz(yaw) Rx(pitch) Ry(roll)`. iPhone logs agree with this formula to 1e-13.
public struct EulerAngles: Equatable, Sendable, BitwiseCopyable {
  /// The roll, the angle about y in radians, -pi ... pi.
  public var roll: Scalar
  /// The pitch, the angle about x in radians, -pi/2 ... pi/2.
  public var pitch: Scalar
  /// The yaw, the angle about z in radians, -pi ... pi.
  public var yaw: Scalar

  public init(roll: Scalar, pitch: Scalar, yaw: Scalar) {
    self.roll = roll
    self.pitch = pitch
    self.yaw = yaw
  }

  /// Creates the angles of a unit quaternion that maps device to reference coordinates. At a pitch
  /// of +-90 degrees, only the sum or the difference of yaw and roll is defined; roll is then 0 and
  /// yaw is the whole angle.
  public init(_ q: Quaternion) {
    let sine = 2 * (q.y * q.z + q.w * q.x)
    // Rounding can make the sine exceed 1, where asin is undefined.
    pitch = asin(sine > 1 ? 1 : sine < -1 ? -1 : sine)
    let yawSine = 2 * (q.w * q.z - q.x * q.y)
    let yawCosine = 1 - 2 * (q.x * q.x + q.z * q.z)
    // The sine and the cosine of yaw are both proportional to the cosine of the pitch. If both are
    // smaller than the square root of the rounding error, most of their digits are rounding errors.
    guard yawSine * yawSine + yawCosine * yawCosine > Scalar.ulpOfOne else {
      roll = 0
      let turn = sine < 0 ? 2 * atan2(q.z - q.y, q.w - q.x) : 2 * atan2(q.z + q.y, q.w + q.x)
      yaw =
        turn > Scalar.pi ? turn - 2 * Scalar.pi : turn < -Scalar.pi ? turn + 2 * Scalar.pi : turn
      return
    }
    roll = atan2(2 * (q.w * q.y - q.x * q.z), 1 - 2 * (q.x * q.x + q.y * q.y))
    yaw = atan2(yawSine, yawCosine)
  }
}
