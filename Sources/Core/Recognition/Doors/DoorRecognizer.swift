// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// Detects whether a door with the device on it is open: integrates the rotation about the vertical
/// since it was closed; the door is assumed closed initially.
///
/// Only rotation faster than a gyroscope's bias counts, so that the angle stays valid for months
/// while the door rests; a door that returns close to its position is closed, and the remaining
/// angle is discarded.
package struct DoorRecognizer: Equatable, Sendable {
  /// The rate in rad/s below which a door counts as at rest: 1 degree per second, ten times a
  /// residual bias.
  private static let slowest = Scalar.pi / 180
  /// The angles above which the door is open, and below which it is closed, rad.
  private static let open = 12 * Scalar.pi / 180
  private static let closed = 5 * Scalar.pi / 180
  /// The seconds at rest after which the door is closed.
  private static let settling = 0.5

  private var angle = 0.0
  private var isOpen = false
  private var last: Timestamp?
  private var movedAt = Timestamp.zero

  package init() {}

  /// Adds a rotation rate in rad/s without bias, and gravity in g. Returns true when the door
  /// opens, false when it closes.
  package mutating func update(
    rotationRate: Vector3, gravity: Vector3, at time: Timestamp
  ) -> Bool? {
    defer { last = time }
    let length = gravity.norm
    guard let last, time > last, (time - last).seconds < 1, length > 0.5 else { return nil }
    let rate = rotationRate.dot(gravity) / length
    if abs(rate) >= Self.slowest {
      angle += rate * (time - last).seconds
      movedAt = time
    }
    if !isOpen, abs(angle) > Self.open {
      isOpen = true
      return true
    }
    guard abs(angle) < Self.closed, (time - movedAt).seconds >= Self.settling else { return nil }
    angle = 0
    guard isOpen else { return nil }
    isOpen = false
    return false
  }
}
