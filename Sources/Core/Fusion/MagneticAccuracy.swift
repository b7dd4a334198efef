// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The accuracy of a magnetic heading, on Core Motion's scale
/// (`CMMagneticFieldCalibrationAccuracy`).
public enum MagneticAccuracy: Int8, CaseIterable, Comparable, Sendable, BitwiseCopyable {
  /// There is no magnetometer, or no magnetic field has been measured yet.
  case uncalibrated = -1
  /// The heading may be wrong by more than 25 degrees, or its error is unknown.
  case low
  /// The heading is accurate to within 25 degrees.
  case medium
  /// The heading is accurate to within 10 degrees.
  case high

  /// The limits of the error for `high` and `medium`, rad.
  static var highAngle: Scalar { 10 * degree }
  static var mediumAngle: Scalar { 25 * degree }

  public static func < (a: MagneticAccuracy, b: MagneticAccuracy) -> Bool {
    a.rawValue < b.rawValue
  }
}
