// SPDX-License-Identifier: Apache-2.0
internal import CMath

/// How far a first-order filter moves towards its input in one interval: `1 - exp(-interval /
/// tau)`. The exponential is recomputed only when the interval leaves the cached one by more than
/// `intervalTolerance`.
struct ExponentialGain: Equatable, Sendable {
  private var interval = -1.0
  private var tau = 0.0
  private var gain = 0.0

  mutating func callAsFunction(_ interval: Double, tau: Double) -> Double {
    guard tau != self.tau || differs(interval, self.interval) else { return gain }
    self.interval = interval
    self.tau = tau
    gain = tau > 0 ? 1 - exp(-interval / tau) : 1
    return gain
  }
}

/// Intervals within this fraction of each other share coefficients: a clock's jitter then costs no
/// exponentials, and a time constant known to 2 % is as good as one known exactly.
private let intervalTolerance = 0.02

private func differs(_ a: Double, _ b: Double) -> Bool {
  !(fabs(a - b) <= intervalTolerance * b)
}

/// The free decay over one interval of a second-order Butterworth low-pass with poles at `(-1 +- i)
/// / tau`.
struct ButterworthDecay: Equatable, Sendable {
  private var interval = -1.0
  private var tau = 0.0
  /// exp(-x) cos x and exp(-x) sin x with x = interval / tau.
  private(set) var cosine = 0.0
  private(set) var sine = 0.0

  mutating func prepare(_ interval: Double, tau: Double) {
    guard tau != self.tau || differs(interval, self.interval) else { return }
    self.interval = interval
    self.tau = tau
    let x = interval / tau
    let decay = exp(-x)
    cosine = decay * cos(x)
    sine = decay * sin(x)
  }
}
