// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Rest: for a while neither the rotation rate nor the acceleration has strayed from its own slow
/// average, and the average rotation is small enough to be bias.
///
/// Samples are held against the averages one by one; the averages themselves move once an epoch.
@usableFromInline struct RestDetector: Equatable, Sendable {
  private(set) var rate = LowPass()
  private(set) var acceleration = LowPass()
  /// How long it has been quiet, s.
  private(set) var quiet: Seconds = 0
  @usableFromInline private(set) var isAtRest = false
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

  @inline(__always)
  mutating func add(rate sample: Vector3, strayingBeyond limit: Scalar) {
    rates.add(sample)
    guard !rate.isEmpty else { return }
    let strayed = sample - rate.value
    if strayed.dot(strayed) > limit { hasStrayed = true }
  }

  @inline(__always)
  mutating func add(acceleration sample: Vector3, strayingBeyond limit: Scalar) {
    accelerations.add(sample)
    guard !acceleration.isEmpty else { return }
    let strayed = sample - acceleration.value
    if strayed.dot(strayed) > limit { hasStrayed = true }
  }

  /// Ends an epoch of `interval` seconds. `isBias` says of an average rate whether it can be one.
  mutating func finish(
    _ interval: Seconds, tau: Seconds, restTime: Seconds, isBias: (Vector3) -> Bool
  ) {
    let decay = ButterworthDecay(Scalar(interval), tau: Scalar(tau))
    if let mean = accelerations.take() {
      acceleration.add(mean, interval: interval, tau: tau, decay: decay)
    }
    let mean = rates.take()
    if let mean { rate.add(mean, interval: interval, tau: tau, decay: decay) }
    // Without a gyroscope nothing says that the device does not turn.
    guard !hasStrayed, mean != nil, isBias(rate.value) else { return disturb() }
    quiet += interval
    if quiet >= restTime { isAtRest = true }
  }

  /// What was before has nothing to say of the rest to come.
  mutating func disturb() {
    quiet = 0
    isAtRest = false
    hasStrayed = false
    rate.restart()
    acceleration.restart()
  }
}
