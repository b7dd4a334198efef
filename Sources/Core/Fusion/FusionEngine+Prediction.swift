// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension FusionEngine {
  /// Turns the sums of the samples from the strapdown frame into the reference frame.
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
    // Motion between two samples that the gyroscope misses.
    let bent = trapezoidShare * state.epoch.rateBend
    // A bias that was known at the start walks too.
    let walks = state.errors.biasVariance < coefficients.anyBias
    let isQuiet = state.rest.quiet > 0
    // Motion between two samples that the accelerometer misses.
    let missed = bendShare * standardGravity * standardGravity * state.epoch.bend
    let noise = coefficients.attitudeWalk * interval
    let beyond = params.clipShare * state.epoch.clipped
    let clipped = beyond * beyond
    // Beyond the range there may be as much again as within it.
    let hidden = standardGravity * state.epoch.clippedForce
    let step = ErrorFilter.Step(
      turned: state.epoch.turned,
      // At rest both are noise, which the estimates have followed already: used here as well, it
      // would be evidence for gyroscope axes of scale 0.
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
/// The integral of a parabola between two samples is off a straight line's by a twelfth of the
/// second difference, times the interval; of its square each of three axes has a third.
private let trapezoidShare = 1.0 / 432
