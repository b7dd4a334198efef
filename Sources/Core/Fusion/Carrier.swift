// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The person, robot or vehicle that moves the device. The typical speed of a carrier, and the time
/// for which it keeps that speed, help to tell a real velocity from a tilt error.
public enum Carrier: UInt8, CaseIterable, Sendable {
  /// A hand or a robot arm, which stays within about a metre of one place.
  case hand
  /// A walking or running person who carries or wears the device.
  case body
  /// A robot on wheels, a car or a train.
  case wheels
  /// An aircraft with wings or rotors.
  case air
  /// A boat, a ship or a buoy.
  case water
}

extension FusionEngine.Params {
  /// Creates the default parameters for a device that `carrier` moves. docs/fusion.md names the
  /// sources of the values.
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
      // A walking person passes an iron object within seconds.
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
      // A floating device never rests, except on a pond.
      restRotationRate = 0.3 * degree
      restTime = 5
      quietTime = 5
    }
  }
}

/// The parameters for wheels, also used while a device that is otherwise hand-held is in a vehicle.
/// The units are the same as in `Params`.
enum Vehicle {
  static var velocitySigma: Scalar { 10 }
  static var velocityTime: Scalar { 10 }
  static var speedLimit: Scalar { 40 }
  static var consistencyTime: Seconds { 40 }
  /// A smooth ride can be as quiet as rest, so the limit of the rotation rate at rest is smaller.
  static var restRotationRate: Scalar { 0.6 * degree }
}
