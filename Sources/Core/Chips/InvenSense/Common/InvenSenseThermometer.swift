// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Sensors

/// The thermometers inside InvenSense's parts.
enum InvenSenseThermometer {
  /// The range of temperatures that these thermometers measure, in degrees Celsius (PS-MPU-6000A
  /// section 6.3, PS-MPU-6500A table 3, DS-000189 table 3; PX4's drivers have the same limits).
  static var limits: ClosedRange<Scalar> { -40...85 }

  /// Rejects a temperature that the part cannot measure.
  @inline(__always)
  static func check(_ reading: inout ChipReading) { InertialThermometer.check(&reading) }
}
