// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The rotation of the board, which makes accelerations at different places of the board differ.
public struct Turning: Equatable, Sendable, BitwiseCopyable {
  /// The rotation rate, rad/s, device axes.
  public var rate: Vector3
  /// The angular acceleration, rad/s^2, device axes.
  public var acceleration: Vector3

  public init(rate: Vector3 = .zero, acceleration: Vector3 = .zero) {
    self.rate = rate
    self.acceleration = acceleration
  }

  public static var none: Turning { Turning() }

  /// Returns the difference between the specific forces at `place` and at the origin, g. `place` is
  /// in m.
  func specificForce(at place: Vector3) -> Vector3 {
    (acceleration.cross(place) + rate.cross(rate.cross(place))) / standardGravity
  }
}

/// Standard gravity, m/s^2.
private let standardGravity = 9.80665
