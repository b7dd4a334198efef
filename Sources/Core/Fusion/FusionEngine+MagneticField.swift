// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

extension FusionEngine {
  /// Adds a measured magnetic field in microtesla, device axes, which includes the device's own
  /// field. Returns false, and changes nothing, if the value is not finite, exceeds 1e6 microtesla,
  /// or is older than the previous measurement. Values that repeat while the device turns are not
  /// used (see `faults`). Before the first acceleration a field measurement is accepted but not
  /// used.
  @discardableResult
  public mutating func update(magneticField: Vector3, at time: Timestamp) -> Bool {
    var recorder = NoRecorder()
    return take(magneticField: magneticField, at: time, &recorder)
  }

  @inline(__always)
  mutating func take(
    magneticField: Vector3, at time: Timestamp, _ recorder: inout some EpochRecorder
  ) -> Bool {
    guard Self.isPlausible(magneticField, within: 1e6),
      let sinceSample = Self.interval(from: state.magnetometer.repeats.lastTime, to: time),
      let seconds = Self.interval(from: state.magnetometer.time, to: time)
    else { return false }
    state.magnetometer.repeats.add(
      magneticField, at: time, after: sinceSample, axesAtEnd: 0,
      bias: state.errors.biasVariance, params,
      reference: state.trust.isCoasting || state.gyroscope.time == nil
        ? nil : state.attitude.strapdown.rotate(magneticField))
    if state.magnetometer.repeats.isHung {
      state.trust.newFaults.insert(.magnetometerHung)
      return false
    }
    state.magnetometer.time = time
    guard state.attitude.isKnown else { return true }
    if Scalar(seconds) > params.longestGap { state.magnetometer.reference.restart() }
    let isDue = state.magnetometer.calibrator.isDue(after: seconds)
    let turn = latencyTurn(
      to: time, delay: state.magnetometer.delay.delay, rate: state.gyroscope.lateTurnRate)
    if isDue, params.calibratesMagnetometer {
      let attitude =
        state.attitude.inclination * (state.attitude.strapdown * Quaternion(smallRotation: turn))
      noteCalibration(
        state.magnetometer.calibrator.consider(
          magneticField, attitude: attitude, headingDrift: gyroBiasSigma))
    }
    let corrected = state.magnetometer.calibrator.calibration.corrected(magneticField)
    let field = state.attitude.matrix() * turned(corrected, by: turn)
    if !state.attitude.hasNorth {
      let field = state.attitude.inclination.rotate(field)
      guard isDirected(field) else { return true }
      state.attitude.northOffset = -atan2(field.y, field.x)
      state.attitude.hasNorth = true
      state.errors.forgetHeading(variance: unknownHeading)
      recorder.forget(.heading)
    }
    state.magnetometer.sums.field += field
    state.magnetometer.sums.deviceField += corrected
    state.magnetometer.sums.norm += corrected.norm
    state.magnetometer.sums.count += 1
    // If the device turns more slowly, the unevenness of the field has more effect than the delay.
    let rate = state.gyroscope.turnRate
    if isDue, state.magnetometer.delay.variance > 0, rate.dot(rate) > coefficients.restRate,
      !state.magnetometer.calibrator.isInconsistent, !isMagneticallyDisturbed
    {
      let turned = turned(rate.cross(corrected), by: turn)
      state.magnetometer.delay.add(
        state.attitude.inclination.rotate(field),
        slope: -state.attitude.inclination.rotate(state.attitude.matrix() * turned))
    }
    return true
  }

  /// Adapts the learned values to a changed calibration, which changes the direction, norm and dip
  /// of the corrected field.
  private mutating func noteCalibration(_ change: MagneticCalibration.Change) {
    let moved: Vector3
    switch change {
    case .none: return
    case .refined(let by):
      moved = by
      state.magnetometer.reference.restartRecent()
    case .replaced(let by):
      moved = by
      state.magnetometer.reference.forget()
    }
    // Assume that the whole change of the hard iron lies across the horizontal field.
    let turned = moved.norm / FieldReference.weakest
    let variance = state.errors.headingVariance + turned * turned
    state.errors.setHeading(variance: variance < unknownHeading ? variance : unknownHeading)
    state.magnetometer.delay.restart()
    let time = state.magnetometer.sums.time
    state.magnetometer.sums.restart()
    state.magnetometer.sums.time = time
  }

  /// Returns true if the field has a horizontal direction. A zero field and a vertical field have
  /// none.
  private func isDirected(_ field: Vector3) -> Bool {
    let horizontal = field.x * field.x + field.y * field.y
    return horizontal > 0 && horizontal > 1e-12 * field.dot(field)
  }

  /// Corrects the heading by the mean field of the epoch.
  mutating func followField(hasGyroscope: Bool, _ recorder: inout some EpochRecorder) {
    let sums = state.magnetometer.sums
    let seconds = sums.time
    let interval = Scalar(seconds)
    state.magnetometer.sums.restart()
    guard seconds > 0 else { return }
    let field = state.attitude.inclination.rotate(sums.field) / sums.count
    state.magnetometer.delay.finish(field, interval: seconds)
    guard isDirected(field) else { return }
    let error = wrapped(-atan2(field.y, field.x) - state.attitude.northOffset)
    let norm = sums.norm / sums.count
    let total = field.norm
    let horizontal = sqrt(field.x * field.x + field.y * field.y)
    let disturbance =
      state.magnetometer.reference.judge(
        norm: norm, dip: -asin(field.z / total), interval: seconds < 1 ? seconds : 1,
        // Without a gyroscope the engine cannot know whether the device turns, so assume that it
        // does.
        isTurning: !hasGyroscope
          || state.gyroscope.turnRate.dot(state.gyroscope.turnRate) >= coefficients.restRate,
        params: params)
    var variance = state.magnetometer.calibrator.unevenness
    if params.rejectsDisturbances {
      variance += disturbance * total * total
    }
    variance /= horizontal * horizontal
    guard hasGyroscope else {
      state.attitude.northOffset = wrapped(
        state.attitude.northOffset + gain(interval, tau: params.disturbanceTime) * error)
      state.errors.forgetHeading(variance: variance < unknownHeading ? variance : unknownHeading)
      recorder.forget(.heading)
      return
    }
    // While the tilt is unknown, the horizontal part of the field cannot correct heading or bias.
    guard state.errors.largestTiltVariance < 4 * coefficients.tiltAtStart else {
      state.attitude.northOffset = -atan2(field.y, field.x)
      state.errors.forgetHeading(variance: unknownHeading)
      recorder.forget(.heading)
      return
    }
    // If the field is steep, a tilt error rotates its horizontal part.
    let steepness = field.z / (horizontal * horizontal)
    let tilt = Vector3(-steepness * field.x, -steepness * field.y, 0)
    let expected = state.errors.fieldHeadingVariance(tilt: tilt)
    // At rest an uneven field causes the same heading error for the whole rest.
    let rest = state.rest.isAtRest ? Scalar(state.rest.quiet) : 0
    let most = isMagneticallyDisturbed ? rest : min(rest, Scalar(params.steadyTime))
    let lasts = max(params.headingTime, most)
    var noise = variance * 2 * lasts / interval
    if params.rejectsDisturbances, state.magnetometer.calibrator.isInconsistent {
      noise += unknownHeading * 2 * params.disturbanceTime / interval
    }
    // Unknown hard iron turns with the device, and so looks like an error of the gyroscope's
    // matrix.
    let spread = noise + expected
    let ironVariance = ironHeadingVariance() * 2 * params.headingTime / interval
    guard
      let gain = state.errors.observeHeading(
        noise: noise, tilt: tilt, matrixShare: spread / (spread + ironVariance))
    else { return }
    recorder.observeHeading(gain, innovation: error)
    apply(gain.correction(error), toBias: params.learnsBiasInMotion, &recorder)
  }
}

/// Returns `v` rotated by a rotation vector. For small angles the first three terms of the power
/// series are used, which are exact to a millionth.
@inline(__always)
private func turned(_ v: Vector3, by turn: Vector3) -> Vector3 {
  guard turn.dot(turn) < 1e-4 else { return Quaternion(smallRotation: turn).rotate(v) }
  let first = turn.cross(v)
  return v + first + turn.cross(first) * 0.5
}
