// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// All that a fusion engine has learned: a value that can be read, kept across a restart and put back.
public struct FusionState: Sendable, BitwiseCopyable {
  /// Gyroscope alone: device to a frame that drifts with the bias left over.
  var strapdown = Quaternion.identity
  /// What turns the drifting frame's z axis up.
  var inclination = Quaternion.identity
  /// Rotation about the vertical from the 6-axis frame to north, radians.
  var heading = 0.0
  /// The corrected frame's rotation about the vertical, and the heading that it began with, radians.
  var correctedHeading = 0.0
  var headingAnchor = 0.0

  /// The gyroscope's bias in rad/s and its covariance in (rad/s)^2.
  var bias = Vector3.zero
  var biasCovariance: Matrix3

  // Streams: the newest time, and the interval that the filters are made for.
  var gyroTime: Timestamp?
  var gyroInterval = StreamInterval()
  var accelerationTime: Timestamp?
  var accelerationInterval = StreamInterval()
  var magneticTime: Timestamp?
  var magneticInterval = StreamInterval()
  var hasAcceleration = false
  var hasField = false

  // Low-pass filters.
  var acceleration = VectorLowPass()
  var rotationRow1 = VectorLowPass()
  var rotationRow2 = VectorLowPass()
  var rotationRow3 = VectorLowPass()
  var turnedBiasX = ScalarLowPass()
  var turnedBiasY = ScalarLowPass()
  var restRate = VectorLowPass()
  var restAcceleration = VectorLowPass()
  var fieldNorm = ScalarLowPass()
  var fieldDip = ScalarLowPass()

  // Rest.
  var restTime = 0.0
  var isAtRest = false

  // Magnetic field: the reference, a candidate for another, and what is thought of the present one.
  var referenceNorm = 0.0
  var referenceDip = 0.0
  var candidateNorm = -1.0
  var candidateDip = 0.0
  var candidateTime = 0.0
  var undisturbedTime = 0.0
  var isDisturbed = true
  var rejectionTime = 0.0
  /// The gain of the first corrections: 1, 1/2, 1/3 ... until the time constant takes over at 0.
  var initialGain = 1.0

  init(_ params: FusionParams) {
    let variance = params.initialBiasSigma * params.initialBiasSigma
    biasCovariance = .diagonal(variance, variance, variance)
  }
}
