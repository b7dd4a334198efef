// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// A second-order Butterworth low-pass filter of a vector. Its state is a value and a rate of
/// change, instead of past inputs and outputs. The state has the same meaning at every rate, so the
/// interval may change from one sample to the next without a transient. During the first `tau`
/// seconds the value is the plain mean of the inputs.
struct LowPass: Equatable, Sendable {
  private(set) var value = Vector3.zero
  /// The rate of change of the value multiplied by `tau`, in the unit of the value.
  private var speed = Vector3.zero
  private var elapsed: Seconds = 0
  private var count = 0.0

  var isEmpty: Bool { count == 0 }

  /// Adds `input`, which was constant over the last `interval` seconds. `decay` must be the decay
  /// for the same interval.
  mutating func add(_ input: Vector3, interval: Seconds, tau: Seconds, decay: ButterworthDecay) {
    if elapsed < tau || count == 0 {
      count += 1
      elapsed += interval
      value += (input - value) / count
      return
    }
    let error = value - input
    value = input + (decay.cosine + decay.sine) * error + decay.sine * speed
    speed = (decay.cosine - decay.sine) * speed - (2 * decay.sine) * error
  }

  /// Resets the filter, so that the next input becomes the value.
  mutating func restart() { self = LowPass() }
}

/// The free decay of a second-order Butterworth low-pass filter over one interval, with poles at
/// `(-1 +- i) / tau`: exp(-x) cos x and exp(-x) sin x with x = interval / tau.
struct ButterworthDecay: Sendable {
  let cosine: Scalar
  let sine: Scalar

  init(_ interval: Scalar, tau: Scalar) {
    let x = interval / tau
    let decay = exp(-x)
    cosine = decay * cos(x)
    sine = decay * sin(x)
  }
}

/// Returns the fraction by which a first-order filter with the time constant `tau` moves towards
/// its input in `interval`.
func gain(_ interval: Scalar, tau: Scalar) -> Scalar {
  guard tau > 0 else { return 1 }
  let x = interval / tau
  // In this range, the [2/2] Pade approximant of the exponential is exact to a millionth.
  return x < 0.25 ? 12 * x / (12 + x * (6 + x)) : 1 - exp(-x)
}
