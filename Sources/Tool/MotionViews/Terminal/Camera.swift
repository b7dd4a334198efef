// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import Quantities

/// A camera that looks at the origin of the reference frame from slightly above. Its picture plane
/// contains the origin, where a length of 1 is 1.
package struct Camera: Sendable {
  /// The position of the camera, in reference coordinates.
  package let eye: Vector3
  /// The unit vectors of the picture, in reference coordinates.
  package let right: Vector3
  package let up: Vector3
  package let forward: Vector3
  /// The distance from the camera to the origin.
  package let distance: Double

  /// Creates a camera `elevation` radians above the horizon. It looks along the horizontal
  /// direction `away`: y of the arbitrary frames, so that a device with yaw 0 looks as if it lay on
  /// a desk, and x, which is north, of the others.
  package init(towards away: Vector3, elevation: Double, distance: Double) {
    let upright = Vector3(0, 0, 1)
    forward = away * cos(elevation) - upright * sin(elevation)
    right = away.cross(upright)
    up = right.cross(forward)
    eye = forward * -distance
    self.distance = distance
  }

  /// Returns the position of `point` in the picture, from the centre, right and up. The point must
  /// be nearer to the origin than the camera is.
  package func project(_ point: Vector3) -> (x: Double, y: Double) {
    let offset = point - eye
    let scale = distance / offset.dot(forward)
    return (offset.dot(right) * scale, offset.dot(up) * scale)
  }

  /// Returns the direction to a point of the picture.
  func ray(x: Double, y: Double) -> Vector3 { forward * distance + right * x + up * y }
}
