// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The units and signs of ROS 2 (REP 103), relative to the units and signs of Core Motion.
enum ROSUnits {
  /// The specific force in m/s^2 for an acceleration of 1 g. Core Motion's acceleration has the
  /// opposite sign.
  static let acceleration = -9.80665
  /// The tesla per microtesla.
  static let magneticField = 1e-6
  /// The pascals per kilopascal.
  static let pressure = 1000.0
  /// The fraction per percent.
  static let humidity = 0.01
  /// The proximity reading from which an object counts as near.
  static let near = 0.5
}
