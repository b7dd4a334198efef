// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The accuracy of a heading by the magnetometer, on Core Motion's scale
/// (`CMMagneticFieldCalibrationAccuracy`).
public enum MagneticAccuracy: Int8, CaseIterable, Comparable, Sendable, BitwiseCopyable {
  /// There is no magnetometer, or no field has been measured yet.
  case uncalibrated = -1
  /// The heading may be off by more than 25 degrees, or its error is unknown.
  case low
  /// Within 25 degrees.
  case medium
  /// Within 10 degrees.
  case high

  /// The angles that `high` and `medium` promise, rad.
  static var highAngle: Scalar { 10 * degree }
  static var mediumAngle: Scalar { 25 * degree }

  public static func < (a: MagneticAccuracy, b: MagneticAccuracy) -> Bool {
    a.rawValue < b.rawValue
  }
}
