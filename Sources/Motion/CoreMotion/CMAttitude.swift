// SPDX-License-Identifier: Apache-2.0
package import Otolith

/// The rotation of the device relative to a frame of reference.
open class CMAttitude: NSObject, NSCopying, NSSecureCoding {
  /// The rotation from device to reference coordinates.
  private(set) var rotation: Quaternion

  /// Creates an attitude without rotation.
  public override init() {
    rotation = .identity
    super.init()
  }

  /// Creates an attitude from `rotation`, which converts device to reference coordinates.
  package init(_ rotation: Quaternion) {
    self.rotation = rotation
    super.init()
  }

  /// The rotation about y in radians, -pi ... pi: positive if the left edge rises.
  open var roll: Double { EulerAngles(rotation).roll }

  /// The rotation about x in radians, -pi/2 ... pi/2: positive if the top edge rises.
  open var pitch: Double { EulerAngles(rotation).pitch }

  /// The rotation about z in radians, -pi ... pi: positive if counter-clockwise seen from above.
  open var yaw: Double { EulerAngles(rotation).yaw }

  /// The matrix that converts a vector from reference to device coordinates.
  open var rotationMatrix: CMRotationMatrix {
    let m = rotation.rotationMatrix.transposed
    return CMRotationMatrix(
      m11: m.m11, m12: m.m12, m13: m.m13, m21: m.m21, m22: m.m22, m23: m.m23, m31: m.m31,
      m32: m.m32, m33: m.m33)
  }

  /// The unit quaternion that converts a vector from device to reference coordinates: v' = q v q*.
  open var quaternion: CMQuaternion {
    CMQuaternion(x: rotation.x, y: rotation.y, z: rotation.z, w: rotation.w)
  }

  /// Makes this attitude relative to `attitude`: it becomes the rotation from `attitude` to the
  /// orientation that it described before.
  open func multiply(byInverseOf attitude: CMAttitude) {
    // Read the open property, so that tests can override it in a subclass.
    let q = attitude.quaternion
    let reference = Quaternion(w: q.w, x: q.x, y: q.y, z: q.z)
    rotation = (reference.conjugate * rotation).normalized
  }

  open func copy(with zone: NSZone? = nil) -> Any { CMAttitude(rotation) }

  /// A description with the three angles in degrees.
  open override var description: String {
    let degrees = [pitch, roll, yaw].map { text($0 * 180 / .pi) }
    return "CMAttitude Pitch: \(degrees[0]), Roll: \(degrees[1]), Yaw: \(degrees[2])"
  }

  open class var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    guard let rotation = coder.decodeRotation(forKey: "quaternion") else { return nil }
    self.rotation = rotation
    super.init()
  }

  open func encode(with coder: NSCoder) {
    coder.encode(rotation, forKey: "quaternion")
  }
}
