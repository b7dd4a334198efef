// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

// Gravity bounds the tilt error whatever the gyroscope and the field measure.
extension FusionEngine {
  /// Compares the filter's tilt with the monitor's, and replaces it by the latter, with its
  /// variance, if they differ by more than both variances allow. All other estimates are kept.
  mutating func checkTilt(_ seconds: Seconds, _ recorder: inout some EpochRecorder) {
    let tau = isInVehicle ? Vehicle.consistencyTime : params.consistencyTime
    let inclination = state.inclination
    let mean = inclination.conjugate.rotate(state.epoch.impulse) * (1 / Scalar(seconds))
    let beyond = params.clipShare * state.epoch.clipped
    state.monitor.add(
      mean, hiding: state.epoch.clippedForce / Scalar(seconds),
      turn: beyond * beyond, over: seconds, tau: tau)
    let forgotten = gain(Scalar(seconds), tau: Scalar(params.refusalTime))
    state.takeovers -= forgotten * state.takeovers
    state.refutations -= forgotten * state.refutations
    if state.takeovers > params.mostTakeovers { state.newFaults.insert(.gyroscopeRefuted) }
    state.turned += sqrt(state.epoch.turning * Scalar(seconds))
    guard !isVelocityAided, let up = inclination.rotate(state.monitor.up).normalized else { return }
    let variance = monitorVariance(tau)
    let cosine = up.z > 1 ? 1 : up.z < -1 ? -1 : up.z
    let angle = acos(cosine)
    let gate = params.disagreementGate
    let isOff = angle * angle > gate * gate * (variance + state.errors.largestTiltVariance)
    state.monitor.note(isOff: isOff, for: seconds)
    guard state.monitor.disagreed > params.disagreementTime else { return }
    // Unless a vehicle accelerates.
    if detectVehicle() { return }
    level(up)
    doubtHeading(after: angle, &recorder)
    state.errors.forgetTilt(variance: variance)
    recorder.forget(.tilt)
    loseVelocity(&recorder)
    state.speedSquare = coefficients.leastVelocity
    state.rest.disturb()
    state.monitor.note(isOff: false, for: seconds)
    state.takeovers += 1
    // An acceleration causes a tilt error independent of turns; a wrong gyroscope one proportional
    // to the turn, up to twice the turn if its sign is wrong.
    let (least, most) = (params.refutingShare * state.turned, 2 * state.turned)
    if angle > least, angle < most { state.refutations += 1 }
    state.turned = 0
    if state.refutations > params.mostTakeovers { state.refused = params.refusalTime }
  }

  /// Widens the heading by what a tilt that was off by `angle`, rad, made of a steep field.
  private mutating func doubtHeading(after angle: Scalar, _ recorder: inout some EpochRecorder) {
    guard state.hasNorth, state.fields.count > 0 else { return }
    let field = state.inclination.rotate(state.fields.field)
    let horizontal = field.x * field.x + field.y * field.y
    let doubt = angle * angle * field.z * field.z
    // Not-a-number fails the comparison.
    guard state.errors.headingVariance * horizontal + doubt < horizontal else {
      return forgetHeading(&recorder)
    }
    state.errors.widen(tilt: 0, heading: doubt / horizontal)
  }

  /// Returns the variance of each direction of the monitor's tilt, rad^2.
  private func monitorVariance(_ tau: Seconds) -> Scalar {
    // The measured acceleration now adds to the velocity, up to the limit.
    let (speed, time) =
      isInVehicle
      ? (Vehicle.speedLimit, Vehicle.velocityTime) : (params.speedLimit / 2, params.velocityTime)
    // The residual bias rotates the frame.
    let span = Scalar(state.monitor.age < tau ? state.monitor.age : tau)
    return state.monitor.variance(speed: speed, time: time, tau: tau)
      + state.errors.biasVariance * span * span
  }

  /// Forgets the velocity, whose change was not observed.
  mutating func loseVelocity(_ recorder: inout some EpochRecorder) {
    state.velocity = .zero
    state.errors.forgetVelocity(variance: coefficients.mostVelocity)
    recorder.forget(.velocity)
  }
}

/// The recent mean of an integral: first of all values, then with a time constant.
struct SlowMean: Equatable, Sendable {
  private(set) var value = Vector3.zero
  /// s, at most the time constant.
  private(set) var time: Seconds = 0

  /// Adds an integral over this many seconds.
  mutating func add(_ integral: Vector3, over seconds: Seconds, tau: Seconds) {
    let interval = Scalar(seconds)
    let follow =
      time < tau ? interval / (Scalar(time) + interval) : gain(interval, tau: Scalar(tau))
    value += follow * (integral / interval - value)
    time = time + seconds < tau ? time + seconds : tau
  }
}
