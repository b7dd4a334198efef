// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension FusionEngine {
  /// Rotates the sums of the samples from the strapdown frame into the reference frame.
  mutating func turnSums() {
    // The product of unit quaternions has unit length except for rounding.
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
    // Error of the integral between two rotation rates: a rate that is not linear in time.
    let bent = trapezoidShare * state.epoch.rateBend
    // A bias whose variance was small from the start walks too.
    let walks = state.errors.biasVariance < coefficients.anyBias
    let isQuiet = state.rest.quiet > 0
    // Error of the integral between two accelerations: motion that the accelerometer misses.
    let missed = bendShare * standardGravity * standardGravity * state.epoch.bend
    let noise = coefficients.attitudeWalk * interval
    let beyond = params.clipShare * state.epoch.clipped
    let clipped = beyond * beyond
    // The clipped part of the specific force may be as large as the measured part.
    let hidden = standardGravity * state.epoch.clippedForce
    let step = ErrorFilter.Step(
      turned: state.epoch.turned,
      // At rest rate and force are noise, which the estimates have followed already: used here as
      // well, that noise would be evidence for gyroscope axes of scale 0.
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

/// Second differences of a signal that moves at random from one sample to the next have six times
/// its variance, on each of three axes.
private let bendShare = 1.0 / 18
/// Integrated over an interval, a parabola differs from a straight line by a twelfth of the second
/// difference times the interval; each of the three axes has a third of its square.
private let trapezoidShare = 1.0 / 432
