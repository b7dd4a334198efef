// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// A first-order low-pass of a vector that begins as the plain mean: one odd first sample does not
/// linger.
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
  /// Moves towards `input`, which has been there for `interval` seconds, as a first-order low-pass
  /// of time constant `tau` does; exact at every rate.
  mutating func approach(_ input: Vector3, interval: Scalar, tau: Scalar) {
    self += (1 - exp(-interval / tau)) * (input - self)
  }
}
