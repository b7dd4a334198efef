// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// The uncertainties of one motion, for `replay --covariance`.
package struct MotionUncertainty: Equatable, Sendable {
  /// The covariance of the attitude: a rotation vector in the row's reference frame, rad^2; `nil`
  /// where there is no attitude.
  package var attitude: Matrix3?
  /// One standard deviation of the gyroscope's bias, rad/s; `nil` without a gyroscope.
  package var gyroBiasSigma: Double?
  /// The names of the faults of the newest samples, with blanks between them.
  package var faults: String
  /// True if the attitude comes from the accelerometer alone.
  package var isCoasting: Bool

  package init(attitude: Matrix3?, gyroBiasSigma: Double?, faults: String, isCoasting: Bool) {
    self.attitude = attitude
    self.gyroBiasSigma = gyroBiasSigma
    self.faults = faults
    self.isCoasting = isCoasting
  }
}
