// SPDX-License-Identifier: Apache-2.0
internal import Foundation
public import Quantities

/// An eye that looks at the origin of the reference frame from slightly above, and what it sees on
/// a picture plane through the origin, on which a length of 1 is 1.
public struct Camera: Sendable {
  /// The place of the eye, in reference coordinates.
  public let eye: Vector3
  /// Unit vectors of the picture, in reference coordinates.
  public let right: Vector3
  public let up: Vector3
  public let forward: Vector3
  /// From the eye to the origin.
  public let distance: Double

  /// `elevation` radians above the horizon. It looks along the horizontal direction `away`: y of
  /// the arbitrary frames, so that a device with yaw 0 lies as on a desk, and x, north, of the
  /// others.
  public init(towards away: Vector3, elevation: Double, distance: Double) {
    let upright = Vector3(0, 0, 1)
    forward = away * cos(elevation) - upright * sin(elevation)
    right = away.cross(upright)
    up = right.cross(forward)
    eye = forward * -distance
    self.distance = distance
  }

  /// Returns the place at which `point` is seen, from the centre, right and up. It must be nearer
  /// to the origin than the eye is.
  public func project(_ point: Vector3) -> (x: Double, y: Double) {
    let offset = point - eye
    let scale = distance / offset.dot(forward)
    return (offset.dot(right) * scale, offset.dot(up) * scale)
  }

  /// The direction in which the picture's point lies.
  func ray(x: Double, y: Double) -> Vector3 { forward * distance + right * x + up * y }
}
