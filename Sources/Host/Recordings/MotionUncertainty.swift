// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// The uncertainties of a motion, for `replay --covariance`.
package struct MotionUncertainty: Equatable, Sendable {
  /// The covariance of the attitude in rad^2, as a rotation vector in the row's reference frame;
  /// `nil` if there is no attitude.
  package var attitude: Matrix3?
  /// One standard deviation of the gyroscope's bias in rad/s; `nil` without a gyroscope.
  package var gyroBiasSigma: Double?
  /// The names of the faults in the newest samples, separated by spaces.
  package var faults: String
  /// True if the attitude is computed from the accelerometer alone.
  package var isCoasting: Bool

  package init(attitude: Matrix3?, gyroBiasSigma: Double?, faults: String, isCoasting: Bool) {
    self.attitude = attitude
    self.gyroBiasSigma = gyroBiasSigma
    self.faults = faults
    self.isCoasting = isCoasting
  }
}
