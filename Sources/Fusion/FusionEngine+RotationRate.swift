// SPDX-License-Identifier: Apache-2.0
public import Quantities

extension FusionEngine {
  /// Takes a rotation rate in rad/s, device axes, as measured (bias included). Intervals may vary
  /// and samples may be missing. Returns false, and changes nothing, when it is not finite, beyond
  /// 1000 rad/s, or older than the last.
  @discardableResult
  public mutating func update(rotationRate: Vector3, at time: Timestamp) -> Bool {
    guard Self.isPlausible(rotationRate, within: 1e3),
      let interval = Self.interval(from: state.rateTime, to: time)
    else { return false }
    let before = state.rateTime == nil ? rotationRate : state.rate
    state.rate = rotationRate
    state.rateTime = time
    if interval > params.longestGap {
      restart(after: interval)
      return true
    }
    state.decays.restRate.prepare(interval, tau: params.restTau)
    state.rest.add(
      rate: rotationRate, interval: interval, bias: state.bias, params: params,
      decay: state.decays.restRate)
    guard state.hasAttitude, interval > 0 else { return true }
    // A sample is the mean over the interval that it ends: that is what a sensor's filter makes it,
    // nearly. The cross product is the first coning term: the axis has turned within the interval.
    let first = (before - state.bias.bias) * interval
    let second = (rotationRate - state.bias.bias) * interval
    let rotation = second + first.cross(second) * (1.0 / 12)
    state.strapdown = (state.strapdown * Quaternion(rotationVector: rotation)).normalized
    let lead = (rotationRate - state.bias.bias) * params.gyroDelay
    state.lead = Quaternion(rotationVector: lead)
    return true
  }

  /// After a pause of the gyroscope nobody knows how the device has turned. The inclination is
  /// found anew from the next accelerations, north from the next fields, and the bias has had time
  /// to walk.
  mutating func restart(after gap: Double) {
    state.lead = .identity
    state.force.restart()
    state.rowX.restart()
    state.rowY.restart()
    state.rowZ.restart()
    state.referenceBias.restart()
    state.rest = RestDetector()
    state.bias.predict(biasWalk(gap < 1e6 ? gap : 1e6))
    state.field.current.restart()
    state.field.startGain = 1
    state.field.trusted = 0
    state.field.agreement = 0
    state.corrected.isAnchored = false
  }

  /// How much variance, (rad/s)^2, the bias gains in `interval` seconds.
  func biasWalk(_ interval: Double) -> Double {
    let step = 0.1 * degree
    return step * step * interval / params.biasForgettingTime
  }
}
