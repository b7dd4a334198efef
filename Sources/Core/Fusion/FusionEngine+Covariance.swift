// SPDX-License-Identifier: Apache-2.0
public import Quantities

// The uncertainty of each estimate, and the learned errors of the sensors.
extension FusionEngine {
  /// The covariance of `attitude9`: a rotation vector in its frame (X north, Y west, Z up), rad^2.
  /// The uncertainty of the device's own magnetism is not included here but in `headingSigma`.
  public var attitudeCovariance: Matrix3 { turnedNorth(withCrossAxisTilt(state.errors.attitude)) }

  /// Adds the variance of the tilt that follows from `accelerationCrossAxisSigma` to a covariance
  /// of the attitude.
  package func withCrossAxisTilt(_ covariance: Matrix3) -> Matrix3 {
    let sigma = params.accelerationCrossAxisSigma
    var total = covariance
    total.m11 += sigma * sigma
    total.m22 += sigma * sigma
    return total
  }

  /// Updates the standard deviation of the tilt. It is stored because programs read it with every
  /// sample.
  mutating func noteTiltSigma() {
    let crossAxis = params.accelerationCrossAxisSigma
    state.attitude.tiltSigma =
      (state.errors.largestTiltVariance + crossAxis * crossAxis).squareRoot()
  }

  /// The covariance of the gyroscope's bias, device axes, (rad/s)^2.
  public var gyroBiasCovariance: Matrix3 { state.errors.bias }

  /// The velocity in the frame of `attitude9`, m/s. Without aiding, only the change over the last
  /// few seconds is known.
  public var velocity: Vector3 { state.attitude.north.rotate(state.velocity.value) }

  /// The covariance of `velocity`, (m/s)^2.
  public var velocityCovariance: Matrix3 { turnedNorth(state.errors.velocity) }

  /// The learned matrix that corrects a rotation rate after subtracting the bias. Scale factors are
  /// on the diagonal, misalignments off the diagonal.
  public var gyroMatrix: Matrix3 { state.gyroscope.matrix }

  /// Standard deviation of each element of `gyroMatrix`.
  public var gyroMatrixSigma: Matrix3 {
    var errors = state.errors
    let v = errors.gyroMatrixVariances()
    return Matrix3(rows: root(v.row1), root(v.row2), root(v.row3))
  }

  /// The accelerometer's offset, g, device axes: subtract it from the measured specific force, then
  /// multiply by `accelerationScale`.
  public var accelerationOffset: Vector3 { state.accelerometer.offset }

  /// Standard deviation of each component of `accelerationOffset`, g.
  public var accelerationOffsetSigma: Vector3 {
    root(state.errors.accelerationVariances.offset)
  }

  /// The scale factor of each axis of the accelerometer. It applies to a specific force from which
  /// the offset has been subtracted.
  public var accelerationScale: Vector3 { state.accelerometer.scale }

  /// Standard deviation of each component of `accelerationScale`.
  public var accelerationScaleSigma: Vector3 {
    root(state.errors.accelerationVariances.scale)
  }

  /// Returns a covariance in the frame of `attitude9`, which differs from the filter's reference
  /// frame by the north offset.
  private func turnedNorth(_ covariance: Matrix3) -> Matrix3 {
    let turn = state.attitude.north.rotationMatrix
    return turn * covariance * turn.transposed
  }

  private func root(_ variances: Vector3) -> Vector3 {
    func root(_ variance: Scalar) -> Scalar { variance > 0 ? variance.squareRoot() : 0 }
    return Vector3(root(variances.x), root(variances.y), root(variances.z))
  }
}
