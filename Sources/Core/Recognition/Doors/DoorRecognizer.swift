// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// Detects whether the door on which the device is mounted is open. The recogniser integrates the
/// rotation about the vertical since the door was closed. It assumes that the door is closed at the
/// start.
///
/// Only rotations faster than the bias of a gyroscope count, so the angle stays valid for months
/// while the door is at rest. A door that returns close to its closed position counts as closed,
/// and the remaining angle is discarded.
package struct DoorRecognizer: Equatable, Sendable {
  /// The rate in rad/s below which a door counts as at rest: 1 degree per second, which is ten
  /// times a residual bias.
  private static let slowest = Scalar.pi / 180
  /// The angle in rad above which the door counts as open, and the angle below which the door
  /// counts as closed.
  private static let open = 12 * Scalar.pi / 180
  private static let closed = 5 * Scalar.pi / 180
  /// The time at rest in seconds after which the door counts as closed.
  private static let settling = 0.5

  private var angle = 0.0
  private var isOpen = false
  private var last: Timestamp?
  private var movedAt = Timestamp.zero

  package init() {}

  /// Adds a rotation rate in rad/s, without bias, and gravity in g. Returns true when the door
  /// opens, false when it closes, and otherwise `nil`.
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
