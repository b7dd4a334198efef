// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

extension FusionEngine {
  /// Adds an acceleration in g, device axes, with Core Motion's sign: a device that lies flat and
  /// face up at rest measures (0, 0, -1). Returns false, and changes nothing, if the acceleration
  /// is not finite, exceeds 10 000 g, or is older than the previous one. Values that repeat while
  /// the device turns are not used (see `faults`).
  @discardableResult
  public mutating func update(acceleration: Vector3, at time: Timestamp) -> Bool {
    var recorder = NoRecorder()
    return take(acceleration: acceleration, at: time, &recorder)
  }

  @inline(__always)
  mutating func take(
    acceleration: Vector3, at time: Timestamp, _ recorder: inout some EpochRecorder
  ) -> Bool {
    guard Self.isPlausible(acceleration, within: 1e4),
      let sinceSample = Self.interval(from: state.accelerometer.repeats.lastTime, to: time),
      let seconds = Self.interval(from: state.accelerometer.time, to: time)
    else { return false }
    checkRepeats(acceleration, at: time, after: sinceSample)
    if state.accelerometer.repeats.isHung { return false }
    if state.gyroscope.turnRate.dot(state.gyroscope.turnRate) > coefficients.restRate,
      state.accelerometer.repeats.isUnlikely(interval: state.accelerometer.interval, params)
    {
      return true
    }
    let interval = Scalar(seconds)
    let isBack =
      state.accelerometer.time.map {
        isSilent(since: $0, at: time, interval: state.accelerometer.interval)
      } ?? false
    state.accelerometer.time = time
    state.accelerometer.interval = followed(state.accelerometer.interval, interval)
    // Specific force, which points up at rest.
    let force = -acceleration
    guard state.attitude.isKnown else {
      // In free fall the specific force has no direction.
      if let up = force.normalized { start(up, norm: force.norm, &recorder) }
      return true
    }
    if isGyroscopeSilent(at: time) {
      if state.gyroscope.interval > 0 {
        coast(force, at: time, &recorder)
      } else {
        followForce(force, over: seconds, at: time, &recorder)
      }
      return true
    }
    if !state.accelerometer.lowPass.isEmpty {
      // This is the first rotation rate. Until now the attitude followed the low-pass filtered
      // accelerations.
      state.accelerometer.lowPass.restart()
      state.attitude.isTiltUnknown = true
    }
    let turn = latencyTurn(
      to: time, delay: params.accelerationDelay, rate: state.gyroscope.turnRate)
    let matrix =
      turn == .zero
      ? state.attitude.matrix()
      : (state.attitude.strapdown * Quaternion(leading: turn)).rotationMatrix
    if state.attitude.isTiltUnknown,
      let up = state.attitude.inclination.rotate(matrix * force).normalized
    {
      state.attitude.level(up)
      startTilt(norm: force.norm, &recorder)
    }
    state.rest.add(acceleration: force, strayingBeyond: coefficients.restAcceleration)
    let step = state.accelerometer.newest.map { force - $0 } ?? .zero
    let bend = step - state.accelerometer.step
    state.accelerometer.newest = force
    if isBack {
      // The change of velocity during the pause of the accelerometer was not measured.
      if interval > params.longestGap {
        state.rest.disturb()
        loseVelocity(&recorder)
      } else {
        missForce(interval)
      }
      state.accelerometer.step = .zero
      return true
    }
    let (raw, scale) = (force - state.accelerometer.offset, state.accelerometer.scale)
    let corrected = Vector3(raw.x * scale.x, raw.y * scale.y, raw.z * scale.z)
    state.epoch.impulse += matrix * (corrected * interval)
    state.epoch.force += force * interval
    state.epoch.turn += state.gyroscope.unbiasedRate * interval
    state.epoch.bend += bend.dot(bend) * interval * interval
    state.accelerometer.axesAtEnd =
      params.accelerationRange?.axesAtEnd(force)
      ?? state.accelerometer.ends.add(
        force, change: step, before: state.accelerometer.step,
        count: state.accelerometer.quantum.shown)
    if state.accelerometer.axesAtEnd > 0 {
      state.epoch.clippedForce += force.norm * interval
      state.trust.newFaults.insert(.accelerometerAtRangeEnd)
    }
    state.accelerometer.step = step
    state.epoch.forced += seconds
    state.epoch.square += corrected.dot(corrected) * interval
    state.epoch.turned.add(matrix, times: interval)
    state.epoch.elapsed += seconds
    state.epoch.count += 1
    if state.epoch.elapsed >= coefficients.epoch,
      Scalar(state.epoch.count) >= params.epochSamples
        || state.epoch.elapsed >= coefficients.longEpoch
    {
      finishEpoch(hasForce: true, at: time, &recorder)
    }
    return true
  }

  /// Compares an acceleration with the previous ones to detect repeated values. If a value repeats
  /// while the device turns, the velocity contains wrongly integrated gravity from before the
  /// detection, so its variance grows.
  @inline(__always)
  private mutating func checkRepeats(
    _ acceleration: Vector3, at time: Timestamp, after seconds: Seconds
  ) {
    let wasHung = state.accelerometer.repeats.isHung
    state.accelerometer.repeats.add(
      acceleration, at: time, after: seconds, axesAtEnd: state.accelerometer.axesAtEnd,
      bias: state.errors.biasVariance, params,
      reference: state.trust.isCoasting || state.gyroscope.time == nil
        ? nil : state.attitude.strapdown.rotate(-acceleration))
    guard state.accelerometer.repeats.isHung, !wasHung else { return }
    let gained =
      standardGravity * state.accelerometer.repeats.moved * Scalar(state.accelerometer.repeats.same)
      / 2
    state.errors.widen(velocity: gained * gained)
  }

  /// Sets the initial attitude: the first acceleration gives the tilt, and yaw starts at zero.
  private mutating func start(
    _ up: Vector3, norm: Scalar, _ recorder: inout some EpochRecorder
  ) {
    let pitch = asin(up.y > 1 ? 1 : up.y < -1 ? -1 : up.y)
    // If the device stands upright, roll and yaw are the same rotation.
    let roll = up.x * up.x + up.z * up.z > 1e-12 ? atan2(-up.x, up.z) : 0
    state.attitude.strapdown =
      Quaternion(angle: pitch, axis: Vector3(1, 0, 0))
      * Quaternion(angle: roll, axis: Vector3(0, 1, 0))
    // The gyroscope may already have measured the rotation since that acceleration.
    state.gyroscope.correctRate()
    let since = state.gyroscope.turnRate * (params.accelerationDelay - params.gyroDelay)
    state.attitude.strapdown = state.attitude.strapdown * Quaternion(smallRotation: since)
    state.attitude.latencyCompensation = Quaternion(
      smallRotation: state.gyroscope.turnRate * params.gyroDelay)
    state.attitude.inclination = .identity
    state.attitude.isKnown = true
    startTilt(norm: norm, &recorder)
  }

  mutating func startTilt(norm: Scalar, _ recorder: inout some EpochRecorder) {
    state.attitude.isTiltUnknown = false
    // If the device accelerates, the norm of the specific force changes, and perhaps its direction
    // too.
    let off = norm - 1
    let normError = off * off < 1 ? off * off : 1
    state.errors.forgetTilt(variance: coefficients.tiltAtStart + normError)
    noteTiltSigma()
    recorder.forget(.tilt)
  }

  /// Uses the low-pass filtered specific force as the vertical while there is no gyroscope. The
  /// filter removes the tremor of a hand.
  private mutating func followForce(
    _ force: Vector3, over seconds: Seconds, at time: Timestamp,
    _ recorder: inout some EpochRecorder
  ) {
    let isGap = Scalar(seconds) > params.longestGap
    let step = isGap ? 0 : seconds
    if isGap { state.accelerometer.lowPass.restart() }
    let tau = params.accelerationOnlyTau
    state.accelerometer.lowPass.add(
      state.attitude.strapdown.rotate(force), interval: step, tau: tau,
      decay: ButterworthDecay(Scalar(step), tau: Scalar(tau)))
    if let up = state.attitude.inclination.rotate(state.accelerometer.lowPass.value).normalized {
      state.attitude.level(up)
    }
    state.attitude.corrected.advance(Scalar(step))
    state.epoch.elapsed += step
    if state.epoch.elapsed >= coefficients.epoch {
      finishEpoch(hasForce: false, at: time, &recorder)
    }
  }
}
