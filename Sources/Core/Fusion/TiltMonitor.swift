// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// A simple estimate of the vertical that always converges: the mean specific force in the
/// strapdown frame, which is nearly inertial. The effect of accelerations on it is bounded, because
/// no carrier sustains an acceleration. Let an acceleration have the mean square `S` and change its
/// direction within `tau_v`, so that the velocity has the variance `S tau_v^2`. It then moves the
/// mean over a time `t` by a mean square of `2 S (tau_v / t)^2`, and the output of a second-order
/// Butterworth low-pass filter by `2 S (tau_v / tau)^3`.
struct TiltMonitor: Equatable, Sendable {
  private var force = LowPass()
  /// Mean square deviation, per axis, of the specific force of an epoch from the low-pass filtered
  /// force, g^2.
  private var spread = 0.0
  /// The estimated parts beyond the ranges of the sensors: of the mean specific force, g, and of
  /// the rotation within the time constant, rad^2.
  private(set) var hiddenForce = 0.0
  private var hiddenTurn = 0.0
  /// The time that the mean covers, s.
  private(set) var age: Seconds = 0
  /// The time for which the tilts of filter and monitor have differed by more than both variances
  /// allow, s.
  private(set) var disagreed: Seconds = 0

  /// The mean specific force in the strapdown frame, g.
  var up: Vector3 { force.value }

  /// Adds the mean specific force of an epoch, g, in the strapdown frame, and the estimated parts
  /// beyond the sensors' ranges: the part of the force, g, and the part of the rotation, rad^2.
  mutating func add(
    _ mean: Vector3, hiding hidden: Scalar, turn: Scalar, over seconds: Seconds, tau: Seconds
  ) {
    let follow = gain(Scalar(seconds), tau: Scalar(age < tau ? age + seconds : tau))
    force.add(
      mean, interval: seconds, tau: tau, decay: ButterworthDecay(Scalar(seconds), tau: Scalar(tau)))
    let off = mean - force.value
    spread += follow * (off.dot(off) / 3 - spread)
    hiddenForce += follow * (hidden - hiddenForce)
    hiddenTurn += turn - follow * hiddenTurn
    age += seconds
  }

  /// Returns the variance of the monitor's tilt in each direction, rad^2. The carrier's velocity is
  /// assumed to have the standard deviation `speed`, m/s, and to keep its direction for `time`
  /// seconds.
  func variance(speed: Scalar, time: Scalar, tau: Seconds) -> Scalar {
    let (tau, age) = (Scalar(tau), Scalar(age))
    let pushed = speed / (standardGravity * time)
    // The variance factors of a plain mean and of the low-pass filter that follows.
    let share = time / (age < tau ? age : tau)
    let mean = 2 * share * share
    let settled = mean * time / tau
    let left = age < tau ? 1 : exp(-2 * (age - tau) / tau)
    let factor = settled + (mean - settled) * left
    let norm = force.value.dot(force.value)
    let own = (spread + pushed * pushed) * (factor < 1 ? factor : 1)
    return (own + hiddenForce * hiddenForce) / (norm > 0.25 ? norm : 0.25) + hiddenTurn
  }

  /// Records whether the tilts of filter and monitor differed by more than the threshold in an
  /// epoch.
  mutating func note(isOff: Bool, for seconds: Seconds) {
    disagreed = isOff ? disagreed + seconds : 0
  }

  /// Restarts, because the device has turned by an unknown angle.
  mutating func restart() { self = TiltMonitor() }
}
