// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

// The accuracy of the heading. It has four sources of error: the gyroscope's drift since north was
// last measured, the device's own magnetism, a magnet nearby, and an impossible field.
extension FusionEngine {
  /// One standard deviation of the heading of `attitude9` against magnetic north, radians, at most
  /// pi; pi before `hasHeading`. It includes the uncertainty of the device's own magnetism; it
  /// assumes that the field of the place points north (see `magneticAccuracy`). Updated at each
  /// correction.
  @inlinable @inline(__always)
  public var headingSigma: Scalar { hasHeading ? state.magnetometer.headingSigma : .pi }

  /// The accuracy of the heading of `attitude9`:
  ///
  /// - high: within 10 degrees. The field has been that of the place for five seconds, turning has
  ///   confirmed it or it was known before, it is not in doubt whether the device's own magnetism
  ///   has changed, and twice `headingSigma` is at most 10 degrees.
  /// - medium: within 25 degrees. The field is that of the place, and twice `headingSigma` is at
  ///   most 25 degrees.
  /// - low: neither, with a calibration. Near a magnet, while no field is learned, or where its
  ///   strength is not of this Earth.
  /// - uncalibrated: no magnetometer yet, or neither as long as the device has not been turned
  ///   enough to tell its own magnetism in every direction, now or in an earlier run.
  @inlinable @inline(__always)
  public var magneticAccuracy: MagneticAccuracy {
    hasHeading ? state.magnetometer.accuracy : .uncalibrated
  }

  /// Updates both.
  mutating func judgeHeading() {
    let sigma = sqrt(state.errors.headingVariance + ironHeadingVariance())
    // Not-a-number fails the comparison.
    state.magnetometer.headingSigma = sigma < .pi ? sigma : .pi
    state.magnetometer.accuracy = poorAccuracy
    guard state.magnetometer.reference.norm > 0,
      FieldReference.isPlausible(state.magnetometer.reference.norm),
      !state.magnetometer.reference.isDisturbed
    else { return }
    let isCertain =
      state.magnetometer.reference.isConfirmed
      && state.magnetometer.reference.trusted >= params.fieldFirstTime
      && !state.magnetometer.calibrator.isInDoubt
    if isCertain && 2 * sigma <= MagneticAccuracy.highAngle {
      state.magnetometer.accuracy = .high
    } else if 2 * sigma <= MagneticAccuracy.mediumAngle {
      state.magnetometer.accuracy = .medium
    }
  }

  /// The accuracy while the heading is unknown: low if there is a calibration of the magnetometer.
  var poorAccuracy: MagneticAccuracy {
    !params.calibratesMagnetometer || params.isMagnetometerCalibrated
      || 2 * state.magnetometer.calibrator.calibration.sigma
        <= MagneticAccuracy.mediumAngle * FieldReference.weakest
      ? .low : .uncalibrated
  }

  /// Returns the heading's variance caused by the uncertainty of the hard iron at the present
  /// attitude, rad^2: for a flat device the vertical part of the hard iron does not count.
  mutating func ironHeadingVariance() -> Scalar {
    // Without calibration here, the program subtracts the device's magnetism itself.
    guard params.calibratesMagnetometer else { return 0 }
    let matrix = attitude9.rotationMatrix
    // The axis along which the field depends on the heading, in device axes: west.
    let west = Vector3(matrix.m21, matrix.m22, matrix.m23)
    let known =
      state.magnetometer.reference.norm > 0
      ? state.magnetometer.reference.norm * cos(state.magnetometer.reference.dip)
      : FieldReference.weakest
    return west.dot(state.magnetometer.calibrator.doubt * west) / (known * known)
  }
}
