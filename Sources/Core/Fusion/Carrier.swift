// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The person, robot or vehicle that moves the device. The speed of this carrier, and the time for
/// which it keeps that speed, distinguish a velocity from a tilt error.
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
  /// Creates the default parameters for a device moved by `carrier`. docs/fusion.md gives their
  /// sources.
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
      // A walker passes iron at a place within seconds.
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

/// The parameters for wheels, also used for a hand-held device in a vehicle. Units are those of
/// `Params`.
enum Vehicle {
  static var velocitySigma: Scalar { 10 }
  static var velocityTime: Scalar { 10 }
  static var speedLimit: Scalar { 40 }
  static var consistencyTime: Seconds { 40 }
  /// A smooth ride can be as quiet as rest, so rest allows only a smaller rotation rate.
  static var restRotationRate: Scalar { 0.6 * degree }
}
