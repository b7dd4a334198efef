// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension FusionEngine {
  /// Observes that the velocity of a carried device stays within a few metres per second. A
  /// velocity that keeps growing comes from a tilt error, through which gravity is integrated as an
  /// acceleration. The residual gives the real speed; its part proportional to the rotation rate
  /// gives the lever arm.
  mutating func observeVelocity(
    _ interval: Scalar, _ recorder: inout some EpochRecorder
  ) {
    let velocity = state.velocity.value
    let square = state.velocity.square
    // The velocity of a resting device is zero, apart from slow rocking.
    var variance =
      coefficients.velocityAtRest + coefficients.restVelocityScale * state.rest.slowAcceleration
    let uncertain = state.errors.velocityVariance
    // A train that starts smoothly looks like rest, but its integrated velocity grows.
    var span = coefficients.velocitySpan
    if !state.rest.isAtRest || square > 6 * (uncertain + 2 * variance) {
      // A hand cannot accelerate a device to this speed without trembling, so it must be a vehicle.
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
    let factor = 1 + transient * transient
    variance *= factor
    let density = variance * span / interval
    let vertical = density * (1 + params.transientVerticalFactor * transient)
    let noise = Matrix3(
      diagonal: Vector3(density, density, isClimbAided ? unseen : vertical))
    // Clipping causes a steady error, which an offset or a bias would wrongly explain. A long rest
    // adds no information that separates the tilt from the offset.
    let steady = state.rest.quiet < params.steadyTime ? 1 / factor : 0
    let attitude = state.attitude.inclination * state.attitude.strapdown
    state.velocity.lever.add(
      attitude.conjugate.rotate(velocity), rate: state.gyroscope.turnRate, over: interval, params)
    let swung = attitude.rotate(state.gyroscope.turnRate.cross(state.velocity.lever.arm))
    observe(
      .velocity, off: swung - velocity, noise: noise, steadyShare: steady,
      toBias: params.learnsBiasInMotion || state.rest.isAtRest, &recorder)
  }
}
