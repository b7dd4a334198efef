// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

extension FusionEngine {
  /// Takes a magnetic field in microtesla, device axes, as measured (the device's own field
  /// included). Returns false, and changes nothing, when it is not finite, beyond 1e6 microtesla,
  /// or older than the last. Before the first acceleration it is taken note of, not used.
  @discardableResult
  public mutating func update(magneticField: Vector3, at time: Timestamp) -> Bool {
    guard Self.isPlausible(magneticField, within: 1e6),
      let seconds = Self.interval(from: state.magneticTime, to: time)
    else { return false }
    state.magneticTime = time
    guard state.hasAttitude else { return true }
    if Scalar(seconds) > params.longestGap { state.field.restart() }
    let attitude = state.inclination * strapdown(at: time, delay: state.delay.delay)
    if params.calibratesMagnetometer {
      noteCalibration(
        state.calibrator.update(
          magneticField: magneticField, attitude: attitude, interval: seconds,
          headingDrift: gyroBiasSigma))
    }
    let corrected = state.calibrator.calibration.corrected(magneticField)
    let field = attitude.rotate(corrected)
    if !state.hasNorth {
      guard isDirected(field) else { return true }
      state.northOffset = -atan2(field.y, field.x)
      state.hasNorth = true
      state.errors.forgetHeading(variance: unknownHeading)
    }
    state.epoch.field += field
    state.epoch.fieldNorm += corrected.norm
    state.epoch.fieldCount += 1
    let rate = state.rate - state.bias
    // Slower turns tell more of the field's unevenness than of the delay.
    if state.delay.variance > 0, rate.dot(rate) > 0.25 {
      state.delay.add(field, slope: -attitude.rotate(rate.cross(corrected)))
    }
    return true
  }

  /// A field that is corrected otherwise has another direction, norm and dip.
  private mutating func noteCalibration(_ change: MagneticCalibration.Change) {
    let moved: Vector3
    switch change {
    case .none: return
    case .refined(let by): moved = by
    case .replaced(let by):
      moved = by
      state.field.forget()
    }
    // As far as the whole change may turn it.
    let turned = moved.norm / typicalHorizontal
    let variance = state.errors.attitude.m33 + turned * turned
    state.errors.attitude.m33 = variance < unknownHeading ? variance : unknownHeading
    state.delay.restart()
    state.epoch.field = .zero
    state.epoch.fieldNorm = 0
    state.epoch.fieldCount = 0
  }

  /// No direction is to be had from no field, nor from one that points straight down.
  private func isDirected(_ field: Vector3) -> Bool {
    let horizontal = field.x * field.x + field.y * field.y
    return horizontal > 0 && horizontal > 1e-12 * field.dot(field)
  }

  /// Corrects the heading by the mean field of the epoch.
  mutating func followField(hasGyroscope: Bool) {
    let epoch = state.epoch
    let seconds = epoch.fieldTime
    let interval = Scalar(seconds)
    state.epoch.fieldTime = 0
    guard seconds > 0 else { return }
    let field = epoch.field / epoch.fieldCount
    state.delay.finish(field, interval: seconds)
    guard isDirected(field) else { return }
    let error = wrapped(-atan2(field.y, field.x) - state.northOffset)
    let norm = epoch.fieldNorm / epoch.fieldCount
    let total = field.norm
    let horizontal = sqrt(field.x * field.x + field.y * field.y)
    let turning = (state.rate - state.bias).norm
    let deviation =
      state.field.judge(
        norm: norm, dip: -asin(field.z / total), interval: seconds < 1 ? seconds : 1,
        // Without a gyroscope nothing says whether it turns.
        isTurning: !hasGyroscope || turning >= params.fieldNewRotationRate, params: params)
      * total / horizontal
    guard hasGyroscope else {
      state.northOffset = wrapped(
        state.northOffset + gain(interval, tau: params.fieldOnlyTau) * error)
      let variance = params.headingSigma * params.headingSigma + deviation * deviation
      state.errors.forgetHeading(variance: variance < unknownHeading ? variance : unknownHeading)
      return
    }
    // A tilt turns the steep field of high latitudes sideways.
    let steepness = field.z / horizontal
    var noise =
      coefficients.heading / interval + steepness * steepness * state.errors.tiltVariance
    if params.rejectsDisturbances {
      let doubt = state.calibrator.isInDoubt ? params.fieldSigmaInDoubt : 0
      noise += (deviation * deviation + doubt * doubt) * coefficients.disturbanceSpan / interval
    }
    // Beside a magnet the same wrong field says the same again and again.
    if state.rest.isAtRest && isMagneticallyDisturbed { noise *= params.restFieldFactor }
    renewHeading(
      error, deviation: deviation,
      tilted: steepness * steepness * state.errors.tiltVariance, interval: seconds)
    // What is off by more than it may be counts as a disturbance of that size.
    let allowed =
      params.headingGate * params.headingGate * (state.errors.headingVariance + noise)
    if error * error > allowed {
      noise += (error * error - allowed) / (params.headingGate * params.headingGate)
    }
    let correction = state.errors.observeHeading(error, noise: noise)
    apply(correction, toBias: params.learnsBiasInMotion)
  }

  /// A heading that was learned beside a magnet is believed to a degree, and what says otherwise is
  /// then taken for a disturbance: unless it looks like the field of the place, and goes on.
  private mutating func renewHeading(
    _ error: Scalar, deviation: Scalar, tilted: Scalar, interval: Seconds
  ) {
    guard state.field.norm > 0, !state.field.isDisturbed, !state.calibrator.isInDoubt,
      deviation < undisturbedDeviation,
      error * error > 16 * (state.errors.headingVariance + tilted)
    else {
      state.headingOff = 0
      return
    }
    state.headingOff += interval
    guard state.headingOff > params.headingRenewalTime else { return }
    state.headingOff = 0
    state.errors.attitude.m33 = error * error
  }

  /// The corrected attitude follows the changes of north, once it has settled where north is.
  mutating func steerCorrected(_ seconds: Seconds) {
    let interval = Scalar(seconds)
    state.corrected.rate = 0
    state.corrected.offset = wrapped(state.corrected.offset)
    guard state.hasNorth else { return }
    if !state.corrected.isAnchored {
      state.corrected.waited += seconds
      guard state.errors.headingVariance < settledHeading || state.corrected.waited > 5 else {
        return
      }
      state.corrected.origin = state.northOffset - state.corrected.offset
      state.corrected.isAnchored = true
    }
    let target = wrapped(state.northOffset - state.corrected.origin - state.corrected.offset)
    let most = params.correctedRate
    let rate = target / (params.correctedTau > interval ? params.correctedTau : interval)
    state.corrected.rate = rate > most ? most : rate < -most ? -most : rate
  }
}

/// Microtesla: of a field of middle latitudes.
let typicalHorizontal = 20.0

/// rad: what norm and dip of an undisturbed field stray by.
private let undisturbedDeviation = 0.05

/// rad^2: three degrees.
private let settledHeading = 9 * degree * degree
