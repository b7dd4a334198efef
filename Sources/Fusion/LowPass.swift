// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// A second-order Butterworth low-pass of a vector, kept as value and speed instead of past inputs
/// and outputs: the state means the same at every rate, so intervals may change from one sample to
/// the next without a transient. Until it has seen `tau` seconds it is the plain mean of its
/// inputs, which is the best it can know.
struct LowPass: Equatable, Sendable {
  private(set) var value = Vector3.zero
  /// Rate of change times tau, in the unit of the value.
  private var speed = Vector3.zero
  private var elapsed = 0.0
  private var count = 0.0

  /// Whether it has seen `tau` seconds since the start.
  func hasSettled(_ tau: Double) -> Bool { elapsed >= tau }
  var isEmpty: Bool { count == 0 }

  /// Takes `input`, held over the last `interval` seconds, for which `decay` is prepared.
  mutating func add(_ input: Vector3, interval: Double, tau: Double, decay: ButterworthDecay) {
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

  /// Forgets everything, so that the next input is the value.
  mutating func restart() { self = LowPass() }
}
