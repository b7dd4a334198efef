// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

extension FusionEngine {
  /// Corrects the estimates by the sums of an epoch's samples. `hasForce` is false where they hold
  /// no acceleration, or no gyroscope carries it from one to the next.
  mutating func finishEpoch(
    hasForce: Bool, at time: Timestamp, _ recorder: inout some EpochRecorder
  ) {
    let seconds = state.epoch.elapsed
    let interval = Scalar(seconds)
    state.correctedInEpoch = .zero
    state.shiftedInEpoch = .zero
    let hasGyroscope = state.epoch.turningTime > 0
    // Gravity and field take turns, but for a stream so slow that its epochs are far apart.
    let isBoths = state.epoch.count < epochSamples / 2
    let isGravitys = isBoths || !state.isFieldsTurn
    let isFields = isBoths || state.isFieldsTurn || !hasGyroscope
    turnSums()
    if hasGyroscope { predict(interval, hasForce: hasForce, &recorder) }
    followRest(seconds)
    state.fields.time += seconds
    if hasGyroscope && hasForce {
      followRide(seconds, &recorder)
      checkTilt(seconds, &recorder)
      followSpeed(interval)
      state.aid.climbed += state.velocity.z * interval
      state.aid.climbing += interval
      state.velocityTime += interval
      if isGravitys {
        if isVelocityAided {
          observeAid(at: time, &recorder)
        } else {
          observeVelocity(state.velocityTime, &recorder)
        }
        observeBias(state.velocityTime, &recorder)
        state.velocityTime = 0
      }
    }
    if state.fields.count > 0, isFields {
      followField(hasGyroscope: hasGyroscope || state.isCoasting, &recorder)
    }
    steerCorrected(seconds)
    state.epoch = Epoch()
    if hasGyroscope, state.isFieldsTurn, !state.rest.isAtRest {
      followTrust(&recorder)
    }
    if !state.errors.isSound { restartErrors(&recorder) }
    if state.hasNorth, isFields { judgeHeading() }
    (state.faults, state.newFaults) = (state.newFaults, [])
    state.isFieldsTurn.toggle()
    recorder.finish(state, at: time)
  }

  /// Turns the sums of the samples from the strapdown frame into the reference frame.
  private mutating func turnSums() {
    // A product of unit quaternions is one but for rounding.
    state.strapdown = state.strapdown.renormalized
    let inclination = state.inclination.rotationMatrix
    state.epoch.turned = inclination * state.epoch.turned
    state.epoch.impulse = inclination * state.epoch.impulse
  }

  private mutating func predict(
    _ interval: Scalar, hasForce: Bool, _ recorder: inout some EpochRecorder
  ) {
    let gained =
      (state.epoch.impulse - Vector3(0, 0, Scalar(state.epoch.forced))) * standardGravity
    state.acceleration = gained / interval
    state.velocity += gained
    // What the gyroscope does not see between two samples.
    let apart = state.gyroInterval
    let bent = trapezoidShare * state.epoch.rateBend * apart * apart
    // Also one that was known at the start.
    let walks = state.errors.biasVariance < coefficients.anyBias
    let isQuiet = state.rest.quiet > 0
    // What the accelerometer does not see between two samples.
    let between = state.accelerationInterval * standardGravity
    let missed = bendShare * state.epoch.bend * between * between
    let noise = coefficients.turningAtRandom * interval
    let beyond = params.clipShare * state.epoch.clipped
    let clipped = beyond * beyond
    // As much again may be beyond it.
    let hidden = standardGravity * state.epoch.clippedForce
    let step = ErrorFilter.Step(
      turned: state.epoch.turned,
      // At rest both vary by noise, which has turned and moved what is estimated too: a matrix of
      // zero would explain that.
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

  private mutating func followRest(_ seconds: Seconds) {
    let count = state.fields.count
    state.rest.finish(
      seconds, field: count > 0 ? state.fields.deviceField / count : nil, tau: params.restTau,
      restTime: params.restTime
    ) {
      [
        bias = state.bias, variances = state.errors.biasVariances, limit = params.biasLimit,
        margin = params.restBiasMargin
      ] rate in
      isAdmitted(rate, bias: bias, variances: variances, limit: limit, margin: margin)
    }
    state.rateQuantum.note(state.rateStep)
    state.forceQuantum.note(state.forceStep)
    if state.rest.quiet <= seconds {
      state.quietBias = state.bias
      state.quietBiasCovariance = state.errors.bias
    }
  }

  /// Follows the recent speed of the device, and its violence.
  private mutating func followSpeed(_ interval: Scalar) {
    let velocity = state.velocity
    let square = (velocity.x * velocity.x + velocity.y * velocity.y) / 2
    let follow = gain(interval, tau: params.velocityTau)
    let turning = state.epoch.turning / Scalar(state.epoch.turningTime) / 3
    state.rateSquare += follow * (turning - state.rateSquare)
    let change = state.unbiasedRate - state.lastRate
    (state.lastRate, state.lastEpoch) = (state.unbiasedRate, interval)
    state.rateChange += follow * (change.dot(change) / 3 - state.rateChange)
    state.speedSquare += follow * (square - state.speedSquare)
    state.forceSquare += follow * (state.epoch.square / interval - state.forceSquare)
    // The mean square of what is not gravity: |f - z|^2.
    let commotion = (state.epoch.square - 2 * state.epoch.impulse.z) / interval + 1
    // Violence is noticed sooner than its end.
    let quick =
      commotion > state.commotion ? gain(interval, tau: params.velocityTime) : follow
    state.commotion += quick * (commotion - state.commotion)
    state.peakCommotion = commotion > state.commotion ? commotion : state.commotion
  }

  /// Observes that a device that is carried stays within some metres per second: a velocity that
  /// keeps growing is gravity seen through a tilt. Its real speed is learned from what is left
  /// over, the point about which it turns from what goes with its rotation.
  private mutating func observeVelocity(
    _ interval: Scalar, _ recorder: inout some EpochRecorder
  ) {
    let velocity = state.velocity
    let square = (velocity.x * velocity.x + velocity.y * velocity.y) / 2
    // What lies still has no speed; what is rocked while it lies has some.
    var variance =
      coefficients.velocityAtRest + coefficients.rocking * state.rest.restlessness
    let uncertain = state.errors.velocityVariance
    // A train that draws away smoothly lies still, too, and gathers speed.
    var span = coefficients.velocitySpan
    if !state.rest.isAtRest || square > 6 * (uncertain + 2 * variance) {
      // No hand gives so much speed to a device that does not even tremble.
      if state.rest.isAtRest, square > coefficients.mostVelocity { board() }
      let seen = state.speedSquare - uncertain
      variance = seen > coefficients.leastVelocity ? seen : coefficients.leastVelocity
      if variance > coefficients.mostVelocity { variance = coefficients.mostVelocity }
      if rides {
        variance = Vehicle.velocitySigma * Vehicle.velocitySigma
        span = 2 * Vehicle.velocityTime
      }
    }
    // Clipping and rectification falsify the mean acceleration by about its mean square, and the
    // variance of what is learned from it by the square of that.
    let violence = state.peakCommotion * coefficients.violence
    let doubt = 1 + violence * violence
    variance *= doubt
    let density = variance * span / interval
    let vertical = density * (1 + params.verticalDoubt * violence)
    let noise = Matrix3(
      diagonal: Vector3(density, density, isClimbAided ? unseen : vertical))
    // What is falsified is steady, so that an offset or a bias would explain it all too well.
    // Nor does a long rest go on telling a tilt from an offset.
    let steady = state.rest.quiet < params.steadyTime ? 1 / doubt : 0
    let attitude = state.inclination * state.strapdown
    state.lever.add(
      attitude.conjugate.rotate(velocity), rate: state.turnRate, over: interval, params)
    let swung = attitude.rotate(state.turnRate.cross(state.lever.arm))
    observe(
      .velocity, off: swung - velocity, noise: noise, steadyShare: steady,
      toBias: params.learnsBiasInMotion || state.rest.isAtRest, &recorder)
  }

  /// Observes the bias: a device that lies still turns as fast as its gyroscope is wrong. That it
  /// lies still is seen from gravity and from the field, which move in device axes when it turns.
  private mutating func observeBias(_ interval: Scalar, _ recorder: inout some EpochRecorder) {
    guard params.learnsBiasAtRest, state.rest.quiet >= params.quietTime else { return }
    let rest = state.rest
    var error = rest.rate.value - state.bias
    let span = rest.gravityDrift.span
    let drift = span > 0 ? rest.gravityDrift.angle / span : 0
    let own =
      (coefficients.turningAtRandom + params.waverFactor * rest.unsteadiness + steppedRate)
      / interval
    // A turn that gravity betrays goes on for as long as makes rest.
    let noise = own + Scalar(params.restTime) * drift * drift / interval
    let up = deviceUp
    var vertical = own
    switch rest.turn(
      over: params.restTime, beyond: params.fieldTurn, and: params.biasSigmaAtRest)
    {
    case .unknown:
      vertical *= turnDoubt(up.dot(error), variance: up.dot(state.errors.bias * up))
    case .none: break
    case .turns(let rate, let sigma):
      // The rate that the field shows is none of the bias, unless the field is another than the
      // place's: then it does not fit with what was known before.
      error -= up * rate
      let off = up.dot(error)
      let before = up.dot(rest.rate.value - state.quietBias) - rate
      let variance = sigma * sigma
      guard before * before < 9 * (up.dot(state.quietBiasCovariance * up) + variance) else {
        vertical *= mostDoubt
        break
      }
      vertical = variance * 2 * rest.fieldDrift.span / interval
      let known = up.dot(state.errors.bias * up)
      if off * off > 9 * (known + variance) {
        // It was learned from the turn, before that was seen to be one.
        var doubt = Matrix3.zero
        doubt.subtract(up * -(off * off), up)
        state.errors.widen(bias: doubt)
      }
    }
    var matrix = Matrix3(diagonal: noise)
    matrix.subtract(up * (noise - vertical), up)
    observe(.bias, off: error, noise: matrix, toBias: true, &recorder)
  }

  /// Returns the factor by which a steady rate about the vertical says less of the bias, since it
  /// may be a turn, which gravity does not show: by the likelihoods of a chip that lies still and
  /// of a turn at any rate up to `biasLimit`.
  @inline(__always)
  private func turnDoubt(_ rate: Scalar, variance: Scalar) -> Scalar {
    let narrow = variance + params.biasSigmaAtRest * params.biasSigmaAtRest
    let wide = variance + coefficients.anyBias
    let square = rate * rate
    let odds = sqrt(narrow / wide) * exp((square / narrow - square / wide) / 2)
    let doubt = (1 + odds) * (1 + odds)
    // Not-a-number fails the comparison.
    return doubt < mostDoubt ? doubt : mostDoubt
  }

  /// Up in device axes.
  @inline(__always)
  var deviceUp: Vector3 {
    (state.inclination * state.strapdown).conjugate.rotate(Vector3(0, 0, 1))
  }

  /// Observes three errors to be `innovation`, and corrects everything by them.
  @inline(__always)
  mutating func observe(
    _ errors: Errors, off innovation: Vector3, noise: Matrix3, steadyShare: Scalar = 1,
    toBias: Bool, _ recorder: inout some EpochRecorder
  ) {
    // A gain that is returned is copied twice.
    var gain = ErrorFilter.VectorGain()
    guard state.errors.observe(errors, noise: noise, steadyShare: steadyShare, gain: &gain) else {
      return
    }
    recorder.observe(errors, gain, innovation: innovation)
    apply(gain.correction(innovation), toBias: toBias, &recorder)
  }

  /// Corrects the estimates.
  mutating func apply(
    _ errors: ErrorRow, toBias: Bool, _ recorder: inout some EpochRecorder
  ) {
    guard errors.isFinite else { return restartErrors(&recorder) }
    let turn = errors.attitude
    let tilt = Vector3(turn.x, turn.y, 0)
    state.inclination = (Quaternion(smallRotation: tilt) * state.inclination).normalized
    state.northOffset = wrapped(state.northOffset + turn.z)
    state.velocity += errors.velocity
    if toBias {
      let before = state.bias
      state.bias = (before + errors.bias).clipped(to: params.biasLimit)
      state.shiftedInEpoch += state.bias - before
    }
    state.gyroMatrix.add(
      Matrix3(rows: errors.gyroX, errors.gyroY, errors.gyroZ))
    state.accelerationOffset += errors.offset
    state.accelerationScale += errors.scale
    state.correctedInEpoch += turn
  }

  /// Begins the covariance anew where numbers that no device produces have ruined it; the estimates
  /// stay.
  @inline(never)
  mutating func restartErrors(_ recorder: inout some EpochRecorder) {
    state.errors = ErrorFilter(coefficients.start)
    state.velocity = .zero
    state.speedSquare = coefficients.leastVelocity
    state.isTiltUnknown = true
    state.gyroMatrix = .identity
    state.distrust = 1
    state.accelerationOffset = .zero
    state.accelerationScale = Vector3(1, 1, 1)
    state.lever = LeverArm()
    recorder.forget(.everything)
  }
}

/// Returns true where a steady `rate` may be nothing but bias: within seven standard deviations and
/// a margin of what is known. A bias that is known well makes a slow turn of a car or a turntable
/// visible as one. (Seven, because the offsets of parts are not normally distributed: three would
/// shut out the odd one for good.) A rate that is smaller than the bias by more than the margin is
/// admitted too: the bias was learned while the device turned.
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

/// Second differences of a signal that moves at random from one sample to the next have six times
/// its variance, on each of three axes.
private let bendShare = 1.0 / 18
/// The integral of a parabola between two samples is off a straight line's by a twelfth of the
/// second difference, times the interval; of its square each of three axes has a third.
private let trapezoidShare = 1.0 / 432
/// By how much less at most the vertical tells of the bias than the other axes: beside more, three
/// digits of what these tell are lost.
private var mostDoubt: Scalar { min(1e8, 1e-3 / .ulpOfOne) }
