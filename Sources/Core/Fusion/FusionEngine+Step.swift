// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

// One step of the filter. Samples are integrated as they arrive: `take(rotationRate:)`,
// `take(acceleration:)` and `take(magneticField:)` check them and add them to the sums of an epoch.
// An epoch ends after about 0.1 s; then the estimates are corrected once.
extension FusionEngine {
  /// Corrects the estimates by the sums of an epoch. `hasForce` is false if the epoch has no
  /// accelerations, or no rotation rates between them.
  mutating func finishEpoch(
    hasForce: Bool, at time: Timestamp, _ recorder: inout some EpochRecorder
  ) {
    let seconds = state.epoch.elapsed
    let interval = Scalar(seconds)
    let hasGyroscope = state.epoch.turningTime > 0
    // Observe gravity and the magnetic field alternately, unless the samples come so slowly that
    // epochs are far apart.
    let observesBoth = Scalar(state.epoch.count) < params.epochSamples / 2
    let observesGravity = observesBoth || !state.isFieldEpoch
    let observesField = observesBoth || state.isFieldEpoch || !hasGyroscope
    state.correctedInEpoch = .zero
    state.shiftedInEpoch = .zero
    turnSums()

    // Prediction: the samples have already propagated attitude and velocity, so only the covariance
    // is propagated here.
    if hasGyroscope { predict(interval, hasForce: hasForce, &recorder) }

    // Checks: is the device at rest or in a vehicle, and does gravity contradict the tilt?
    followRest(seconds)
    state.magnetometer.sums.time += seconds
    if hasGyroscope && hasForce {
      followVehicle(seconds, &recorder)
      checkTilt(seconds, &recorder)
      followMotion(interval)

      // Specific force: the carrier's speed limit or an external velocity corrects the integrated
      // velocity. At rest, the measured rate is the bias.
      if observesGravity {
        if isVelocityAided {
          observeAid(at: time, &recorder)
        } else {
          observeVelocity(state.velocity.unobserved, &recorder)
        }
        observeBias(state.velocity.unobserved, &recorder)
        state.velocity.unobserved = 0
      }
    }

    // Magnetometer: the field corrects the heading.
    if state.magnetometer.sums.count > 0, observesField {
      followField(hasGyroscope: hasGyroscope || state.trust.isCoasting, &recorder)
    }
    state.attitude.steerCorrected(
      seconds, headingVariance: state.errors.headingVariance, params)
    state.epoch = Epoch()

    // Consistency: update the prior of the gyroscope's matrix, check the covariance, and update the
    // accuracy of the heading.
    if hasGyroscope, state.isFieldEpoch, !state.rest.isAtRest { adaptGyroPrior(&recorder) }
    if !state.errors.isSound { restartErrors(&recorder) }
    if state.attitude.hasNorth, observesField { judgeHeading() }
    noteTiltSigma()
    state.trust.finishEpoch()
    state.isFieldEpoch.toggle()
    recorder.finish(state, at: time)
  }

  /// Updates the running means of speed, acceleration and rotation with this epoch.
  private mutating func followMotion(_ interval: Scalar) {
    let share = gain(interval, tau: params.velocityTau)
    state.gyroscope.follow(state.epoch, interval: interval, share: share)
    state.velocity.follow(state.epoch, interval: interval, share: share, params)
    state.accelerometer.square +=
      share * (state.epoch.square / interval - state.accelerometer.square)
    state.velocity.aid.climbed += state.velocity.value.z * interval
    state.velocity.aid.climbing += interval
    state.velocity.unobserved += interval
  }
}
