// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// ROS 2's units and signs (REP 103) beside Core Motion's.
enum ROSUnits {
  /// m/s^2 of specific force, of an acceleration in g: Core Motion's points the other way.
  static let acceleration = -9.80665
  /// Tesla of a microtesla.
  static let magneticField = 1e-6
  /// Pascal of a kilopascal.
  static let pressure = 1000.0
  /// Parts of one of a percent.
  static let humidity = 0.01
  /// From here on something is near.
  static let near = 0.5
}
