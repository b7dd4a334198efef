// SPDX-License-Identifier: Apache-2.0
internal import CMath

/// Core Motion's three angles in radians: intrinsic yaw (z), then pitch (x), then roll (y),
/// `R(q) = Rz(yaw) Rx(pitch) Ry(roll)`, measured on iPhone logs to 1e-13.
public struct EulerAngles: Equatable, Sendable, BitwiseCopyable {
  /// About y, -pi ... pi.
  public var roll: Scalar
  /// About x, -pi/2 ... pi/2.
  public var pitch: Scalar
  /// About z, -pi ... pi.
  public var yaw: Scalar

  public init(roll: Scalar, pitch: Scalar, yaw: Scalar) {
    self.roll = roll
    self.pitch = pitch
    self.yaw = yaw
  }

  /// Creates the angles of a unit quaternion that takes device to reference coordinates.
  public init(_ q: Quaternion) {
    let sine = 2 * (q.y * q.z + q.w * q.x)
    // Rounding may carry the sine past 1, where asin is undefined.
    pitch = asin(sine > 1 ? 1 : sine < -1 ? -1 : sine)
    roll = atan2(2 * (q.w * q.y - q.x * q.z), 1 - 2 * (q.x * q.x + q.y * q.y))
    yaw = atan2(2 * (q.w * q.z - q.x * q.y), 1 - 2 * (q.x * q.x + q.z * q.z))
  }
}
