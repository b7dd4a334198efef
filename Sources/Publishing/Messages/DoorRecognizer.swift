// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// Tells of a door, on which the device is fixed, whether it is open: how far it was turned about
/// the vertical since it was closed, which it is taken to be at first.
///
/// Only turning that is faster than what a gyroscope makes up is added, so that the angle holds
/// for months while the door stands; one that comes back near where it was is closed, and
/// what is left of the angle is forgotten.
package struct DoorRecognizer: Equatable, Sendable {
  /// rad/s below which a door stands still: 1 degree a second, ten times the rest of a bias.
  private static let slowest = 1 * Double.pi / 180
  /// The angle beyond which it is open, and the one below which it is closed, rad.
  private static let open = 12 * Double.pi / 180
  private static let closed = 5 * Double.pi / 180
  /// The seconds for which it must stand still to be closed.
  private static let settling = 0.5

  private var angle = 0.0
  private var isOpen = false
  private var last: Timestamp?
  private var movedAt = Timestamp.zero

  package init() {}

  /// Takes rad/s without bias, and gravity in g. Returns true when it was opened, false when it was
  /// closed.
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

/// Tells that a device falls: all of its acceleration is gone for long enough to fall 5 cm.
package struct FallRecognizer: Equatable, Sendable {
  /// g; an accelerometer's offset and a slow turn are within it.
  private static let threshold = 0.3
  /// s
  private static let duration = 0.1

  private var since: Timestamp?
  private var isTold = false

  package init() {}

  /// Takes an acceleration in g. Returns true once for each fall.
  package mutating func update(_ acceleration: Vector3, at time: Timestamp) -> Bool {
    guard acceleration.norm < Self.threshold else {
      (since, isTold) = (nil, false)
      return false
    }
    let begin = since ?? time
    since = begin
    guard !isTold, (time - begin).seconds >= Self.duration else { return false }
    isTold = true
    return true
  }
}
