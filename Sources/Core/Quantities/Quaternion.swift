// SPDX-License-Identifier: Apache-2.0
internal import CMath

/// A Hamilton quaternion `w + x i + y j + z k`. An attitude is a unit quaternion that maps device
/// to reference coordinates: `reference = q * device * q.conjugate`.
public struct Quaternion: Hashable, Sendable, BitwiseCopyable {
  public var w: Scalar
  public var x: Scalar
  public var y: Scalar
  public var z: Scalar

  @inlinable @inline(__always)
  public init(w: Scalar, x: Scalar, y: Scalar, z: Scalar) {
    self.w = w
    self.x = x
    self.y = y
    self.z = z
  }

  /// Creates the right-handed rotation by `angle` radians about the unit vector `axis`.
  public init(angle: Scalar, axis: Vector3) {
    let half = sin(angle / 2)
    self.init(w: cos(angle / 2), x: axis.x * half, y: axis.y * half, z: axis.z * half)
  }

  /// Creates the rotation about the axis along the vector `rotation`. The vector's length is the
  /// angle in radians.
  public init(rotationVector rotation: Vector3) {
    let angle = rotation.norm
    // For small angles a, sin(a/2)/a tends to 1/2. Below 1e-8 rad the next term of the series is
    // less than 1e-17 of this limit.
    let factor = angle > 1e-8 ? sin(angle / 2) / angle : 0.5
    self.init(
      w: cos(angle / 2), x: rotation.x * factor, y: rotation.y * factor, z: rotation.z * factor)
  }

  @inlinable @inline(__always)
  public static var identity: Quaternion { Quaternion(w: 1, x: 0, y: 0, z: 0) }

  @inlinable @inline(__always)
  public var conjugate: Quaternion { Quaternion(w: w, x: -x, y: -y, z: -z) }

  @inlinable @inline(__always)
  public var norm: Scalar { (w * w + x * x + y * y + z * z).squareRoot() }

  /// The unit quaternion of the same rotation; the identity if this quaternion's length is zero or
  /// not finite.
  @inlinable
  public var normalized: Quaternion {
    let length = norm
    guard length > 0, length.isFinite else { return .identity }
    return Quaternion(w: w / length, x: x / length, y: y / length, z: z / length)
  }

  @inlinable @inline(__always)
  public var isFinite: Bool { w.isFinite && x.isFinite && y.isFinite && z.isFinite }

  @inlinable
  public static func * (a: Quaternion, b: Quaternion) -> Quaternion {
    Quaternion(
      w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
      x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w)
  }

  /// Returns the vector `v` rotated by this unit quaternion, from device to reference coordinates.
  @inlinable
  public func rotate(_ v: Vector3) -> Vector3 {
    let axis = Vector3(x, y, z)
    let twice = 2 * axis.cross(v)
    return v + w * twice + axis.cross(twice)
  }

  /// The rotation matrix R(q) from device to reference coordinates. Core Motion's `rotationMatrix`
  /// is the transpose of this matrix.
  @inlinable
  public var rotationMatrix: Matrix3 {
    Matrix3(
      rows: Vector3(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
      Vector3(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
      Vector3(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)))
  }
}
