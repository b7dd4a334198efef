// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

extension FusionEngine {
  /// Updates the decision whether the device is at rest.
  mutating func followRest(_ seconds: Seconds) {
    let count = state.magnetometer.sums.count
    state.rest.finish(
      seconds, field: count > 0 ? state.magnetometer.sums.deviceField / count : nil,
      tau: params.restTau,
      quietTime: params.quietTime, restTime: params.restTime
    ) {
      [
        bias = state.gyroscope.bias, variances = state.errors.biasVariances,
        limit = params.biasLimit
      ] rate in
      isAdmitted(rate, bias: bias, variances: variances, limit: limit)
    }
    state.gyroscope.quantum.note(state.gyroscope.step)
    state.accelerometer.quantum.note(state.accelerometer.step)
    if state.rest.quiet <= seconds {
      state.quietBias = state.gyroscope.bias
      state.quietBiasCovariance = state.errors.bias
    }
  }

  /// Observes the bias: the rate that a resting device measures is the bias. Gravity and the field
  /// confirm the rest, because they move in device axes if the device turns.
  mutating func observeBias(_ interval: Scalar, _ recorder: inout some EpochRecorder) {
    guard params.learnsBiasAtRest, state.rest.quiet >= params.quietTime else { return }
    let rest = state.rest
    var error = rest.rate.value - state.gyroscope.bias
    let span = rest.gravityDrift.span
    let drift = span > 0 ? rest.gravityDrift.angle / span : 0
    // A standing person sways with periods of seconds. A deviation of the rate that lasts from one
    // epoch to the next is therefore assumed to last for `restTime` before and after.
    let lasting = 2 * Scalar(params.restTime / params.epoch)
    let own = (coefficients.attitudeWalk + lasting * rest.slowRate + steppedRate) / interval
    // A rotation that gravity shows is assumed to last for the time after which rest begins.
    let noise = own + Scalar(params.restTime) * drift * drift / interval
    let up = deviceUp
    var vertical = own
    switch rest.turn(
      over: params.restTime, noise: state.magnetometer.calibrator.params.fieldNoise,
      and: params.biasSigmaAtRest)
    {
    case .unknown:
      vertical *= turnFactor(up.dot(error), variance: up.dot(state.errors.bias * up))
    case .none: break
    case .turns(let rate, let sigma):
      // The rate that the field shows is rotation and not bias, unless the field is not the local
      // field. In that case the field contradicts the bias known before this rest.
      error -= up * rate
      let off = up.dot(error)
      let before = up.dot(rest.rate.value - state.quietBias) - rate
      let variance = sigma * sigma
      guard before * before < 9 * (up.dot(state.quietBiasCovariance * up) + variance) else {
        vertical *= largestFactor
        break
      }
      vertical = variance * 2 * rest.fieldDrift.span / interval
      let known = up.dot(state.errors.bias * up)
      if off * off > 9 * (known + variance) {
        // The rotation was learned as bias before it was detected.
        var added = Matrix3.zero
        added.subtract(up * -(off * off), up)
        state.errors.widen(bias: added)
      }
    }
    var matrix = Matrix3(diagonal: noise)
    matrix.subtract(up * (noise - vertical), up)
    observe(.bias, off: error, noise: matrix, toBias: true, &recorder)
  }

  /// Returns the factor that reduces the weight of a steady rate about the vertical: the rate may
  /// be a turn, and gravity does not show such a turn. The factor follows from the likelihood ratio
  /// between rest and a turn at any rate up to `biasLimit`.
  @inline(__always)
  private func turnFactor(_ rate: Scalar, variance: Scalar) -> Scalar {
    let narrow = variance + params.biasSigmaAtRest * params.biasSigmaAtRest
    let wide = variance + coefficients.anyBias
    let square = rate * rate
    let odds = sqrt(narrow / wide) * exp((square / narrow - square / wide) / 2)
    let factor = (1 + odds) * (1 + odds)
    // If `factor` is not a number, the comparison fails, and the largest factor is used.
    return factor < largestFactor ? factor : largestFactor
  }
}

/// Returns true if a steady `rate` may be pure bias, that is, within seven standard deviations of
/// the bias estimate. (Three would reject some parts permanently, because their offsets are not
/// normally distributed.) Once the bias is well known, a slow turn of a car or a turntable exceeds
/// this gate. A rate smaller than the bias estimate is also accepted, because that estimate was
/// then learned during a turn.
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

/// The largest ratio of the variance about the vertical to that about the other axes. A larger
/// ratio would cost the other axes three digits of precision.
private var largestFactor: Scalar { min(1e8, 1e-3 / .ulpOfOne) }

extension FusionEngine {
  /// The variance assumed for a component of the velocity that is not observed, (m/s)^2.
  var unseen: Scalar { coefficients.mostVelocity * largestFactor }
}
