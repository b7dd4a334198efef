// SPDX-License-Identifier: Apache-2.0
internal import Quantities

// Corrections of the estimates by an observation.
extension FusionEngine {
  /// The unit vector up, in device axes.
  @inline(__always)
  var deviceUp: Vector3 {
    (state.attitude.inclination * state.attitude.strapdown).conjugate.rotate(Vector3(0, 0, 1))
  }

  /// Observes three errors with the innovation `off`, and corrects all estimates.
  @inline(__always)
  mutating func observe(
    _ errors: Errors, off innovation: Vector3, noise: Matrix3, steadyShare: Scalar = 1,
    toBias: Bool, _ recorder: inout some EpochRecorder
  ) {
    // The gain is passed as inout, because a return value would be copied twice.
    var gain = ErrorFilter.VectorGain()
    guard state.errors.observe(errors, noise: noise, steadyShare: steadyShare, gain: &gain) else {
      return
    }
    recorder.observe(errors, gain, innovation: innovation)
    apply(gain.correction(innovation), toBias: toBias, &recorder)
  }

  /// Corrects the estimates by these errors.
  mutating func apply(
    _ errors: ErrorRow, toBias: Bool, _ recorder: inout some EpochRecorder
  ) {
    guard errors.isFinite else { return restartErrors(&recorder) }
    let turn = errors.attitude
    let tilt = Vector3(turn.x, turn.y, 0)
    state.attitude.inclination =
      (Quaternion(smallRotation: tilt) * state.attitude.inclination).normalized
    state.attitude.northOffset = wrapped(state.attitude.northOffset + turn.z)
    state.velocity.value += errors.velocity
    if toBias {
      let before = state.gyroscope.bias
      state.gyroscope.bias = (before + errors.bias).clipped(to: params.biasLimit)
      state.shiftedInEpoch += state.gyroscope.bias - before
    }
    state.gyroscope.matrix.add(
      Matrix3(rows: errors.gyroX, errors.gyroY, errors.gyroZ))
    state.accelerometer.offset += errors.offset
    state.accelerometer.scale += errors.scale
    state.correctedInEpoch += turn
  }

  /// Resets the covariance, and keeps the estimates, if the variances are not valid numbers.
  @inline(never)
  mutating func restartErrors(_ recorder: inout some EpochRecorder) {
    state.errors = ErrorFilter(coefficients.start)
    state.velocity.value = .zero
    state.velocity.speedSquare = coefficients.leastVelocity
    state.attitude.isTiltUnknown = true
    state.gyroscope.matrix = .identity
    state.gyroscope.errorRatio = 1
    state.accelerometer.offset = .zero
    state.accelerometer.scale = Vector3(1, 1, 1)
    state.velocity.lever = LeverArm()
    recorder.forget(.everything)
  }
}
