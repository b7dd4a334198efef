// SPDX-License-Identifier: Apache-2.0

/// A vector of three components along right-handed axes. The meaning and the unit are given where a
/// vector is declared.
public struct Vector3: Equatable, Sendable, BitwiseCopyable {
  public var x: Scalar
  public var y: Scalar
  public var z: Scalar

  @inlinable @inline(__always)
  public init(_ x: Scalar, _ y: Scalar, _ z: Scalar) {
    self.x = x
    self.y = y
    self.z = z
  }

  @inlinable @inline(__always)
  public static var zero: Vector3 { Vector3(0, 0, 0) }

  @inlinable @inline(__always)
  public static func + (a: Vector3, b: Vector3) -> Vector3 {
    Vector3(a.x + b.x, a.y + b.y, a.z + b.z)
  }

  @inlinable @inline(__always)
  public static func - (a: Vector3, b: Vector3) -> Vector3 {
    Vector3(a.x - b.x, a.y - b.y, a.z - b.z)
  }

  @inlinable @inline(__always)
  public static prefix func - (a: Vector3) -> Vector3 { Vector3(-a.x, -a.y, -a.z) }

  @inlinable @inline(__always)
  public static func * (a: Vector3, factor: Scalar) -> Vector3 {
    Vector3(a.x * factor, a.y * factor, a.z * factor)
  }

  @inlinable @inline(__always)
  public static func * (factor: Scalar, a: Vector3) -> Vector3 { a * factor }

  @inlinable @inline(__always)
  public static func / (a: Vector3, divisor: Scalar) -> Vector3 {
    Vector3(a.x / divisor, a.y / divisor, a.z / divisor)
  }

  @inlinable @inline(__always)
  public static func += (a: inout Vector3, b: Vector3) { a = a + b }

  @inlinable @inline(__always)
  public static func -= (a: inout Vector3, b: Vector3) { a = a - b }

  @inlinable @inline(__always)
  public func dot(_ other: Vector3) -> Scalar { x * other.x + y * other.y + z * other.z }

  @inlinable @inline(__always)
  public func cross(_ other: Vector3) -> Vector3 {
    Vector3(
      y * other.z - z * other.y,
      z * other.x - x * other.z,
      x * other.y - y * other.x)
  }

  /// The length of the vector.
  @inlinable @inline(__always)
  public var norm: Scalar { dot(self).squareRoot() }

  /// The unit vector in the direction of this vector; `nil` if the length is zero or not finite.
  @inlinable @inline(__always)
  public var normalized: Vector3? {
    let length = norm
    guard length > 0, length.isFinite else { return nil }
    return self / length
  }

  @inlinable @inline(__always)
  public var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}
