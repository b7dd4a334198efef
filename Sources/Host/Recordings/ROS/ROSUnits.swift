// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The units and signs of ROS 2 (REP 103), relative to the units and signs of Core Motion.
enum ROSUnits {
  /// The specific force in m/s^2 for an acceleration of 1 g. Core Motion's acceleration has the
  /// opposite sign.
  static let acceleration = -9.80665
  /// The factor from microtesla to tesla.
  static let magneticField = 1e-6
  /// The factor from kilopascals to pascals.
  static let pressure = 1000.0
  /// The factor from percent to a fraction.
  static let humidity = 0.01
  /// The proximity reading from which an object counts as near.
  static let near = 0.5
}
