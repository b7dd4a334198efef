// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

// A hand's speed is bounded within a second; a vehicle keeps accelerating without turning its load.
// So an apparent tilt without the corresponding turn is a vehicle's acceleration: for a while the
// parameters of wheels are used.
extension FusionEngine {
  /// True if the device seems to be in a vehicle.
  @inline(__always)
  var isInVehicle: Bool { state.ride > 0 }

  /// The deviation of the rotation rate that ends rest on a ride, squared, (rad/s)^2.
  @inline(__always)
  var vehicleRestRate: Scalar { Vehicle.restRotationRate * Vehicle.restRotationRate }

  /// Checks whether a force is a vehicle's acceleration. Returns true if it is.
  @discardableResult
  mutating func detectVehicle() -> Bool {
    guard !isInVehicle, params.carrier == .hand || params.carrier == .body,
      state.errors.tiltVariance < leastPush * leastPush, isPushed
    else { return false }
    state.ride = params.rideTime
    // The forces of a hand's motion do not apply to a vehicle.
    state.monitor.restart()
    return true
  }

  /// Advances time. The ride is over when a hand lifts the device: no vehicle tilts its load so
  /// far.
  mutating func followVehicle(_ seconds: Seconds, _ recorder: inout some EpochRecorder) {
    let turn = state.epoch.turned * (state.epoch.turn / Scalar(seconds))
    state.longTurn.add(turn, over: seconds, tau: params.pushTime)
    state.up.add(state.epoch.impulse, over: seconds, tau: Seconds(params.velocityTime))
    state.longUp.add(state.epoch.impulse, over: seconds, tau: params.pushTime)
    guard isInVehicle else {
      if isPushedBeyondSpeed { detectVehicle() }
      return
    }
    state.ride = tiltedSquare > params.vehicleTilt * params.vehicleTilt ? 0 : state.ride - seconds
    guard !isInVehicle else { return }
    state.monitor.restart()
    loseVelocity(&recorder)
  }

  /// True if the specific force left the vertical by more than the device has tilted: errors of
  /// the gyroscope cannot hide a whole tilt.
  @inline(__always)
  var isPushed: Bool {
    // Acceleration beyond the range counts too.
    guard state.monitor.hiddenForce < leastPush else { return false }
    let (now, before) = (state.up.value, state.longUp.value)
    let grown =
      sqrt(now.x * now.x + now.y * now.y) - sqrt(before.x * before.x + before.y * before.y)
    return grown > leastPush && grown * grown > params.disagreementGate * tiltedSquare
  }

  /// True if the mean force deviates from the vertical by more than a hand's speed in that time
  /// allows, and by more than three standard deviations of the tilt.
  @inline(__always)
  private var isPushedBeyondSpeed: Bool {
    let span = Scalar(state.longUp.time)
    guard span > params.velocityTime, !isVelocityAided else { return false }
    let up = state.longUp.value
    let gained = params.speedLimit / (standardGravity * span)
    return up.x * up.x + up.y * up.y > 9 * (gained * gained + state.errors.tiltVariance)
  }

  /// The recent tilt of the device, squared, in rad^2.
  @inline(__always)
  var tiltedSquare: Scalar {
    let (rate, span) = (state.longTurn.value, Scalar(state.longTurn.time))
    return (rate.x * rate.x + rate.y * rate.y) * span * span
  }

  /// g: less ends no rest, and may be a bias that the device was thought to have. A horizon that is
  /// known no better, rad, may be wrong itself.
  private var leastPush: Scalar { params.restAcceleration }
}
