// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension FusionEngine {
  /// Observes that the velocity of a carried device stays within a few metres per second: a
  /// velocity that keeps growing is gravity misread through a tilt error. The residual gives the
  /// real speed; its part proportional to the rotation rate gives the lever arm.
  mutating func observeVelocity(
    _ interval: Scalar, _ recorder: inout some EpochRecorder
  ) {
    let velocity = state.velocity.value
    let square = state.velocity.square
    // The velocity of a resting device is zero, apart from slow rocking.
    var variance =
      coefficients.velocityAtRest + coefficients.restVelocityScale * state.rest.slowAcceleration
    let uncertain = state.errors.velocityVariance
    // A smoothly starting train looks like rest, but its integrated velocity grows.
    var span = coefficients.velocitySpan
    if !state.rest.isAtRest || square > 6 * (uncertain + 2 * variance) {
      // A hand cannot accelerate a device to this speed without trembling, so a vehicle did.
      if state.rest.isAtRest, square > coefficients.mostVelocity { detectVehicle() }
      let seen = state.velocity.speedSquare - uncertain
      variance = seen > coefficients.leastVelocity ? seen : coefficients.leastVelocity
      if variance > coefficients.mostVelocity { variance = coefficients.mostVelocity }
      if isInVehicle {
        variance = Vehicle.velocitySigma * Vehicle.velocitySigma
        span = 2 * Vehicle.velocityTime
      }
    }
    // Clipping and rectification change the mean acceleration by about its mean square, so the
    // variance grows with the square of that mean square.
    let transient = state.velocity.peakTransientSquare * coefficients.transientScale
    let doubt = 1 + transient * transient
    variance *= doubt
    let density = variance * span / interval
    let vertical = density * (1 + params.transientVerticalFactor * transient)
    let noise = Matrix3(
      diagonal: Vector3(density, density, isClimbAided ? unseen : vertical))
    // The error by clipping is steady, so an offset or a bias would explain it too well. A long
    // rest adds no information that separates tilt and offset.
    let steady = state.rest.quiet < params.steadyTime ? 1 / doubt : 0
    let attitude = state.attitude.inclination * state.attitude.strapdown
    state.velocity.lever.add(
      attitude.conjugate.rotate(velocity), rate: state.gyroscope.turnRate, over: interval, params)
    let swung = attitude.rotate(state.gyroscope.turnRate.cross(state.velocity.lever.arm))
    observe(
      .velocity, off: swung - velocity, noise: noise, steadyShare: steady,
      toBias: params.learnsBiasInMotion || state.rest.isAtRest, &recorder)
  }
}
