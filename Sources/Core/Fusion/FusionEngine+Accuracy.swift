// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

// How good the heading is. Four things can be wrong with it: what the gyroscope has drifted since
// north was last seen, the device's own magnetism, a magnet nearby, and a field that no place has.
extension FusionEngine {
  /// One standard deviation of the heading of `attitude9` against magnetic north, radians, at most
  /// pi; pi before `hasHeading`. It includes the uncertainty of the device's own magnetism; that
  /// the field of the place itself points north is taken for granted (see `magneticAccuracy`).
  /// Judged at each correction.
  @inlinable @inline(__always)
  public var headingSigma: Scalar { hasHeading ? state.headingSigma : .pi }

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
    hasHeading ? state.magneticAccuracy : .uncalibrated
  }

  /// Judges both anew.
  mutating func judgeHeading() {
    let sigma = sqrt(state.errors.headingVariance + ironHeadingVariance())
    // Not-a-number fails the comparison.
    state.headingSigma = sigma < .pi ? sigma : .pi
    state.magneticAccuracy = poorAccuracy
    guard state.field.norm > 0, FieldReference.isPlausible(state.field.norm),
      !state.field.isDisturbed
    else { return }
    let isCertain =
      state.field.isConfirmed && state.field.trusted >= params.fieldFirstTime
      && !state.calibrator.isInDoubt
    if isCertain && sigma <= highSigma {
      state.magneticAccuracy = .high
    } else if sigma <= mediumSigma {
      state.magneticAccuracy = .medium
    }
  }

  /// The accuracy of a heading that may be anything: low with a calibration.
  var poorAccuracy: MagneticAccuracy {
    !params.calibratesMagnetometer || params.isMagnetometerCalibrated
      || state.calibrator.calibration.sigma <= mediumSigma * FieldReference.weakest
      ? .low : .uncalibrated
  }

  /// Returns the heading's variance by the doubt about the hard iron at the present attitude,
  /// rad^2: of a device that lies flat, its vertical part does not count.
  mutating func ironHeadingVariance() -> Scalar {
    // A program that subtracts the device's magnetism itself knows it.
    guard params.calibratesMagnetometer else { return 0 }
    let matrix = attitude9.rotationMatrix
    // The axis in which the field shows the heading, in device axes: west.
    let west = Vector3(matrix.m21, matrix.m22, matrix.m23)
    let known =
      state.field.norm > 0
      ? state.field.norm * cos(state.field.dip) : FieldReference.weakest
    return west.dot(state.calibrator.doubt * west) / (known * known)
  }
}

/// Half of the angles that `MagneticAccuracy` promises: two standard deviations.
let highSigma = 5 * degree
private let mediumSigma = 12.5 * degree
