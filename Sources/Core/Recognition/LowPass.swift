// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// A first-order low-pass filter for a vector. It starts as the plain mean of the inputs, so that a
/// first sample that differs from the others has little effect.
struct LowPass: Equatable, Sendable {
  private(set) var value: Vector3
  private var count = 1.0
  private let tau: Scalar

  init(_ first: Vector3, tau: Scalar) {
    value = first
    self.tau = tau
  }

  mutating func add(_ input: Vector3, interval: Scalar) {
    count += 1
    value += max(1 - exp(-interval / tau), 1 / count) * (input - value)
  }
}

extension Vector3 {
  /// Applies `input`, constant for `interval` seconds, to a first-order low-pass filter with the
  /// time constant `tau` in seconds. The result is exact at every rate.
  mutating func approach(_ input: Vector3, interval: Scalar, tau: Scalar) {
    self += (1 - exp(-interval / tau)) * (input - self)
  }
}
