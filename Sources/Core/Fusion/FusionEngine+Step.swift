// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

// One step of the filter. Samples are integrated as they come: `take(rotationRate:)`,
// `take(acceleration:)` and `take(magneticField:)` check them and add to the sums of an epoch,
// which ends after about 0.1 s. Then the estimates are corrected once.
extension FusionEngine {
  /// Corrects the estimates by the sums of an epoch's samples. `hasForce` is false without
  /// accelerations, or without rotation rates between them.
  mutating func finishEpoch(
    hasForce: Bool, at time: Timestamp, _ recorder: inout some EpochRecorder
  ) {
    let seconds = state.epoch.elapsed
    let interval = Scalar(seconds)
    let hasGyroscope = state.epoch.turningTime > 0
    // Gravity and field alternate, except for streams so slow that epochs are far apart.
    let isBoths = Scalar(state.epoch.count) < params.epochSamples / 2
    let isGravitys = isBoths || !state.isFieldsTurn
    let isFields = isBoths || state.isFieldsTurn || !hasGyroscope
    state.correctedInEpoch = .zero
    state.shiftedInEpoch = .zero
    turnSums()

    // Prediction: attitude and velocity have followed the samples, the covariance follows now.
    if hasGyroscope { predict(interval, hasForce: hasForce, &recorder) }

    // Validity: rest, a vehicle, a tilt that gravity contradicts.
    followRest(seconds)
    state.magnetometer.sums.time += seconds
    if hasGyroscope && hasForce {
      followVehicle(seconds, &recorder)
      checkTilt(seconds, &recorder)
      followMotion(interval)

      // Force: the velocity that it gained is bounded, or measured; the rate at rest is the bias.
      if isGravitys {
        if isVelocityAided {
          observeAid(at: time, &recorder)
        } else {
          observeVelocity(state.velocity.unobserved, &recorder)
        }
        observeBias(state.velocity.unobserved, &recorder)
        state.velocity.unobserved = 0
      }
    }

    // Magnetometer: the heading.
    if state.magnetometer.sums.count > 0, isFields {
      followField(hasGyroscope: hasGyroscope || state.trust.isCoasting, &recorder)
    }
    state.attitude.steerCorrected(
      seconds, headingVariance: state.errors.headingVariance, params)
    state.epoch = Epoch()

    // Trust: in the gyroscope's data sheet, in the covariance, in the heading.
    if hasGyroscope, state.isFieldsTurn, !state.rest.isAtRest { adaptGyroPrior(&recorder) }
    if !state.errors.isSound { restartErrors(&recorder) }
    if state.attitude.hasNorth, isFields { judgeHeading() }
    noteTiltSigma()
    state.trust.finishEpoch()
    state.isFieldsTurn.toggle()
    recorder.finish(state, at: time)
  }

  /// Updates what is known of the motion by the epoch: speed, acceleration, rotation.
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
