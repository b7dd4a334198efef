// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// ROS 2's units and signs (REP 103) in terms of Core Motion's.
enum ROSUnits {
  /// The specific force in m/s^2 for an acceleration of 1 g: Core Motion's has the opposite sign.
  static let acceleration = -9.80665
  /// Tesla per microtesla.
  static let magneticField = 1e-6
  /// Pascal per kilopascal.
  static let pressure = 1000.0
  /// Fraction per percent.
  static let humidity = 0.01
  /// The reading from which an object is near.
  static let near = 0.5
}
