// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

extension FusionEngine {
  /// Adds an acceleration in g, device axes, Core Motion's sign: flat and face up at rest reads (0,
  /// 0, -1). Returns false, and changes nothing, when it is not finite, beyond 10 000 g, or older
  /// than the last. Values that repeat while the device turns are not used either (`faults`).
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
      let sinceSample = Self.interval(from: state.forceRepeats.lastTime, to: time),
      let seconds = Self.interval(from: state.accelerationTime, to: time)
    else { return false }
    checkRepeats(acceleration, at: time, after: sinceSample)
    if state.forceRepeats.isHung { return false }
    if state.turnRate.dot(state.turnRate) > coefficients.restRate,
      state.forceRepeats.isDoubtful(interval: state.accelerationInterval, params)
    {
      return true
    }
    let interval = Scalar(seconds)
    let isBack =
      state.accelerationTime.map {
        isSilent(since: $0, at: time, interval: state.accelerationInterval)
      } ?? false
    state.accelerationTime = time
    state.accelerationInterval = followed(state.accelerationInterval, interval)
    // Specific force, which points up at rest.
    let force = -acceleration
    guard state.hasAttitude else {
      // In free fall there is no direction.
      if let up = force.normalized { start(up, norm: force.norm, &recorder) }
      return true
    }
    if isGyroscopeSilent(at: time) {
      if state.gyroInterval > 0 {
        coast(force, at: time, &recorder)
      } else {
        followForce(force, over: seconds, at: time, &recorder)
      }
      return true
    }
    if !state.force.isEmpty {
      // The gyroscope has just joined.
      state.force.restart()
      state.isTiltUnknown = true
    }
    let turn = lead(to: time, delay: params.accelerationDelay, rate: state.turnRate)
    let matrix =
      turn == .zero
      ? strapdownMatrix() : (state.strapdown * Quaternion(leading: turn)).rotationMatrix
    if state.isTiltUnknown, let up = state.inclination.rotate(matrix * force).normalized {
      level(up)
      startTilt(norm: force.norm, &recorder)
    }
    state.rest.add(acceleration: force, strayingBeyond: coefficients.restAcceleration)
    let step = state.newestForce.map { force - $0 } ?? .zero
    let bend = step - state.forceStep
    state.newestForce = force
    if isBack {
      // The change of velocity in between was not measured.
      if interval > params.longestGap {
        state.rest.disturb()
        loseVelocity(&recorder)
      } else {
        missForce(interval)
      }
      state.forceStep = .zero
      return true
    }
    let (raw, scale) = (force - state.accelerationOffset, state.accelerationScale)
    let corrected = Vector3(raw.x * scale.x, raw.y * scale.y, raw.z * scale.z)
    state.epoch.impulse += matrix * (corrected * interval)
    state.epoch.force += force * interval
    state.epoch.turn += state.unbiasedRate * interval
    state.epoch.bend += bend.dot(bend) * interval * interval
    state.forceAxesAtEnd =
      params.accelerationRange?.axesAtEnd(force)
      ?? state.forceEnds.add(
        force, change: step, before: state.forceStep, count: state.forceQuantum.shown)
    if state.forceAxesAtEnd > 0 {
      state.epoch.clippedForce += force.norm * interval
      state.newFaults.insert(.accelerometerAtRangeEnd)
    }
    state.forceStep = step
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

  /// Compares an acceleration with the previous ones. If it repeats a value while the device turns,
  /// the velocity contains wrong gravity from before the detection.
  @inline(__always)
  private mutating func checkRepeats(
    _ acceleration: Vector3, at time: Timestamp, after seconds: Seconds
  ) {
    let wasHung = state.forceRepeats.isHung
    state.forceRepeats.add(
      acceleration, at: time, after: seconds, axesAtEnd: state.forceAxesAtEnd,
      bias: state.errors.biasVariance, params,
      witness: state.isCoasting || state.rateTime == nil
        ? nil : state.strapdown.rotate(-acceleration))
    guard state.forceRepeats.isHung, !wasHung else { return }
    let gained = standardGravity * state.forceRepeats.moved * Scalar(state.forceRepeats.same) / 2
    state.errors.widen(velocity: gained * gained)
  }

  /// Starts from the first acceleration: it gives the tilt, and yaw is zero.
  private mutating func start(
    _ up: Vector3, norm: Scalar, _ recorder: inout some EpochRecorder
  ) {
    let pitch = asin(up.y > 1 ? 1 : up.y < -1 ? -1 : up.y)
    // In the upright position roll and yaw are the same rotation.
    let roll = up.x * up.x + up.z * up.z > 1e-12 ? atan2(-up.x, up.z) : 0
    state.strapdown =
      Quaternion(angle: pitch, axis: Vector3(1, 0, 0))
      * Quaternion(angle: roll, axis: Vector3(0, 1, 0))
    // The gyroscope may already have shown the turn since then.
    state.unbiasedRate = state.rate - state.bias
    state.turnRate = state.gyroMatrix * state.unbiasedRate
    state.lateTurnRate = state.turnRate
    let since = state.turnRate * (params.accelerationDelay - params.gyroDelay)
    state.strapdown = state.strapdown * Quaternion(smallRotation: since)
    state.lead = Quaternion(smallRotation: state.turnRate * params.gyroDelay)
    state.inclination = .identity
    state.hasAttitude = true
    startTilt(norm: norm, &recorder)
  }

  mutating func startTilt(norm: Scalar, _ recorder: inout some EpochRecorder) {
    state.isTiltUnknown = false
    // An acceleration that changes the norm may change the direction too.
    let off = norm - 1
    let normError = off * off < 1 ? off * off : 1
    state.errors.forgetTilt(variance: coefficients.tiltAtStart + normError)
    recorder.forget(.tilt)
  }

  /// Follows the specific force without a gyroscope: it is taken as up, apart from the tremor of a
  /// hand.
  private mutating func followForce(
    _ force: Vector3, over seconds: Seconds, at time: Timestamp,
    _ recorder: inout some EpochRecorder
  ) {
    let isGap = Scalar(seconds) > params.longestGap
    let step = isGap ? 0 : seconds
    if isGap { state.force.restart() }
    let tau = params.accelerationOnlyTau
    state.force.add(
      state.strapdown.rotate(force), interval: step, tau: tau,
      decay: ButterworthDecay(Scalar(step), tau: Scalar(tau)))
    if let up = state.inclination.rotate(state.force.value).normalized { level(up) }
    state.corrected.offset += state.corrected.rate * Scalar(step)
    state.epoch.elapsed += step
    if state.epoch.elapsed >= coefficients.epoch {
      finishEpoch(hasForce: false, at: time, &recorder)
    }
  }

  /// Rotates the reference frame by the smallest angle so that `up`, a unit vector in it, becomes
  /// its Z axis.
  mutating func level(_ up: Vector3) {
    let half = sqrt((up.z + 1) / 2)
    // Upside down, all horizontal axes give the same angle.
    let turn =
      half > 1e-6
      ? Quaternion(w: half, x: up.y / (2 * half), y: -up.x / (2 * half), z: 0)
      : Quaternion(w: 0, x: 1, y: 0, z: 0)
    state.inclination = (turn * state.inclination).normalized
  }
}
