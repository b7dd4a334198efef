// SPDX-License-Identifier: Apache-2.0
internal import Quantities

// In a vehicle the parameters of wheels are used for a while.
extension FusionEngine {
  /// True if the device seems to be in a vehicle.
  @inline(__always)
  var isInVehicle: Bool { state.vehicle.remaining > 0 }

  /// Checks whether a force is a vehicle's acceleration. Returns true if it is.
  @discardableResult
  mutating func detectVehicle() -> Bool {
    // A smaller push does not end rest, and may be the remaining bias; a horizon that is known no
    // better, rad, may be wrong itself. Acceleration beyond the range counts too.
    let least = params.restAcceleration
    guard !isInVehicle, params.carrier == .hand || params.carrier == .body,
      state.errors.tiltVariance < least * least, state.trust.monitor.hiddenForce < least,
      state.vehicle.isPushed(beyond: least, gate: params.disagreementGate)
    else { return false }
    state.vehicle.start(params)
    // The forces of a hand's motion do not apply to a vehicle.
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
