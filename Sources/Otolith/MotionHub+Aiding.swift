// SPDX-License-Identifier: Apache-2.0
internal import Fusion

// What a robot knows of its motion. Time stamps are those of samples: `Timestamp.now` for what is
// true now. Fusion runs where the board is, so a program that gets its motion from the service
// cannot aid it: there these return false.
extension MotionHub {
  /// Takes a velocity in m/s measured by wheels or GNSS, `sigma` of each component in m/s (see
  /// `FusionEngine.aid(velocity:in:sigma:at:)`). Returns true where fusion can use it.
  @discardableResult
  public func aid(
    velocity: Vector3, in axes: FusionEngine.VelocityAxes, sigma: Double, at time: Timestamp
  ) -> Bool {
    aid { $0.aid(velocity: velocity, in: axes, sigma: sigma, at: time) }
  }

  /// Takes a heading in radians about the vertical axis, counterclockwise from north as seen from
  /// above, with `sigma` in radians. Returns true where fusion can use it.
  @discardableResult
  public func aid(yaw: Double, sigma: Double, at time: Timestamp) -> Bool {
    aid { $0.aid(yaw: yaw, sigma: sigma, at: time) }
  }

  /// Takes a height in metres above any fixed level, with `sigma` in metres. Returns true where
  /// fusion can use it.
  @discardableResult
  public func aid(altitude: Double, sigma: Double, at time: Timestamp) -> Bool {
    aid { $0.aid(altitude: altitude, sigma: sigma, at: time) }
  }

  private func aid(_ body: (inout FusionEngine) -> Bool) -> Bool {
    source?.pipeline.aid(body) ?? false
  }
}
