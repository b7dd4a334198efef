// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// Detects the acceleration of a vehicle. The speed of a hand is bounded within a second, but a
/// vehicle keeps accelerating without turning its load. An apparent tilt without a corresponding
/// turn is therefore a vehicle's acceleration.
struct VehicleDetector: Equatable, Sendable {
  /// The recent mean specific force in the reference frame, g, averaged over `velocityTime` and
  /// over `pushTime`.
  private var up = SlowMean()
  private var longUp = SlowMean()
  /// The recent mean rotation rate in the reference frame, rad/s.
  private var longTurn = SlowMean()
  /// The remaining time for which the device is assumed to be in a vehicle, s.
  private(set) var remaining: Seconds = 0

  /// Adds an epoch, whose sums are in the reference frame.
  mutating func add(
    _ epoch: borrowing FusionEngine.Epoch, over seconds: Seconds, _ params: FusionEngine.Params
  ) {
    let turn = epoch.turned * (epoch.turn / Scalar(seconds))
    longTurn.add(turn, over: seconds, tau: params.pushTime)
    up.add(epoch.impulse, over: seconds, tau: Seconds(params.velocityTime))
    longUp.add(epoch.impulse, over: seconds, tau: params.pushTime)
  }

  /// Assumes for the next `rideTime` that the device is in a vehicle.
  mutating func start(_ params: FusionEngine.Params) { remaining = params.rideTime }

  /// Advances the time. Returns true if the device has left the vehicle: either a hand has tilted
  /// the device further than a vehicle tilts its load, or `rideTime` has passed since a vehicle's
  /// acceleration.
  mutating func isLeft(after seconds: Seconds, _ params: FusionEngine.Params) -> Bool {
    remaining = tiltSquare > params.vehicleTilt * params.vehicleTilt ? 0 : remaining - seconds
    return remaining <= 0
  }

  /// Returns true if the specific force left the vertical by more than `least`, g, and by more than
  /// the device has tilted. The tilt may be wrong, but errors of the gyroscope are smaller than the
  /// whole rotation.
  func isPushed(beyond least: Scalar, gate: Scalar) -> Bool {
    let grown = up.value.horizontal.squareRoot() - longUp.value.horizontal.squareRoot()
    return grown > least && grown * grown > gate * tiltSquare
  }

  /// Returns true if the mean force deviates from the vertical by more than the carrier's speed
  /// limit allows over the averaging time, and by more than three standard deviations of the tilt.
  func isPushedBeyondSpeed(tiltVariance: Scalar, _ params: FusionEngine.Params) -> Bool {
    let span = Scalar(longUp.time)
    guard span > params.velocityTime else { return false }
    let gained = params.speedLimit / (standardGravity * span)
    return longUp.value.horizontal > 9 * (gained * gained + tiltVariance)
  }

  /// The square of the device's recent tilt, rad^2.
  private var tiltSquare: Scalar {
    let span = Scalar(longTurn.time)
    return longTurn.value.horizontal * span * span
  }
}

extension Vector3 {
  /// The square of the horizontal part of the vector.
  @inline(__always)
  fileprivate var horizontal: Scalar { x * x + y * y }
}

/// The recent mean of a signal, computed from its integrals: at first a plain mean, later an
/// exponential mean with a time constant.
struct SlowMean: Equatable, Sendable {
  private(set) var value = Vector3.zero
  /// The averaging time, s, at most the time constant.
  private(set) var time: Seconds = 0

  /// Adds the integral of the signal over `seconds`.
  mutating func add(_ integral: Vector3, over seconds: Seconds, tau: Seconds) {
    let interval = Scalar(seconds)
    let follow =
      time < tau ? interval / (Scalar(time) + interval) : gain(interval, tau: Scalar(tau))
    value += follow * (integral / interval - value)
    time = time + seconds < tau ? time + seconds : tau
  }
}
