// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

// Gravity bounds the tilt error, whatever the gyroscope and the magnetometer measure.
extension FusionEngine {
  /// Compares the filter's tilt with the tilt of the mean specific force. If the two differ by more
  /// than their variances allow, the tilt of the mean specific force, with its variance, replaces
  /// the filter's tilt. All other estimates are kept.
  mutating func checkTilt(_ seconds: Seconds, _ recorder: inout some EpochRecorder) {
    let tau = isInVehicle ? Vehicle.consistencyTime : params.consistencyTime
    let inclination = state.attitude.inclination
    let mean = inclination.conjugate.rotate(state.epoch.impulse) * (1 / Scalar(seconds))
    let beyond = params.clipShare * state.epoch.clipped
    state.trust.monitor.add(
      mean, hiding: state.epoch.clippedForce / Scalar(seconds),
      turn: beyond * beyond, over: seconds, tau: tau)
    state.trust.follow(seconds, turn: sqrt(state.epoch.turning * Scalar(seconds)), params)
    guard !isVelocityAided, let up = inclination.rotate(state.trust.monitor.up).normalized else {
      return
    }
    let variance = monitorVariance(tau)
    let cosine = up.z > 1 ? 1 : up.z < -1 ? -1 : up.z
    let angle = acos(cosine)
    let gate = params.disagreementGate
    let isOff = angle * angle > gate * gate * (variance + state.errors.largestTiltVariance)
    state.trust.monitor.note(isOff: isOff, for: seconds)
    guard state.trust.monitor.disagreed > params.disagreementTime else { return }
    // Keep the filter's tilt if the difference is a vehicle's acceleration.
    if detectVehicle() { return }
    state.attitude.level(up)
    widenHeading(after: angle, &recorder)
    state.errors.forgetTilt(variance: variance)
    recorder.forget(.tilt)
    loseVelocity(&recorder)
    state.velocity.speedSquare = coefficients.leastVelocity
    state.rest.disturb()
    state.trust.monitor.note(isOff: false, for: seconds)
    state.trust.noteTakeover(of: angle, params)
  }

  /// Increases the variance of the heading: in a steep field, a tilt error of `angle`, rad, caused
  /// a heading error.
  private mutating func widenHeading(after angle: Scalar, _ recorder: inout some EpochRecorder) {
    guard state.attitude.hasNorth, state.magnetometer.sums.count > 0 else { return }
    let field = state.attitude.inclination.rotate(state.magnetometer.sums.field)
    let horizontal = field.x * field.x + field.y * field.y
    let added = angle * angle * field.z * field.z
    // If the variance is not a number, the comparison fails, and the heading becomes unknown.
    guard state.errors.headingVariance * horizontal + added < horizontal else {
      return forgetHeading(&recorder)
    }
    state.errors.widen(tilt: 0, heading: added / horizontal)
  }

  /// Returns the variance of the tilt from the mean specific force, rad^2 in each direction.
  private func monitorVariance(_ tau: Seconds) -> Scalar {
    // An acceleration may be the cause of the difference between the two tilts, so assume
    // velocities up to the carrier's speed limit.
    let (speed, time) =
      isInVehicle
      ? (Vehicle.speedLimit, Vehicle.velocityTime) : (params.speedLimit / 2, params.velocityTime)
    // The residual bias rotates the strapdown frame.
    let span = Scalar(state.trust.monitor.age < tau ? state.trust.monitor.age : tau)
    return state.trust.monitor.variance(speed: speed, time: time, tau: tau)
      + state.errors.biasVariance * span * span
  }

  /// Makes the velocity unknown, because its change was not measured.
  mutating func loseVelocity(_ recorder: inout some EpochRecorder) {
    state.velocity.value = .zero
    state.errors.forgetVelocity(variance: coefficients.mostVelocity)
    recorder.forget(.velocity)
  }
}
