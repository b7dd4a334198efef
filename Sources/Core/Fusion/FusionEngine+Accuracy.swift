// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

// The accuracy of the heading. The heading has four sources of error: the drift of the gyroscope
// since north was last measured, the device's own magnetism, a nearby magnet, and a field of
// impossible strength.
extension FusionEngine {
  /// Standard deviation of the heading of `attitude9` relative to magnetic north, radians, at most
  /// pi. The value is pi before `hasHeading`. It includes the uncertainty of the device's own
  /// magnetism, and assumes that the local field points north (see `magneticAccuracy`). Updated at
  /// each correction.
  @inlinable @inline(__always)
  public var headingSigma: Scalar { hasHeading ? state.magnetometer.headingSigma : .pi }

  /// The accuracy of the heading of `attitude9`:
  ///
  /// - high: within 10 degrees. The field has been undisturbed for five seconds; it was known
  ///   before or turning has confirmed it; nothing suggests that the device's own magnetism has
  ///   changed; and twice `headingSigma` is at most 10 degrees.
  /// - medium: within 25 degrees. The field is undisturbed, and twice `headingSigma` is at most 25
  ///   degrees.
  /// - low: worse than medium, although the magnetometer is calibrated. A magnet is near, no field
  ///   is learned yet, or the field has a strength that does not occur on Earth.
  /// - uncalibrated: no magnetometer has been used yet; or the accuracy is worse than medium, and
  ///   the device has not been turned enough, in this or an earlier run, to determine its own
  ///   magnetism in every direction.
  @inlinable @inline(__always)
  public var magneticAccuracy: MagneticAccuracy {
    hasHeading ? state.magnetometer.accuracy : .uncalibrated
  }

  /// Updates the standard deviation and the accuracy of the heading.
  mutating func judgeHeading() {
    let sigma = sqrt(state.errors.headingVariance + ironHeadingVariance())
    // If `sigma` is not a number, the comparison fails, and the result is pi.
    state.magnetometer.headingSigma = sigma < .pi ? sigma : .pi
    state.magnetometer.accuracy = poorAccuracy
    guard state.magnetometer.reference.norm > 0,
      FieldReference.isPlausible(state.magnetometer.reference.norm),
      !state.magnetometer.reference.isDisturbed
    else { return }
    let isCertain =
      state.magnetometer.reference.isConfirmed
      && state.magnetometer.reference.trusted >= params.fieldFirstTime
      && !state.magnetometer.calibrator.isInconsistent
    if isCertain && 2 * sigma <= MagneticAccuracy.highAngle {
      state.magnetometer.accuracy = .high
    } else if 2 * sigma <= MagneticAccuracy.mediumAngle {
      state.magnetometer.accuracy = .medium
    }
  }

  /// The accuracy while the heading is unknown: `low` if the magnetometer is calibrated, otherwise
  /// `uncalibrated`.
  var poorAccuracy: MagneticAccuracy {
    !params.calibratesMagnetometer || params.isMagnetometerCalibrated
      || 2 * state.magnetometer.calibrator.calibration.sigma
        <= MagneticAccuracy.mediumAngle * FieldReference.weakest
      ? .low : .uncalibrated
  }

  /// Returns the variance of the heading that the uncertainty of the hard iron causes at the
  /// current attitude, rad^2. For a flat device, for example, the vertical part of the hard iron
  /// has no effect.
  mutating func ironHeadingVariance() -> Scalar {
    // If the engine does not calibrate, the program has already subtracted the device's magnetism.
    guard params.calibratesMagnetometer else { return 0 }
    let matrix = attitude9.rotationMatrix
    // The heading depends on the field along the west axis; this is that axis in device axes.
    let west = Vector3(matrix.m21, matrix.m22, matrix.m23)
    let known =
      state.magnetometer.reference.norm > 0
      ? state.magnetometer.reference.norm * cos(state.magnetometer.reference.dip)
      : FieldReference.weakest
    return west.dot(state.magnetometer.calibrator.covariance * west) / (known * known)
  }
}
