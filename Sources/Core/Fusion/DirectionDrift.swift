// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// The change of a direction in device axes since the first measurement. Gravity and the magnetic
/// field have fixed directions in space, so this change shows how far a device has turned that
/// seems to be still.
struct DirectionDrift: Equatable, Sendable {
  private var first = Vector3.zero
  private var count = 0.0
  private var recent = Vector3.zero
  private var elapsed: Seconds = 0
  private var averaging: Seconds = 0

  /// Adds the mean vector of the last `interval` seconds. The first direction is averaged over
  /// `time` seconds, which is also the time constant of the recent direction.
  mutating func add(_ mean: Vector3, interval: Seconds, averaging time: Seconds) {
    elapsed += interval
    averaging = time
    guard elapsed > time, count > 0 else {
      first += mean
      count += 1
      recent = first / count
      return
    }
    recent += gain(Scalar(interval), tau: Scalar(time)) * (mean - recent)
  }

  /// The time from the first to the recent direction, s; zero until both are known.
  var span: Scalar { elapsed > 2 * averaging ? Scalar(elapsed - averaging) : 0 }

  /// The recent length of the vector, in the unit of the vector.
  var strength: Scalar { recent.norm }

  /// The angle by which the direction has moved, radians.
  var angle: Scalar {
    let size = first.norm * recent.norm
    return size > 0 ? first.cross(recent).norm / size : 0
  }

  /// Returns the angle in radians by which the direction has turned about `up`. The movement of
  /// `up` itself is removed first. Zero if the direction is nearly parallel to `up`.
  func angle(about up: DirectionDrift) -> Scalar {
    guard let axis = up.first.normalized, let tilted = up.recent.normalized else { return 0 }
    // Rotate the recent vertical back to the first one by the smallest possible angle.
    let tilt = tilted.cross(axis)
    let turned = tilt.cross(recent)
    let level = recent + turned + tilt.cross(turned) / (1 + max(tilted.dot(axis), 0))
    let before = first - axis * axis.dot(first)
    let now = level - axis * axis.dot(level)
    let size = before.norm * now.norm
    guard size > 0.01 * first.norm * recent.norm else { return 0 }
    return axis.dot(before.cross(now)) / size
  }
}
