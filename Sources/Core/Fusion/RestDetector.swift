// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Detects rest: for some time, neither the rotation rate nor the acceleration has left its slow
/// average, and the average rate is small enough to be bias.
///
/// Each sample is compared with the averages. The averages are updated once per epoch.
@usableFromInline struct RestDetector: Equatable, Sendable {
  private(set) var rate = LowPass()
  private(set) var acceleration = LowPass()
  /// The time for which rotation rate and acceleration have stayed near their averages, s.
  private(set) var quiet: Seconds = 0
  @usableFromInline private(set) var isAtRest = false
  /// The movement of gravity and of the field in device axes since the device became quiet.
  private(set) var gravityDrift = DirectionDrift()
  private(set) var fieldDrift = DirectionDrift()
  /// The slow variation of the rotation rate, and of the acceleration.
  private var rateVariation = SlowVariation()
  private var accelerationVariation = SlowVariation()
  private var hasStrayed = false
  private var rates = Mean()
  private var accelerations = Mean()

  /// The mean of the samples of one epoch.
  private struct Mean: Equatable, Sendable {
    var sum = Vector3.zero
    var count = 0.0

    mutating func add(_ sample: Vector3) {
      sum += sample
      count += 1
    }

    mutating func take() -> Vector3? {
      guard count > 0 else { return nil }
      let mean = sum / count
      self = Mean()
      return mean
    }
  }

  /// Deviations from the average that persist from one epoch to the next. Those caused by noise do
  /// not persist.
  private struct SlowVariation: Equatable, Sendable {
    /// The mean product of the deviations of successive epochs, per axis.
    private(set) var square = 0.0
    private var last = Vector3.zero

    mutating func add(_ stray: Vector3, share: Scalar) {
      square += share * (stray.dot(last) / 3 - square)
      last = stray
    }
  }

  /// The mean square of the slow variation of the rotation rate per axis, (rad/s)^2.
  var slowRate: Scalar { rateVariation.square > 0 ? rateVariation.square : 0 }
  /// The mean square of the slow variation of the acceleration, g^2.
  var slowAcceleration: Scalar {
    accelerationVariation.square > 0 ? accelerationVariation.square : 0
  }

  @inline(__always)
  mutating func add(rate sample: Vector3, strayingBeyond limit: Scalar) {
    rates.add(sample)
    guard !hasStrayed, !rate.isEmpty else { return }
    let strayed = sample - rate.value
    if strayed.dot(strayed) > limit { hasStrayed = true }
  }

  @inline(__always)
  mutating func add(acceleration sample: Vector3, strayingBeyond limit: Scalar) {
    accelerations.add(sample)
    guard !hasStrayed, !acceleration.isEmpty else { return }
    let strayed = sample - acceleration.value
    if strayed.dot(strayed) > limit { hasStrayed = true }
  }

  /// Ends an epoch of `interval` seconds. `field` is the mean magnetic field of the epoch in device
  /// axes; `nil` if none was measured. `isBias` returns true if an average rate can be bias.
  mutating func finish(
    _ interval: Seconds, field: Vector3?, tau: Seconds, quietTime: Seconds, restTime: Seconds,
    isBias: (Vector3) -> Bool
  ) {
    let decay = ButterworthDecay(Scalar(interval), tau: Scalar(tau))
    let share = Scalar(interval) / Scalar(quiet < restTime ? quiet + interval : restTime)
    if let mean = accelerations.take() {
      acceleration.add(mean, interval: interval, tau: tau, decay: decay)
      gravityDrift.add(mean, interval: interval, averaging: quietTime / 2)
      accelerationVariation.add(mean - acceleration.value, share: share)
    }
    if let field { fieldDrift.add(field, interval: interval, averaging: quietTime / 2) }
    // Without a gyroscope, a rotation about the vertical could not be detected.
    guard let mean = rates.take() else { return disturb() }
    rate.add(mean, interval: interval, tau: tau, decay: decay)
    guard !hasStrayed, isBias(rate.value) else { return disturb() }
    quiet += interval
    rateVariation.add(mean - rate.value, share: share)
    if quiet >= restTime { isAtRest = true }
  }

  /// The evidence for a slow rotation in the magnetic field.
  enum Turn {
    /// The field has not been measured for long enough.
    case unknown
    /// The field shows no turn.
    case none
    /// The device turns at this rate, with this uncertainty, rad/s.
    case turns(rate: Scalar, sigma: Scalar)
  }

  /// Returns the rotation about the vertical that the field shows for a seemingly still device over
  /// at least `time` seconds. An angle counts only if it exceeds the effect of a field noise of
  /// `noise`, microtesla, plus the effect of three times the rate `sigma`, rad/s.
  func turn(over time: Seconds, noise: Scalar, and sigma: Scalar) -> Turn {
    let span = fieldDrift.span
    guard Seconds(span) >= time else { return .unknown }
    let angle = fieldDrift.angle(about: gravityDrift)
    // An apparent tilt may come from an acceleration. Its correction rotates a steep field by the
    // same angle.
    let least = noise / fieldDrift.strength + gravityDrift.angle
    guard angle.magnitude > least + 3 * sigma * span else { return .none }
    // In device axes, the field turns in the opposite direction to the device.
    return .turns(rate: -angle / span, sigma: least / span)
  }

  /// Restarts the detection. Earlier samples do not count for the next rest.
  mutating func disturb() { self = RestDetector() }
}
