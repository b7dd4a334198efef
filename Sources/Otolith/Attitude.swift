// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Fusion

/// The rotation of a device against a frame of reference: a value, where `CMAttitude` is an object
/// that its users change.
public struct Attitude: Hashable, Sendable {
  /// One of the two coordinate systems in which a vector is given.
  public enum Coordinates: Hashable, Sendable {
    /// x right, y up along the screen, z out of it.
    case device
    /// z up; x as the frame says.
    case reference
  }

  /// A unit quaternion that takes device to reference coordinates.
  public let quaternion: Quaternion

  /// Creates an attitude from `quaternion`, which takes device to reference coordinates. It is
  /// normalized, unless its length is off by rounding alone (a millionth, as in logs): logged
  /// angles stay as they were. A quaternion without a direction (zero, not finite) becomes no
  /// rotation.
  public init(_ quaternion: Quaternion) {
    let isUnit = abs(quaternion.norm - 1) < 1e-6
    self.quaternion =
      isUnit ? quaternion : quaternion.isFinite ? quaternion.normalized : .identity
  }

  /// Creates an attitude from Core Motion's angles in radians: yaw about z, then pitch about the
  /// turned x, then roll about the turned y.
  public init(roll: Double, pitch: Double, yaw: Double) {
    self.init(
      Quaternion(angle: yaw, axis: Vector3(0, 0, 1))
        * Quaternion(angle: pitch, axis: Vector3(1, 0, 0))
        * Quaternion(angle: roll, axis: Vector3(0, 1, 0)))
  }

  /// The device's axes along the frame's.
  public static let identity = Attitude(.identity)

  /// About y, radians, -pi ... pi: the left edge rises, positive.
  public var roll: Double { EulerAngles(quaternion).roll }
  /// About x, radians, -pi/2 ... pi/2: the top edge rises, positive.
  public var pitch: Double { EulerAngles(quaternion).pitch }
  /// About z, radians, -pi ... pi: counter-clockwise from above, positive.
  public var yaw: Double { EulerAngles(quaternion).yaw }

  /// The matrix that takes device to reference coordinates: the transpose of
  /// `CMAttitude.rotationMatrix`.
  public var rotationMatrix: Matrix3 { quaternion.rotationMatrix }

  /// Returns `vector`, given in `source` coordinates, in `target` coordinates: unchanged where both
  /// are the same.
  public func vector(
    _ vector: Vector3, from source: Coordinates, to target: Coordinates
  ) -> Vector3 {
    guard source != target else { return vector }
    return (source == .device ? quaternion : quaternion.conjugate).rotate(vector)
  }

  /// The rotation back.
  public var inverse: Attitude { Attitude(quaternion.conjugate) }

  /// Returns this attitude as seen from the device in `other`, like
  /// `CMAttitude.multiply(byInverseOf:)`.
  public func relative(to other: Attitude) -> Attitude {
    Attitude(other.quaternion.conjugate * quaternion)
  }

  /// Returns the angle of the single rotation from `other` to this, radians, 0 ... pi.
  public func angle(to other: Attitude) -> Double {
    let turn = other.quaternion.conjugate * quaternion
    let sine = Vector3(turn.x, turn.y, turn.z).norm
    return 2 * atan2(sine, abs(turn.w))
  }

  /// Returns the attitude at `fraction` of the shortest way to `other`, turned evenly: 0 is this, 1
  /// the other (Shoemake, SIGGRAPH 1985). Fractions below 0 and above 1 continue the rotation.
  public func slerp(to other: Attitude, fraction: Double) -> Attitude {
    let turn = quaternion.conjugate * other.quaternion
    let sign: Double = turn.w < 0 ? -1 : 1
    let axis = Vector3(turn.x, turn.y, turn.z) * sign
    let sine = axis.norm
    guard sine > 1e-12 else { return fraction < 0.5 ? self : other }
    let angle = 2 * atan2(sine, abs(turn.w))
    return Attitude(quaternion * Quaternion(angle: angle * fraction, axis: axis * (1 / sine)))
  }

  /// The direction of the top edge in a north frame, degrees clockwise from north, 0 ..< 360:
  /// `CMDeviceMotion.heading`.
  public var heading: Double { headingDegrees(of: quaternion) }

  /// Returns the direction of `axis`, in device coordinates, on a map, in a north frame: degrees
  /// clockwise from north, 0 ..< 360; `nil` where it points up or down. Unlike `heading` it does
  /// not jump when the device is raised past vertical: pass (0, 0, -1) for the direction its back
  /// faces.
  public func heading(of axis: Vector3) -> Double? {
    let direction = quaternion.rotate(axis)
    guard direction.x * direction.x + direction.y * direction.y > 1e-12 * axis.dot(axis) else {
      return nil
    }
    // x is north and y west.
    let degrees = atan2(-direction.y, direction.x) * (180 / Double.pi)
    return degrees < 0 ? degrees + 360 : degrees
  }
}

extension Attitude: Codable {
  private enum Key: String, CodingKey { case x, y, z, w }

  /// Decodes an attitude. Throws where there is no rotation: numbers are missing, or their squares
  /// do not add up to 1.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let q = Quaternion(
      w: try values.decode(Double.self, forKey: .w), x: try values.decode(Double.self, forKey: .x),
      y: try values.decode(Double.self, forKey: .y), z: try values.decode(Double.self, forKey: .z))
    guard abs(q.norm - 1) < 1e-6 else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "x, y, z, w are of length \(q.norm); a rotation has length 1"))
    }
    self.init(q)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(quaternion.x, forKey: .x)
    try values.encode(quaternion.y, forKey: .y)
    try values.encode(quaternion.z, forKey: .z)
    try values.encode(quaternion.w, forKey: .w)
  }
}
