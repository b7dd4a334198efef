// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension FusionEngine {
  /// Constants that are computed once from the parameters: variances, and spectral densities of
  /// correlated noise. (If noise has the standard deviation `sigma` and the correlation time `tau`,
  /// and is sampled every `interval`, each sample counts like an independent sample with the
  /// variance `2 sigma^2 tau / interval`.)
  struct Coefficients: Sendable {
    let start: ErrorFilter.Start
    let tiltAtStart: Scalar
    let biasAtStart: Scalar
    let biasWalk: Scalar
    let gyroMatrixWalk: Scalar
    let offsetWalk: Scalar
    let velocityWalk: Scalar
    /// The inverse square of `Params.transientLimit`, 1/g^2.
    let transientScale: Scalar
    let leastVelocity: Scalar
    let mostVelocity: Scalar
    let velocityAtRest: Scalar
    /// The variance of the velocity at rest for a mean square acceleration of 1 g^2.
    let restVelocityScale: Scalar
    /// Twice the correlation time of the velocity, s.
    let velocitySpan: Scalar
    /// The random walk that is assumed for the attitude of every device, rad^2 per second.
    let attitudeWalk: Scalar
    /// The variance of a bias, or of a turn, that may have any value up to `biasLimit`.
    let anyBias: Scalar
    let restRate: Scalar
    /// The counterpart of `restRate` in a vehicle.
    let vehicleRestRate: Scalar
    let restAcceleration: Scalar
    /// Weight of the newest interval in a sensor's mean interval. The mean extends over ten times
    /// the number of missing samples after which the sensor counts as silent.
    let intervalShare: Scalar
    /// The length of an epoch with enough samples, s: the epoch ends with the sample that reaches
    /// this length.
    let epoch: Seconds
    /// The length of an epoch with few samples, s: the epoch ends with the sample that reaches this
    /// length.
    let longEpoch: Seconds
    /// The length of an epoch with samples of the gyroscope only, s.
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
      // The variance of the velocity that noise causes within one second.
      velocityAtRest = velocityWalk
      restVelocityScale = square(standardGravity * params.velocityTime)
      velocitySpan = 2 * params.velocityTime
      attitudeWalk = 2 * Scalar(params.restTau) * square(params.biasSigmaAtRest)
      anyBias = square(params.biasLimit) / 3
      restRate = square(params.restRotationRate)
      vehicleRestRate = square(Vehicle.restRotationRate)
      restAcceleration = square(params.restAcceleration)
      intervalShare = params.intervalShare
      // Jitter of the time stamps must not lengthen an epoch by one sample.
      epoch = 0.98 * params.epoch
      longEpoch = 2.45 * params.epoch
      coastingEpoch = 2 * params.epoch
    }
  }
}
