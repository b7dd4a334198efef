// SPDX-License-Identifier: Apache-2.0

extension FusionEngine {
  /// What follows from the parameters alone, worked out once: variances, and spectral densities of
  /// noises that keep their value for a while. (Of standard deviation `sigma` over a correlation time
  /// `tau`, looked at every `interval`, each look is worth one of variance `2 sigma^2 tau /
  /// interval`.)
  struct Coefficients: Sendable {
    let tiltAtStart: Double
    let velocityAtStart: Double
    let biasAtStart: Double
    let biasWalk: Double
    let gyroNoise: Double
    /// Of the attitude per second, at a mean square rotation rate of 1 (rad/s)^2.
    let tiltScale: Double
    let headingScale: Double
    let velocityWalk: Double
    /// Per g^2.
    let violence: Double
    let leastVelocity: Double
    let velocityAtRest: Double
    /// 2 tau of the velocity.
    let velocitySpan: Double
    let biasAtRest: Double
    let biasQuiet: Double
    let restRate: Double
    let restAcceleration: Double
    let heading: Double
    /// 2 tau of a disturbance.
    let disturbanceSpan: Double
    /// An epoch ends with the sample that reaches this, s.
    let epoch: Double
    /// Samples of the gyroscope alone end an epoch after this, s.
    let coastingEpoch: Double

    init(_ params: Params) {
      func square(_ x: Double) -> Double { x * x }
      tiltAtStart = square(params.tiltSigmaAtStart)
      velocityAtStart = square(params.velocitySigmaAtStart)
      biasAtStart = square(params.biasSigmaAtStart)
      biasWalk = square(params.biasWalk)
      gyroNoise = square(params.gyroNoise)
      tiltScale = 2 * params.tiltingTime * square(params.gyroScaleSigma)
      headingScale = 2 * params.turningTime * square(params.gyroScaleSigma)
      velocityWalk = square(params.accelerationNoise)
      violence = 1 / square(params.commotionTolerance)
      leastVelocity = square(params.velocitySigma)
      velocityAtRest = square(params.velocitySigmaAtRest)
      velocitySpan = 2 * params.velocityTime
      biasAtRest = 2 * params.restTau * square(params.biasSigmaAtRest)
      biasQuiet = 2 * params.restTau * square(params.biasSigmaQuiet)
      restRate = square(params.restRotationRate)
      restAcceleration = square(params.restAcceleration)
      heading = 2 * params.headingTime * square(params.headingSigma)
      disturbanceSpan = 2 * params.disturbanceTime
      // Jitter must not make it one sample more.
      epoch = 0.98 * params.epoch
      coastingEpoch = 2 * params.epoch
    }
  }
}
