// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The errors of a chip by its data sheet, as the catalogue's ChannelNoise and ChannelTolerance
/// give them; limits are divided by the square root of three.
struct ChipSheet {
  struct Errors {
    /// The density of white noise, in the unit / sqrt(Hz).
    var density: Double
    var offset: Double
    var scale: Double
    /// Rad.
    var crossAxis: Double
    /// The smallest step.
    var step: Double
    var range: Double
  }
  var name: String
  var gyroscope: Errors
  var accelerometer: Errors
  /// Rad/s per g.
  var perG: Double
  /// The delay of the low-passes, s, as at 100 to 400 Hz.
  var delay: Double

  /// The largest offset of a gyroscope that is drawn, and the part of an accelerometer's errors
  /// that a calibration has left, as in FusionWorlds.
  static let largestGyroOffset = 3 * degree
  static let accelerometerRest = 0.1

  private static func gyroscope(
    _ density: Double, offset: Double, scale: Double, crossAxis: Double
  ) -> Errors {
    Errors(
      density: density * degree, offset: offset * degree, scale: scale,
      crossAxis: crossAxis, step: 2000 * degree / 32768, range: 2000 * degree)
  }

  private static func accelerometer(
    _ density: Double, offset: Double, scale: Double, crossAxis: Double
  ) -> Errors {
    Errors(
      density: density, offset: offset * accelerometerRest, scale: scale * accelerometerRest,
      crossAxis: crossAxis * accelerometerRest, step: 16.0 / 32768, range: 16)
  }

  static let all = [
    // PS-MPU-6000A-00 rev. 3.4, 6.1 and 6.2.
    ChipSheet(
      name: "mpu6050",
      gyroscope: gyroscope(0.005, offset: 11.5, scale: 0.0173, crossAxis: 0.0115),
      accelerometer: accelerometer(400e-6, offset: 0.035, scale: 0.0173, crossAxis: 0.0115),
      perG: 0.1 * degree, delay: 0.0048),
    // BST-BMI160-DS000-07, tables 2 and 3.
    ChipSheet(
      name: "bmi160", gyroscope: gyroscope(0.007, offset: 3, scale: 0.01, crossAxis: 0.0115),
      accelerometer: accelerometer(180e-6, offset: 0.04, scale: 0.01, crossAxis: 0.006),
      perG: 0.058 * degree, delay: 0.003),
    // LSM6DSO: DS12140 rev. 2, table 2.
    ChipSheet(
      name: "lsm6dso", gyroscope: gyroscope(0.0038, offset: 1, scale: 0.01, crossAxis: 0.006),
      accelerometer: accelerometer(70e-6, offset: 0.02, scale: 0.01, crossAxis: 0.006),
      perG: 0, delay: 0.004),
    // ICM-42688-P: DS-000347 rev. 1.7, tables 1 and 2.
    ChipSheet(
      name: "icm42688p",
      gyroscope: gyroscope(0.0028, offset: 0.5, scale: 0.005, crossAxis: 0.0125),
      accelerometer: accelerometer(70e-6, offset: 0.02, scale: 0.005, crossAxis: 0.01),
      perG: 0, delay: 0.002),
  ]
}
