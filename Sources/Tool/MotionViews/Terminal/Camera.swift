// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import Quantities

/// A camera that looks at the origin of the reference frame from slightly above. The picture plane
/// contains the origin, and a length of 1 in this plane appears as 1.
package struct Camera: Sendable {
  /// The position of the camera, in reference coordinates.
  package let eye: Vector3
  /// The unit vectors of the picture: to the right, up and forward, in reference coordinates.
  package let right: Vector3
  package let up: Vector3
  package let forward: Vector3
  /// The distance from the camera to the origin.
  package let distance: Double

  /// Creates a camera `elevation` radians above the horizon that looks along the horizontal
  /// direction `away`. In frames with an arbitrary x axis this direction is y, so that a device
  /// with yaw 0 appears as it lies on a desk; in the other frames it is x, which points north.
  package init(towards away: Vector3, elevation: Double, distance: Double) {
    let upright = Vector3(0, 0, 1)
    forward = away * cos(elevation) - upright * sin(elevation)
    right = away.cross(upright)
    up = right.cross(forward)
    eye = forward * -distance
    self.distance = distance
  }

  /// Returns the position of `point` in the picture, to the right of and above the centre. The
  /// point must be nearer to the origin than the camera.
  package func project(_ point: Vector3) -> (x: Double, y: Double) {
    let offset = point - eye
    let scale = distance / offset.dot(forward)
    return (offset.dot(right) * scale, offset.dot(up) * scale)
  }

  /// Returns the direction from the camera to a point of the picture.
  func ray(x: Double, y: Double) -> Vector3 { forward * distance + right * x + up * y }
}
