// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The carrier that moves the device. Its speed, and the time for which it keeps it, distinguish a
/// velocity from a tilt.
public enum Carrier: UInt8, CaseIterable, Sendable {
  /// A hand, or a robot's arm: within a metre or so of one place.
  case hand
  /// A person who walks or runs, and carries or wears it.
  case body
  /// A robot on wheels, a car, a train.
  case wheels
  /// An aircraft, with wings or rotors.
  case air
  /// A boat, a ship, a buoy.
  case water
}

extension FusionEngine.Params {
  /// Creates the defaults for a device with this carrier. Sources: docs/fusion.md.
  public init(carrier: Carrier) {
    self.init()
    self.carrier = carrier
    switch carrier {
    case .hand: break
    case .body:
      velocitySigma = 0.7
      velocityTime = 1.5
      speedLimit = 3
      consistencyTime = 4
      // A walk passes by the iron of a place.
      headingTime = 5
    case .wheels:
      velocitySigma = Vehicle.velocitySigma
      velocityTime = Vehicle.velocityTime
      speedLimit = Vehicle.speedLimit
      consistencyTime = Vehicle.consistencyTime
      restRotationRate = Vehicle.restRotationRate
    case .air:
      velocitySigma = 4
      velocityTime = 0.3
      speedLimit = 30
      consistencyTime = 30
    case .water:
      velocitySigma = 0.8
      velocityTime = 1
      speedLimit = 5
      consistencyTime = 15
      // Floating devices never rest, except on a pond.
      restRotationRate = 0.3 * degree
      restTime = 5
      quietTime = 5
    }
  }
}

/// The parameters of wheels, also used for a hand in a vehicle. Units are those of `Params`.
enum Vehicle {
  static var velocitySigma: Scalar { 10 }
  static var velocityTime: Scalar { 10 }
  static var speedLimit: Scalar { 40 }
  static var consistencyTime: Seconds { 40 }
  /// A smooth ride can be quiet too.
  static var restRotationRate: Scalar { 0.6 * degree }
}
