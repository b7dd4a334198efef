// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

extension FusionEngine {
  /// Takes a magnetic field in microtesla, device axes, as measured (the device's own field
  /// included). Returns false, and changes nothing, when it is not finite, beyond 1e6 microtesla,
  /// or older than the last. Values that repeat while the device turns are not used either
  /// (`faults`). Before the first acceleration it is noted, not used.
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
      let sinceSample = Self.interval(from: state.fieldRepeats.lastTime, to: time),
      let seconds = Self.interval(from: state.magneticTime, to: time)
    else { return false }
    state.fieldRepeats.add(
      magneticField, at: time, after: sinceSample, axesAtEnd: 0,
      bias: state.errors.biasVariance, params,
      witness: state.isCoasting || state.rateTime == nil
        ? nil : state.strapdown.rotate(magneticField))
    if state.fieldRepeats.isHung {
      state.newFaults.insert(.magnetometerHung)
      return false
    }
    state.magneticTime = time
    guard state.hasAttitude else { return true }
    if Scalar(seconds) > params.longestGap { state.field.restart() }
    let isDue = state.calibrator.isDue(after: seconds)
    let turn = lead(to: time, delay: state.delay.delay, rate: state.lateTurnRate)
    if isDue, params.calibratesMagnetometer {
      let attitude =
        state.inclination * (state.strapdown * Quaternion(smallRotation: turn))
      noteCalibration(
        state.calibrator.consider(
          magneticField, attitude: attitude, headingDrift: gyroBiasSigma))
    }
    let corrected = state.calibrator.calibration.corrected(magneticField)
    let field = strapdownMatrix() * turned(corrected, by: turn)
    if !state.hasNorth {
      let field = state.inclination.rotate(field)
      guard isDirected(field) else { return true }
      state.northOffset = -atan2(field.y, field.x)
      state.hasNorth = true
      state.errors.forgetHeading(variance: unknownHeading)
      recorder.forget(.heading)
    }
    state.fields.field += field
    state.fields.deviceField += corrected
    state.fields.norm += corrected.norm
    state.fields.count += 1
    // Slower turns show the field's unevenness more than the delay.
    let rate = state.turnRate
    if isDue, state.delay.variance > 0, rate.dot(rate) > coefficients.restRate,
      !state.calibrator.isInDoubt, !isMagneticallyDisturbed
    {
      let turned = turned(rate.cross(corrected), by: turn)
      state.delay.add(
        state.inclination.rotate(field),
        slope: -state.inclination.rotate(strapdownMatrix() * turned))
    }
    return true
  }

  /// Notes a field that is corrected otherwise: it has another direction, norm and dip.
  private mutating func noteCalibration(_ change: MagneticCalibration.Change) {
    let moved: Vector3
    switch change {
    case .none: return
    case .refined(let by):
      moved = by
      state.field.restartRecent()
    case .replaced(let by):
      moved = by
      state.field.forget()
    }
    // As far as the whole change may turn it.
    let turned = moved.norm / FieldReference.weakest
    let variance = state.errors.headingVariance + turned * turned
    state.errors.setHeading(variance: variance < unknownHeading ? variance : unknownHeading)
    state.delay.restart()
    let time = state.fields.time
    state.fields.restart()
    state.fields.time = time
  }

  /// Returns true if the field has a direction: one of zero or straight down has none.
  private func isDirected(_ field: Vector3) -> Bool {
    let horizontal = field.x * field.x + field.y * field.y
    return horizontal > 0 && horizontal > 1e-12 * field.dot(field)
  }

  /// Corrects the heading by the mean field of the epoch.
  mutating func followField(hasGyroscope: Bool, _ recorder: inout some EpochRecorder) {
    let sums = state.fields
    let seconds = sums.time
    let interval = Scalar(seconds)
    state.fields.restart()
    guard seconds > 0 else { return }
    let field = state.inclination.rotate(sums.field) / sums.count
    state.delay.finish(field, interval: seconds)
    guard isDirected(field) else { return }
    let error = wrapped(-atan2(field.y, field.x) - state.northOffset)
    let norm = sums.norm / sums.count
    let total = field.norm
    let horizontal = sqrt(field.x * field.x + field.y * field.y)
    let disturbance =
      state.field.judge(
        norm: norm, dip: -asin(field.z / total), interval: seconds < 1 ? seconds : 1,
        // Without a gyroscope nothing says whether it turns.
        isTurning: !hasGyroscope || state.turnRate.dot(state.turnRate) >= coefficients.restRate,
        params: params)
    var variance = state.calibrator.unevenness
    if params.rejectsDisturbances {
      variance += disturbance * total * total
    }
    variance /= horizontal * horizontal
    guard hasGyroscope else {
      state.northOffset = wrapped(
        state.northOffset + gain(interval, tau: params.disturbanceTime) * error)
      state.errors.forgetHeading(variance: variance < unknownHeading ? variance : unknownHeading)
      recorder.forget(.heading)
      return
    }
    // What a field shows through a tilt that is not known is no heading yet, nor a bias.
    guard state.errors.largestTiltVariance < 4 * coefficients.tiltAtStart else {
      state.northOffset = -atan2(field.y, field.x)
      state.errors.forgetHeading(variance: unknownHeading)
      recorder.forget(.heading)
      return
    }
    // A tilt turns the steep field of high latitudes sideways.
    let steepness = field.z / (horizontal * horizontal)
    let tilt = Vector3(-steepness * field.x, -steepness * field.y, 0)
    let expected = state.errors.fieldHeadingVariance(tilt: tilt)
    // In one place the same wrong field says the same again and again; but it holds the heading.
    let rest = state.rest.isAtRest ? Scalar(state.rest.quiet) : 0
    let most = isMagneticallyDisturbed ? rest : min(rest, Scalar(params.steadyTime))
    let lasts = max(params.headingTime, most)
    var noise = variance * 2 * lasts / interval
    if params.rejectsDisturbances, state.calibrator.isInDoubt {
      noise += unknownHeading * 2 * params.disturbanceTime / interval
    }
    // An unknown field of the device turns with it, like an error of the gyroscope.
    let spread = noise + expected
    let doubt = ironHeadingVariance() * 2 * params.headingTime / interval
    guard
      let gain = state.errors.observeHeading(
        noise: noise, tilt: tilt, matrixShare: spread / (spread + doubt))
    else { return }
    recorder.observeHeading(gain, innovation: error)
    apply(gain.correction(error), toBias: params.learnsBiasInMotion, &recorder)
  }

  /// Updates the corrected attitude by changes of north, once north is known.
  mutating func steerCorrected(_ seconds: Seconds) {
    let interval = Scalar(seconds)
    state.corrected.rate = 0
    state.corrected.offset = wrapped(state.corrected.offset)
    guard state.hasNorth else { return }
    if !state.corrected.isAnchored {
      state.corrected.waited += seconds
      guard
        4 * state.errors.headingVariance < MagneticAccuracy.highAngle * MagneticAccuracy.highAngle
          || Scalar(state.corrected.waited) > params.correctedTau
      else { return }
      state.corrected.origin = state.northOffset - state.corrected.offset
      state.corrected.isAnchored = true
    }
    let target = wrapped(state.northOffset - state.corrected.origin - state.corrected.offset)
    let most = params.correctedRate
    let rate = target / (params.correctedTau > interval ? params.correctedTau : interval)
    state.corrected.rate = rate > most ? most : rate < -most ? -most : rate
  }
}

/// Returns `v` turned by a rotation vector: by its series where three terms are exact to a
/// millionth.
@inline(__always)
private func turned(_ v: Vector3, by turn: Vector3) -> Vector3 {
  guard turn.dot(turn) < 1e-4 else { return Quaternion(smallRotation: turn).rotate(v) }
  let first = turn.cross(v)
  return v + first + turn.cross(first) * 0.5
}
