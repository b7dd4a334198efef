// SPDX-License-Identifier: Apache-2.0
internal import Quantities

// In a vehicle the parameters for wheels are used until a hand lifts the device, or until
// `rideTime` after the last acceleration.
extension FusionEngine {
  /// True if the device seems to be in a vehicle.
  @inline(__always)
  var isInVehicle: Bool { state.vehicle.remaining > 0 }

  /// Checks whether the recent specific force is a vehicle's acceleration. Returns true if it is,
  /// and switches to the parameters for wheels.
  @discardableResult
  mutating func detectVehicle() -> Bool {
    // An acceleration below this limit, g, does not end rest, and may be residual bias. The tilt's
    // standard deviation, rad, and the clipped part of the force, g, must be below the same limit.
    let least = params.restAcceleration
    guard !isInVehicle, params.carrier == .hand || params.carrier == .body,
      state.errors.tiltVariance < least * least, state.trust.monitor.hiddenForce < least,
      state.vehicle.isPushed(beyond: least, gate: params.disagreementGate)
    else { return false }
    state.vehicle.start(params)
    // The monitor's mean force includes a hand's motion, which is not the vehicle's.
    state.trust.monitor.restart()
    return true
  }

  /// Advances time.
  mutating func followVehicle(_ seconds: Seconds, _ recorder: inout some EpochRecorder) {
    state.vehicle.add(state.epoch, over: seconds, params)
    guard isInVehicle else {
      if !isVelocityAided,
        state.vehicle.isPushedBeyondSpeed(tiltVariance: state.errors.tiltVariance, params)
      {
        detectVehicle()
      }
      return
    }
    guard state.vehicle.isLeft(after: seconds, params) else { return }
    state.trust.monitor.restart()
    loseVelocity(&recorder)
  }
}
