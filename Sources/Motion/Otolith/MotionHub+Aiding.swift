// SPDX-License-Identifier: Apache-2.0
internal import Fusion

// Measurements of the device's motion by other sensors. Their times are on the clock of the
// samples; `Timestamp.now` is the current time on this clock. Fusion runs in the process that runs
// the board, so these functions return false if motion comes from the service.
extension MotionHub {
  /// Adds a velocity in m/s that wheels or GNSS have measured, with `sigma` in m/s for each
  /// component (see `FusionEngine.aid(velocity:in:sigma:at:)`). Returns true if fusion can use the
  /// velocity.
  @discardableResult
  public func aid(
    velocity: Vector3, in axes: FusionEngine.VelocityAxes, sigma: Double, at time: Timestamp
  ) -> Bool {
    aid { $0.aid(velocity: velocity, in: axes, sigma: sigma, at: time) }
  }

  /// Adds a heading in radians about the vertical axis, counterclockwise from north as seen from
  /// above, with `sigma` in radians. Returns true if fusion can use the heading.
  @discardableResult
  public func aid(yaw: Double, sigma: Double, at time: Timestamp) -> Bool {
    aid { $0.aid(yaw: yaw, sigma: sigma, at: time) }
  }

  /// Adds a height in metres above any fixed level, with `sigma` in metres. Returns true if fusion
  /// can use the height.
  @discardableResult
  public func aid(altitude: Double, sigma: Double, at time: Timestamp) -> Bool {
    aid { $0.aid(altitude: altitude, sigma: sigma, at: time) }
  }

  private func aid(_ body: (inout FusionEngine) -> Bool) -> Bool {
    source?.pipeline.aid(body) ?? false
  }
}
