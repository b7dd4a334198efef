// SPDX-License-Identifier: Apache-2.0
internal import Fusion

// Measurements of the device's motion by other sensors. Times are on the clock of the samples;
// `Timestamp.now` is the current one. Fusion runs in the process with the board, so these functions
// return false if motion comes from the service.
extension MotionHub {
  /// Adds a velocity in m/s measured by wheels or GNSS, with the `sigma` of each component in m/s
  /// (see `FusionEngine.aid(velocity:in:sigma:at:)`). Returns true if fusion can use it.
  @discardableResult
  public func aid(
    velocity: Vector3, in axes: FusionEngine.VelocityAxes, sigma: Double, at time: Timestamp
  ) -> Bool {
    aid { $0.aid(velocity: velocity, in: axes, sigma: sigma, at: time) }
  }

  /// Adds a heading in radians about the vertical axis, counterclockwise from north seen from
  /// above, with `sigma` in radians. Returns true if fusion can use it.
  @discardableResult
  public func aid(yaw: Double, sigma: Double, at time: Timestamp) -> Bool {
    aid { $0.aid(yaw: yaw, sigma: sigma, at: time) }
  }

  /// Adds a height in metres above any fixed level, with `sigma` in metres. Returns true if fusion
  /// can use it.
  @discardableResult
  public func aid(altitude: Double, sigma: Double, at time: Timestamp) -> Bool {
    aid { $0.aid(altitude: altitude, sigma: sigma, at: time) }
  }

  private func aid(_ body: (inout FusionEngine) -> Bool) -> Bool {
    source?.pipeline.aid(body) ?? false
  }
}
