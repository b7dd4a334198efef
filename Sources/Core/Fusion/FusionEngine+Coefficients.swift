// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension FusionEngine {
  /// Constants computed once from the parameters: variances, and spectral densities of correlated
  /// noise. (With standard deviation `sigma` over a correlation time `tau`, sampled every
  /// `interval`, each sample counts like one with variance `2 sigma^2 tau / interval`.)
  struct Coefficients: Sendable {
    let start: ErrorFilter.Start
    let tiltAtStart: Scalar
    let biasAtStart: Scalar
    let biasWalk: Scalar
    let gyroMatrixWalk: Scalar
    let offsetWalk: Scalar
    let velocityWalk: Scalar
    /// Per g^2.
    let transientScale: Scalar
    let leastVelocity: Scalar
    let mostVelocity: Scalar
    let velocityAtRest: Scalar
    /// The variance of the velocity at rest for a mean square acceleration of 1 g^2.
    let restVelocityScale: Scalar
    /// 2 tau of the velocity.
    let velocitySpan: Scalar
    /// The random walk of the attitude of any device, rad^2 per second.
    let attitudeWalk: Scalar
    /// The variance of a bias, or a turn, of any size up to `biasLimit`.
    let anyBias: Scalar
    let restRate: Scalar
    /// `restRate` in a vehicle.
    let vehicleRestRate: Scalar
    let restAcceleration: Scalar
    /// Weight of the newest interval in a sensor's mean interval: the mean extends over ten times
    /// the number of samples whose absence makes the sensor silent.
    let intervalShare: Scalar
    /// An epoch with enough samples ends with the sample that reaches this length, s.
    let epoch: Seconds
    /// An epoch with few samples ends with the sample that reaches this length, s.
    let longEpoch: Seconds
    /// Samples of the gyroscope alone end an epoch after this length, s.
    let coastingEpoch: Seconds

    init(_ params: Params) {
      func square(_ x: Scalar) -> Scalar { x * x }
      tiltAtStart = square(params.tiltSigmaAtStart)
      leastVelocity = square(params.velocitySigma)
      mostVelocity = max(square(params.speedLimit / 2), leastVelocity)
      biasAtStart = square(params.biasSigmaAtStart)
      biasWalk = square(params.biasWalk)
      gyroMatrixWalk = square(params.gyroMatrixWalk)
      offsetWalk = square(params.accelerationOffsetWalk)
      start = ErrorFilter.Start(
        tilt: tiltAtStart, heading: unknownHeading, velocity: mostVelocity, bias: biasAtStart,
        gyroScale: square(params.gyroScaleSigma),
        gyroMisalignment: square(params.gyroMisalignmentSigma),
        offset: square(params.accelerationOffsetSigma),
        scale: square(params.accelerationScaleSigma))
      velocityWalk = square(params.accelerationNoise)
      transientScale = 1 / square(params.transientLimit)
      // The variance that noise adds to the velocity in one second.
      velocityAtRest = velocityWalk
      restVelocityScale = square(standardGravity * params.velocityTime)
      velocitySpan = 2 * params.velocityTime
      attitudeWalk = 2 * Scalar(params.restTau) * square(params.biasSigmaAtRest)
      anyBias = square(params.biasLimit) / 3
      restRate = square(params.restRotationRate)
      vehicleRestRate = square(Vehicle.restRotationRate)
      restAcceleration = square(params.restAcceleration)
      intervalShare = params.intervalShare
      // Jitter of the time stamps must not make an epoch one sample longer.
      epoch = 0.98 * params.epoch
      longEpoch = 2.45 * params.epoch
      coastingEpoch = 2 * params.epoch
    }
  }
}
