// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

extension FusionEngine {
  /// Corrects the estimates by the sums of an epoch's samples. `hasForce` is false without
  /// accelerations, or without rotation rates between them.
  mutating func finishEpoch(
    hasForce: Bool, at time: Timestamp, _ recorder: inout some EpochRecorder
  ) {
    let seconds = state.epoch.elapsed
    let interval = Scalar(seconds)
    state.correctedInEpoch = .zero
    state.shiftedInEpoch = .zero
    let hasGyroscope = state.epoch.turningTime > 0
    // Gravity and field alternate, except for streams so slow that epochs are far apart.
    let isBoths = Scalar(state.epoch.count) < params.epochSamples / 2
    let isGravitys = isBoths || !state.isFieldsTurn
    let isFields = isBoths || state.isFieldsTurn || !hasGyroscope
    turnSums()
    if hasGyroscope { predict(interval, hasForce: hasForce, &recorder) }
    followRest(seconds)
    state.fields.time += seconds
    if hasGyroscope && hasForce {
      followVehicle(seconds, &recorder)
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
      adaptGyroPrior(&recorder)
    }
    if !state.errors.isSound { restartErrors(&recorder) }
    if state.hasNorth, isFields { judgeHeading() }
    (state.faults, state.newFaults) = (state.newFaults, [])
    state.isFieldsTurn.toggle()
    recorder.finish(state, at: time)
  }

  /// Turns the sums of the samples from the strapdown frame into the reference frame.
  private mutating func turnSums() {
    // The product of unit quaternions has unit length except for rounding.
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
    // Motion between two samples that the gyroscope misses.
    let bent = trapezoidShare * state.epoch.rateBend
    // Also for one that was known at the start.
    let walks = state.errors.biasVariance < coefficients.anyBias
    let isQuiet = state.rest.quiet > 0
    // Motion between two samples that the accelerometer misses.
    let missed = bendShare * standardGravity * standardGravity * state.epoch.bend
    let noise = coefficients.attitudeWalk * interval
    let beyond = params.clipShare * state.epoch.clipped
    let clipped = beyond * beyond
    // As much again may be beyond it.
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

  private mutating func followRest(_ seconds: Seconds) {
    let count = state.fields.count
    state.rest.finish(
      seconds, field: count > 0 ? state.fields.deviceField / count : nil, tau: params.restTau,
      quietTime: params.quietTime, restTime: params.restTime
    ) {
      [bias = state.bias, variances = state.errors.biasVariances, limit = params.biasLimit] rate in
      isAdmitted(rate, bias: bias, variances: variances, limit: limit)
    }
    state.rateQuantum.note(state.rateStep)
    state.forceQuantum.note(state.forceStep)
    if state.rest.quiet <= seconds {
      state.quietBias = state.bias
      state.quietBiasCovariance = state.errors.bias
    }
  }

  /// Updates the recent speed of the device, and its acceleration variance.
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
    // The mean square of the acceleration: |f - z|^2.
    let transientSquare = (state.epoch.square - 2 * state.epoch.impulse.z) / interval + 1
    // The variance rises faster than it falls.
    let quick =
      transientSquare > state.transientSquare ? gain(interval, tau: params.velocityTime) : follow
    state.transientSquare += quick * (transientSquare - state.transientSquare)
    state.peakTransientSquare =
      transientSquare > state.transientSquare ? transientSquare : state.transientSquare
  }

  /// Observes that the velocity of a carried device stays within a few metres per second: a
  /// velocity that keeps growing is gravity misread through a tilt error. The residual gives the
  /// real speed, its part proportional to the rotation the lever arm.
  private mutating func observeVelocity(
    _ interval: Scalar, _ recorder: inout some EpochRecorder
  ) {
    let velocity = state.velocity
    let square = (velocity.x * velocity.x + velocity.y * velocity.y) / 2
    // A resting device has no speed; a rocked one has some.
    var variance =
      coefficients.velocityAtRest + coefficients.restVelocityScale * state.rest.slowAcceleration
    let uncertain = state.errors.velocityVariance
    // A smoothly starting train is quiet too, but gains speed.
    var span = coefficients.velocitySpan
    if !state.rest.isAtRest || square > 6 * (uncertain + 2 * variance) {
      // A hand cannot give this speed to a device without trembling.
      if state.rest.isAtRest, square > coefficients.mostVelocity { detectVehicle() }
      let seen = state.speedSquare - uncertain
      variance = seen > coefficients.leastVelocity ? seen : coefficients.leastVelocity
      if variance > coefficients.mostVelocity { variance = coefficients.mostVelocity }
      if isInVehicle {
        variance = Vehicle.velocitySigma * Vehicle.velocitySigma
        span = 2 * Vehicle.velocityTime
      }
    }
    // Clipping and rectification change the mean acceleration by about its mean square, so the
    // variance grows with the square of that.
    let transient = state.peakTransientSquare * coefficients.transientScale
    let doubt = 1 + transient * transient
    variance *= doubt
    let density = variance * span / interval
    let vertical = density * (1 + params.transientVerticalFactor * transient)
    let noise = Matrix3(
      diagonal: Vector3(density, density, isClimbAided ? unseen : vertical))
    // This error is steady, so an offset or a bias would explain it too well. A long rest adds no
    // information to separate tilt and offset.
    let steady = state.rest.quiet < params.steadyTime ? 1 / doubt : 0
    let attitude = state.inclination * state.strapdown
    state.lever.add(
      attitude.conjugate.rotate(velocity), rate: state.turnRate, over: interval, params)
    let swung = attitude.rotate(state.turnRate.cross(state.lever.arm))
    observe(
      .velocity, off: swung - velocity, noise: noise, steadyShare: steady,
      toBias: params.learnsBiasInMotion || state.rest.isAtRest, &recorder)
  }

  /// Observes the bias: the rate of a resting device is its bias. Gravity and the field show that
  /// it rests, because they move in device axes when it turns.
  private mutating func observeBias(_ interval: Scalar, _ recorder: inout some EpochRecorder) {
    guard params.learnsBiasAtRest, state.rest.quiet >= params.quietTime else { return }
    let rest = state.rest
    var error = rest.rate.value - state.bias
    let span = rest.gravityDrift.span
    let drift = span > 0 ? rest.gravityDrift.angle / span : 0
    let own = (coefficients.attitudeWalk + steppedRate) / interval
    // A turn visible in gravity is assumed to last as long as rest needs to begin.
    let noise = own + Scalar(params.restTime) * drift * drift / interval
    let up = deviceUp
    var vertical = own
    switch rest.turn(
      over: params.restTime, noise: state.calibrator.params.fieldNoise, and: params.biasSigmaAtRest)
    {
    case .unknown:
      vertical *= turnDoubt(up.dot(error), variance: up.dot(state.errors.bias * up))
    case .none: break
    case .turns(let rate, let sigma):
      // A rate shown by the field is not bias, unless the field is not the place's: then it
      // contradicts the earlier knowledge.
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
        // It was learned from the turn before the turn was detected.
        var doubt = Matrix3.zero
        doubt.subtract(up * -(off * off), up)
        state.errors.widen(bias: doubt)
      }
    }
    var matrix = Matrix3(diagonal: noise)
    matrix.subtract(up * (noise - vertical), up)
    observe(.bias, off: error, noise: matrix, toBias: true, &recorder)
  }

  /// Returns the factor that reduces the weight of a steady rate about the vertical, because it may
  /// be a turn, which gravity does not show: the ratio of the likelihoods of rest and of a turn at
  /// any rate up to `biasLimit`.
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
    // Passed as inout, because returning it would copy it twice.
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

  /// Resets the covariance if impossible numbers have ruined it; the estimates stay.
  @inline(never)
  mutating func restartErrors(_ recorder: inout some EpochRecorder) {
    state.errors = ErrorFilter(coefficients.start)
    state.velocity = .zero
    state.speedSquare = coefficients.leastVelocity
    state.isTiltUnknown = true
    state.gyroMatrix = .identity
    state.gyroErrorRatio = 1
    state.accelerationOffset = .zero
    state.accelerationScale = Vector3(1, 1, 1)
    state.lever = LeverArm()
    recorder.forget(.everything)
  }
}

/// Returns true if a steady `rate` may be only bias: within seven standard deviations of what is
/// known (three would reject some parts permanently, because their offsets are not normally
/// distributed). A well-known bias makes a slow turn of a car or a turntable visible. A rate that
/// is smaller than the bias is accepted too: the bias was learned during a turn.
private func isAdmitted(
  _ rate: Vector3, bias: Vector3, variances: Vector3, limit: Scalar
) -> Bool {
  func isAdmitted(_ rate: Scalar, _ bias: Scalar, _ variance: Scalar) -> Bool {
    guard fabs(rate) <= limit else { return false }
    let off = rate - bias
    return off * off <= 49 * variance
  }
  if rate.norm < bias.norm { return true }
  return isAdmitted(rate.x, bias.x, variances.x) && isAdmitted(rate.y, bias.y, variances.y)
    && isAdmitted(rate.z, bias.z, variances.z)
}

/// Second differences of a signal that moves at random from one sample to the next have six times
/// its variance, on each of three axes.
private let bendShare = 1.0 / 18
/// The integral of a parabola between two samples is off a straight line's by a twelfth of the
/// second difference, times the interval; of its square each of three axes has a third.
private let trapezoidShare = 1.0 / 432
/// The largest reduction of the vertical's weight relative to the other axes: a larger one would
/// lose three digits of theirs.
private var mostDoubt: Scalar { min(1e8, 1e-3 / .ulpOfOne) }

extension FusionEngine {
  /// Variance of a component of the velocity that is not observed, (m/s)^2.
  var unseen: Scalar { coefficients.mostVelocity * mostDoubt }
}
