// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// A simple estimate of up that always converges: the mean specific force in the strapdown frame,
/// which is nearly inertial. The effect of accelerations is bounded, because no carrier sustains an
/// acceleration: one with mean square `S` that changes its direction within `tau_v`, a velocity of
/// variance `S tau_v^2`, moves the mean of a time `t` by `2 S (tau_v / t)^2`, and the output of a
/// second-order Butterworth low-pass by `2 S (tau_v / tau)^3`.
struct TiltMonitor: Equatable, Sendable {
  private var force = LowPass()
  /// Mean square deviation of an epoch's specific force from the low-passed force, of one axis,
  /// g^2.
  private var spread = 0.0
  /// The clipped parts beyond the ranges of the sensors: of the mean specific force, g, and of the
  /// rotation within the time constant, rad^2.
  private(set) var hiddenForce = 0.0
  private var hiddenTurn = 0.0
  /// Covered by it, s.
  private(set) var age: Seconds = 0
  /// Time for which the filter's tilt has differed from the monitor's by more than both variances
  /// allow, s.
  private(set) var disagreed: Seconds = 0

  /// The mean specific force in the strapdown frame, g.
  var up: Vector3 { force.value }

  /// Takes the mean specific force of an epoch, g, strapdown frame, and the clipped parts beyond
  /// the ranges: of that force, g, and of the rotation, rad^2.
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

  /// Returns the variance of the monitor's tilt in each direction, rad^2, for a carrier whose
  /// velocity has the standard deviation `speed`, m/s, and keeps its direction for `time` seconds.
  func variance(speed: Scalar, time: Scalar, tau: Seconds) -> Scalar {
    let (tau, age) = (Scalar(tau), Scalar(age))
    let pushed = speed / (standardGravity * time)
    // The variance factors of a plain mean, and of the low-pass that follows it.
    let share = time / (age < tau ? age : tau)
    let mean = 2 * share * share
    let settled = mean * time / tau
    let left = age < tau ? 1 : exp(-2 * (age - tau) / tau)
    let factor = settled + (mean - settled) * left
    let norm = force.value.dot(force.value)
    let own = (spread + pushed * pushed) * (factor < 1 ? factor : 1)
    return (own + hiddenForce * hiddenForce) / (norm > 0.25 ? norm : 0.25) + hiddenTurn
  }

  /// Records whether the filter's tilt differed from the monitor's by more than the gate in an
  /// epoch.
  mutating func note(isOff: Bool, for seconds: Seconds) {
    disagreed = isOff ? disagreed + seconds : 0
  }

  /// Restarts: the device has turned by an unknown angle.
  mutating func restart() { self = TiltMonitor() }
}
