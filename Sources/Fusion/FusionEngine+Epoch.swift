// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

extension FusionEngine {
  /// Corrects attitude, bias and velocity by what the samples of an epoch add up to. `hasForce` is
  /// false where they hold no acceleration, or no gyroscope carries it from one to the next.
  mutating func finishEpoch(hasForce: Bool) {
    let seconds = state.epoch.elapsed
    let interval = Scalar(seconds)
    let hasGyroscope = state.epoch.turningTime > 0
    if hasGyroscope { predict(interval, hasForce: hasForce) }
    state.rest.finish(seconds, tau: params.restTau, restTime: params.restTime) {
      [
        bias = state.bias, variances = state.errors.biasVariances, limit = params.biasLimit,
        margin = params.restBiasMargin
      ] rate in
      isAdmitted(rate, bias: bias, variances: variances, limit: limit, margin: margin)
    }
    if hasGyroscope && hasForce {
      checkUp(seconds)
      observeVelocity(interval)
      observeBias(interval)
    }
    state.epoch.fieldTime += seconds
    if state.epoch.fieldCount > 0 { followField(hasGyroscope: hasGyroscope) }
    steerCorrected(seconds)
    state.epoch.restart()
    if !state.errors.isSound { restartErrors() }
    if state.hasNorth { judgeHeading() }
  }

  private mutating func predict(_ interval: Scalar, hasForce: Bool) {
    state.velocityX += state.epoch.impulse.x * standardGravity
    state.velocityY += state.epoch.impulse.y * standardGravity
    let turning = state.epoch.turning / Scalar(state.epoch.turningTime)
    let kept = 1 - gain(interval, tau: params.velocityMemory)
    state.velocityX *= kept
    state.velocityY *= kept
    state.errors.leakVelocity(to: kept)
    let walks = state.errors.biasVariance < coefficients.biasAtStart
    state.errors.predict(
      ErrorFilter.Step(
        turned: state.epoch.turned,
        lift: hasForce ? state.epoch.impulse.z * standardGravity : 0,
        tilt: (coefficients.gyroNoise + coefficients.tiltScale * turning) * interval,
        heading: (coefficients.gyroNoise + coefficients.headingScale * turning) * interval,
        bias: walks ? coefficients.biasWalk * interval : 0,
        velocity: coefficients.velocityWalk * interval))
  }

  /// A tilt of a quarter turn does not show in the velocity, nor half a turn in anything linear: the
  /// mean specific force does not point up then. It levels the attitude at once; in the first second
  /// of all, when the very first sample may have been a knock, sooner.
  private mutating func checkUp(_ seconds: Seconds) {
    let interval = Scalar(seconds)
    let mean = state.epoch.impulse / interval
    let follow =
      state.upTime < upTau
      ? interval / (Scalar(state.upTime) + interval) : gain(interval, tau: Scalar(upTau))
    state.up += follow * (mean - state.up)
    state.upTime += seconds
    let norm = state.up.norm
    let least = state.age < upTau ? 0.9 : 0.5
    state.age += seconds
    guard norm > 0.5, norm < 2, state.up.z < least * norm else { return }
    if let up = state.up.normalized { level(up) }
    startTilt(norm: norm)
    state.velocityX = 0
    state.velocityY = 0
    state.errors.forgetVelocity(variance: coefficients.velocityAtStart)
    state.up = .zero
    state.upTime = 0
  }

  /// A device that is carried stays within some metres per second: a velocity that keeps growing is
  /// gravity seen through a tilt. How fast it really moves is learned from what is left over.
  private mutating func observeVelocity(_ interval: Scalar) {
    let square = (state.velocityX * state.velocityX + state.velocityY * state.velocityY) / 2
    let follow = gain(interval, tau: params.velocityTau)
    state.speedSquare += follow * (square - state.speedSquare)
    let commotion = state.epoch.commotion / interval
    // Violence is noticed sooner than its end.
    let quick = commotion > state.commotion ? gain(interval, tau: 0.1 * params.velocityTau) : follow
    state.commotion += quick * (commotion - state.commotion)
    var variance = coefficients.velocityAtRest
    if !state.rest.isAtRest {
      let seen = state.speedSquare - state.errors.velocityVariance
      variance = seen > coefficients.leastVelocity ? seen : coefficients.leastVelocity
    }
    // Clipping and rectification falsify the mean acceleration by about its mean square, and the
    // variance of what is learned from it by the square of that.
    let violence =
      (commotion > state.commotion ? commotion : state.commotion) * coefficients.violence
    let doubt = 1 + violence * violence
    let before = state.errors
    variance *= doubt
    var correction = state.errors.observeVelocity(
      x: -state.velocityX, y: -state.velocityY,
      noise: variance * coefficients.velocitySpan / interval)
    // What is falsified is steady, so that a bias would explain it all too well.
    correction.bias = correction.bias * (1 / doubt)
    state.errors.applyToBias(share: 1 / doubt, of: before)
    apply(correction, toBias: params.learnsBiasInMotion || state.rest.isAtRest)
  }

  /// A device that lies still turns as fast as its gyroscope is wrong.
  private mutating func observeBias(_ interval: Scalar) {
    guard params.learnsBiasAtRest, state.rest.quiet >= params.quietTime else { return }
    let noise = state.rest.isAtRest ? coefficients.biasAtRest : coefficients.biasQuiet
    let correction = state.errors.observeBias(
      state.rest.rate.value - state.bias, noise: noise / interval)
    apply(correction, toBias: true)
  }

  /// Corrects the estimates.
  mutating func apply(_ correction: ErrorFilter.Correction, toBias: Bool) {
    guard correction.isFinite else { return restartErrors() }
    let tilt = Vector3(correction.attitude.x, correction.attitude.y, 0)
    state.inclination = (Quaternion(smallRotation: tilt) * state.inclination).normalized
    state.northOffset = wrapped(state.northOffset + correction.attitude.z)
    if toBias { state.bias = (state.bias + correction.bias).clipped(to: params.biasLimit) }
    state.velocityX += correction.velocityX
    state.velocityY += correction.velocityY
  }

  /// Numbers that no device produces have ruined the covariance: it begins anew, what is estimated
  /// stays.
  private mutating func restartErrors() {
    state.errors = ErrorFilter(
      tilt: coefficients.tiltAtStart, heading: unknownHeading, bias: coefficients.biasAtStart,
      velocity: coefficients.velocityAtStart)
    state.velocityX = 0
    state.velocityY = 0
    state.speedSquare = coefficients.leastVelocity
    state.isTiltUnknown = true
  }
}

/// Whether a steady `rate` may be nothing but bias: within seven standard deviations and a margin of
/// what is known. A bias that is known well makes a slow turn of a car or a turntable visible as one.
/// (Seven, because the offsets of parts are not normally distributed: three would shut out the odd
/// one for good.) A rate that is smaller than the bias by more than the margin is admitted too: the
/// bias was learned while the device turned.
private func isAdmitted(
  _ rate: Vector3, bias: Vector3, variances: Vector3, limit: Scalar, margin: Scalar
) -> Bool {
  func isAdmitted(_ rate: Scalar, _ bias: Scalar, _ variance: Scalar) -> Bool {
    guard fabs(rate) <= limit else { return false }
    let off = fabs(rate - bias) - margin
    return off <= 0 || off * off <= 49 * variance
  }
  if rate.norm < bias.norm - margin { return true }
  return isAdmitted(rate.x, bias.x, variances.x) && isAdmitted(rate.y, bias.y, variances.y)
    && isAdmitted(rate.z, bias.z, variances.z)
}

/// Of the mean specific force, s: no hand and no vehicle keeps up two g sideways for as long.
private let upTau: Seconds = 1

/// m/s^2 (BIPM, The International System of Units, 3rd CGPM).
private let standardGravity = 9.80665
