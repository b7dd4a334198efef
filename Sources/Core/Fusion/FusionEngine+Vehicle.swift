// SPDX-License-Identifier: Apache-2.0
internal import Quantities

// While the device is in a vehicle, the parameters for wheels apply. They apply until a hand lifts
// the device, or until `rideTime` after the last acceleration of the vehicle.
extension FusionEngine {
  /// True if the device seems to be in a vehicle.
  @inline(__always)
  var isInVehicle: Bool { state.vehicle.remaining > 0 }

  /// Checks whether the recent specific force is a vehicle's acceleration. If it is, switches to
  /// the parameters for wheels and returns true.
  @discardableResult
  mutating func detectVehicle() -> Bool {
    // An acceleration below this limit, g, does not end rest, and may be residual bias. The
    // standard deviation of the tilt, rad, and the clipped part of the force, g, must be below this
    // limit too.
    let least = params.restAcceleration
    guard !isInVehicle, params.carrier == .hand || params.carrier == .body,
      state.errors.tiltVariance < least * least, state.trust.monitor.hiddenForce < least,
      state.vehicle.isPushed(beyond: least, gate: params.disagreementGate)
    else { return false }
    state.vehicle.start(params)
    // Restart the monitor, because its mean force includes the motion of a hand, which does not
    // belong to the vehicle.
    state.trust.monitor.restart()
    return true
  }

  /// Updates the vehicle state over `seconds`.
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
