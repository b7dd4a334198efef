// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Fusion

/// The rotation of a device relative to a frame of reference. This is a value type, whereas
/// `CMAttitude` is a mutable object.
public struct Attitude: Hashable, Sendable {
  /// The two coordinate systems for vectors.
  public enum Coordinates: Hashable, Sendable {
    /// The device's axes: x right, y up along the screen, z out of the screen.
    case device
    /// The axes of the frame of reference: z is up, and the frame defines x.
    case reference
  }

  /// A unit quaternion that converts device to reference coordinates.
  public let quaternion: Quaternion

  /// Creates an attitude from `quaternion`, which converts device to reference coordinates. The
  /// quaternion is normalized, unless its length deviates from 1 by at most a millionth, so that
  /// angles from logs do not change. A quaternion that is zero or not finite becomes the identity.
  public init(_ quaternion: Quaternion) {
    let isUnit = abs(quaternion.norm - 1) < 1e-6
    self.quaternion =
      isUnit ? quaternion : quaternion.isFinite ? quaternion.normalized : .identity
  }

  /// Creates an attitude from Core Motion's angles in radians: yaw about z, then pitch about the
  /// rotated x, then roll about the rotated y.
  public init(roll: Double, pitch: Double, yaw: Double) {
    self.init(
      Quaternion(angle: yaw, axis: Vector3(0, 0, 1))
        * Quaternion(angle: pitch, axis: Vector3(1, 0, 0))
        * Quaternion(angle: roll, axis: Vector3(0, 1, 0)))
  }

  /// The attitude without rotation: the axes of the device coincide with the axes of the frame.
  public static let identity = Attitude(.identity)

  /// The rotation about y in radians, -pi ... pi: positive if the left edge rises.
  public var roll: Double { EulerAngles(quaternion).roll }
  /// The rotation about x in radians, -pi/2 ... pi/2: positive if the top edge rises.
  public var pitch: Double { EulerAngles(quaternion).pitch }
  /// The rotation about z in radians, -pi ... pi: positive if counter-clockwise seen from above.
  public var yaw: Double { EulerAngles(quaternion).yaw }

  /// The matrix that converts device to reference coordinates: the transpose of
  /// `CMAttitude.rotationMatrix`.
  public var rotationMatrix: Matrix3 { quaternion.rotationMatrix }

  /// Returns `vector`, given in `source` coordinates, in `target` coordinates. The vector is
  /// unchanged if both are the same.
  public func vector(
    _ vector: Vector3, from source: Coordinates, to target: Coordinates
  ) -> Vector3 {
    guard source != target else { return vector }
    return (source == .device ? quaternion : quaternion.conjugate).rotate(vector)
  }

  /// The inverse rotation.
  public var inverse: Attitude { Attitude(quaternion.conjugate) }

  /// Returns this attitude relative to `other`, like `CMAttitude.multiply(byInverseOf:)`.
  public func relative(to other: Attitude) -> Attitude {
    Attitude(other.quaternion.conjugate * quaternion)
  }

  /// Returns the angle of the single rotation from `other` to this attitude, in radians, 0 ... pi.
  public func angle(to other: Attitude) -> Double {
    let turn = other.quaternion.conjugate * quaternion
    let sine = Vector3(turn.x, turn.y, turn.z).norm
    return 2 * atan2(sine, abs(turn.w))
  }

  /// Returns the attitude at `fraction` of the shortest rotation to `other`, at a constant rate
  /// (Shoemake, SIGGRAPH 1985). A fraction of 0 gives this attitude, 1 gives `other`; fractions
  /// below 0 and above 1 continue the rotation.
  public func slerp(to other: Attitude, fraction: Double) -> Attitude {
    let turn = quaternion.conjugate * other.quaternion
    let sign: Double = turn.w < 0 ? -1 : 1
    let axis = Vector3(turn.x, turn.y, turn.z) * sign
    let sine = axis.norm
    guard sine > 1e-12 else { return fraction < 0.5 ? self : other }
    let angle = 2 * atan2(sine, abs(turn.w))
    return Attitude(quaternion * Quaternion(angle: angle * fraction, axis: axis * (1 / sine)))
  }

  /// The direction of the top edge in degrees clockwise from north, 0 ..< 360, as in
  /// `CMDeviceMotion.heading`. Valid if the frame has a north.
  public var heading: Double { headingDegrees(of: quaternion) }

  /// Returns the horizontal direction of `axis`, given in device coordinates, in degrees clockwise
  /// from north, 0 ..< 360; `nil` if the axis points up or down. Valid if the frame has a north.
  /// The axis (0, 0, -1) is the direction in which the back of the device faces; unlike `heading`,
  /// its direction does not jump if the device is raised past vertical.
  public func heading(of axis: Vector3) -> Double? {
    let direction = quaternion.rotate(axis)
    guard direction.x * direction.x + direction.y * direction.y > 1e-12 * axis.dot(axis) else {
      return nil
    }
    // In a frame with north, x points north and y west.
    let degrees = atan2(-direction.y, direction.x) * (180 / Double.pi)
    return degrees < 0 ? degrees + 360 : degrees
  }
}

extension Attitude: Codable {
  private enum Key: String, CodingKey { case x, y, z, w }

  /// Decodes an attitude. Throws if a number is missing, or if the squares do not add up to 1.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let q = Quaternion(
      w: try values.decode(Double.self, forKey: .w), x: try values.decode(Double.self, forKey: .x),
      y: try values.decode(Double.self, forKey: .y), z: try values.decode(Double.self, forKey: .z))
    guard abs(q.norm - 1) < 1e-6 else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "x, y, z, w have length \(q.norm); a rotation has length 1"))
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
