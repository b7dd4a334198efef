// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension FusionEngine {
  /// Rotates the sums of an epoch from the strapdown frame into the reference frame.
  mutating func turnSums() {
    // A product of unit quaternions has unit length, apart from rounding errors.
    state.attitude.strapdown = state.attitude.strapdown.renormalized
    let inclination = state.attitude.inclination.rotationMatrix
    state.epoch.turned = inclination * state.epoch.turned
    state.epoch.impulse = inclination * state.epoch.impulse
  }

  /// Propagates the velocity and the covariance over the epoch.
  mutating func predict(
    _ interval: Scalar, hasForce: Bool, _ recorder: inout some EpochRecorder
  ) {
    let gained =
      (state.epoch.impulse - Vector3(0, 0, Scalar(state.epoch.forced))) * standardGravity
    state.velocity.acceleration = gained / interval
    state.velocity.value += gained
    // The error of the integration between two rotation rates if the rate is not linear in time.
    let bent = trapezoidShare * state.epoch.rateBend
    // The bias changes at random, unless its variance already equals the variance of an unknown
    // bias. This includes a bias that was well known at the start.
    let walks = state.errors.biasVariance < coefficients.anyBias
    let isQuiet = state.rest.quiet > 0
    // The error of the integration between two accelerations: motion that the samples do not show.
    let missed = bendShare * standardGravity * standardGravity * state.epoch.bend
    let noise = coefficients.attitudeWalk * interval
    let beyond = params.clipShare * state.epoch.clipped
    let clipped = beyond * beyond
    // The clipped part of the specific force may be as large as the measured part.
    let hidden = standardGravity * state.epoch.clippedForce
    let step = ErrorFilter.Step(
      turned: state.epoch.turned,
      // At rest, rate and force are noise that the estimates have already followed. If the
      // prediction used this noise too, it would count as evidence for a scale of 0 in the
      // gyroscope's axes.
      rate: isQuiet ? .zero : state.epoch.turn / interval,
      force: isQuiet ? deviceUp : state.epoch.force / interval,
      lift: hasForce ? state.epoch.impulse * standardGravity : .zero,
      tilt: noise + bent + clipped, heading: noise + bent + clipped,
      bias: walks ? coefficients.biasWalk * interval : 0,
      gyroMatrix: isQuiet ? 0 : coefficients.gyroMatrixWalk * interval,
      offset: isQuiet ? 0 : coefficients.offsetWalk * interval,
      velocity: coefficients.velocityWalk * interval + missed + hidden * hidden)
    state.errors.predict(step)
    recorder.predict(step)
  }
}

/// The second difference of independent random samples has six times the variance of the samples.
/// This applies to each of three axes.
private let bendShare = 1.0 / 18
/// Integrated over an interval, a parabola differs from a straight line by one twelfth of the
/// second difference times the interval. Each of the three axes has a third of the square.
private let trapezoidShare = 1.0 / 432
