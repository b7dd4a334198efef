// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// A second-order Butterworth low-pass of a vector, kept as value and speed instead of past inputs
/// and outputs: the state means the same at every rate, so intervals may change from one sample to
/// the next without a transient. During the first `tau` seconds the value is the plain mean of the
/// inputs.
struct LowPass: Equatable, Sendable {
  private(set) var value = Vector3.zero
  /// Rate of change of the value times `tau`, in the unit of the value.
  private var speed = Vector3.zero
  private var elapsed: Seconds = 0
  private var count = 0.0

  var isEmpty: Bool { count == 0 }

  /// Adds `input`, constant over the last `interval` seconds; `decay` belongs to that interval.
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

/// The free decay over one interval of a second-order Butterworth low-pass with poles at `(-1 +- i)
/// / tau`: exp(-x) cos x and exp(-x) sin x with x = interval / tau.
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

/// Returns the share by which a first-order filter of time constant `tau` moves towards its input
/// in `interval`.
func gain(_ interval: Scalar, tau: Scalar) -> Scalar {
  guard tau > 0 else { return 1 }
  let x = interval / tau
  // The [2/2] Pade approximant of the exponential is exact to a millionth here.
  return x < 0.25 ? 12 * x / (12 + x * (6 + x)) : 1 - exp(-x)
}
