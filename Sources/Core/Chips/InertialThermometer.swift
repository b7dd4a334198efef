// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Sensors

/// The thermometers inside accelerometers and gyroscopes.
enum InertialThermometer {
  /// The operating range in degrees Celsius, which is the same in the data sheets of all these
  /// parts: DocID026899, DocID030071, DS12140, DocID025715, DS-000347, BST-BMI160-DS000-07.
  static var limits: ClosedRange<Scalar> { -40...85 }

  /// Rejects a temperature that the part cannot measure.
  @inline(__always)
  static func check(_ reading: inout ChipReading) {
    guard reading.channels.contains(.temperature), !limits.contains(reading.temperature) else {
      return
    }
    reading.reject(.temperature, .outside)
  }
}
