// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

extension FusionEngine {
  /// Decides whether the device rests.
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

  /// Observes the bias: the rate of a resting device is its bias. Gravity and the field show that
  /// it rests, because they move in device axes when it turns.
  mutating func observeBias(_ interval: Scalar, _ recorder: inout some EpochRecorder) {
    guard params.learnsBiasAtRest, state.rest.quiet >= params.quietTime else { return }
    let rest = state.rest
    var error = rest.rate.value - state.gyroscope.bias
    let span = rest.gravityDrift.span
    let drift = span > 0 ? rest.gravityDrift.angle / span : 0
    // A person who stands sways with periods of seconds: a deviation of the rate that remains from
    // one epoch to the next is assumed to last `restTime` on either side of the mean.
    let lasting = 2 * Scalar(params.restTime / params.epoch)
    let own = (coefficients.attitudeWalk + lasting * rest.slowRate + steppedRate) / interval
    // A rotation that gravity shows is assumed to last as long as rest needs to begin.
    let noise = own + Scalar(params.restTime) * drift * drift / interval
    let up = deviceUp
    var vertical = own
    switch rest.turn(
      over: params.restTime, noise: state.magnetometer.calibrator.params.fieldNoise,
      and: params.biasSigmaAtRest)
    {
    case .unknown:
      vertical *= turnDoubt(up.dot(error), variance: up.dot(state.errors.bias * up))
    case .none: break
    case .turns(let rate, let sigma):
      // The rate that the field shows is rotation, not bias, unless the field is not that of the
      // place: that field contradicts the bias known before this rest.
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
        // The bias was learned from the rotation before the rotation was detected.
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
  /// be a turn, which gravity does not show. The factor follows from the ratio of the likelihoods
  /// of rest and of a turn at any rate up to `biasLimit`.
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
}

/// Returns true if a steady `rate` may be only bias: within seven standard deviations of the bias
/// estimate (three would reject some parts permanently, because their offsets are not normally
/// distributed). A slow turn of a car or a turntable exceeds this gate once the bias is well known.
/// A rate smaller than the bias estimate is accepted too: that bias was learned during a turn.
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

/// The largest factor between the variances about the vertical and about the other axes: a larger
/// one would cost the other axes three digits.
private var mostDoubt: Scalar { min(1e8, 1e-3 / .ulpOfOne) }

extension FusionEngine {
  /// Variance of a component of the velocity that is not observed, (m/s)^2.
  var unseen: Scalar { coefficients.mostVelocity * mostDoubt }
}
