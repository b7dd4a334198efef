// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The quantities that a board feels as time passes, in device axes and Core Motion's units and
/// signs.
public protocol World: AnyObject {
  /// Everything at `time`: `channels` says what of it there is.
  func sample(at time: Timestamp) -> Sample
}

/// A world made of formulas: an attitude and a linear acceleration over time, in Earth's gravity
/// and a field like that of central Europe.
public final class MovingWorld: World {
  /// Each by the word that a board file has for it.
  public enum Motion: String, CaseIterable, Sendable {
    /// Flat on a table, face up, top edge to magnetic north.
    case still
    /// Swung slowly about all three axes by a person who stands for 20 seconds and then walks for
    /// 20, up a flight of stairs and, 20 seconds later, down again, again and again.
    case sway
    /// Held upright by a person who walks: 1.8 steps a second.
    case walk
    /// Laid on each of its six faces and then on each of its twelve edges, three seconds each.
    case positions
    /// Turned over and over, through every direction there is.
    case tumble
    /// Flat, upright, flat, right edge down, flat: what tells how a chip is mounted.
    case gestures
  }

  private let motion: Motion
  private let origin: Timestamp

  /// A world whose motion begins at `origin`.
  public init(_ motion: Motion, origin: Timestamp) {
    self.motion = motion
    self.origin = origin
  }

  /// Horizontal 20 and vertical 45 microtesla, x north, y west, z up.
  private static let field = Vector3(20, 0, -45)

  public func sample(at time: Timestamp) -> Sample {
    let t = (time - origin).seconds
    let attitude = attitude(at: t)
    var sample = Sample(timestamp: time, channels: .all)
    let inverse = attitude.conjugate
    // Core Motion's sign: gravity less the device's own acceleration.
    sample.acceleration = inverse.rotate(Vector3(0, 0, -1) - linearAcceleration(at: t))
    sample.rotationRate = rotationRate(at: t)
    sample.magneticField = inverse.rotate(Self.field)
    sample.pressure = motion == .sway ? Self.pressure(at: Self.heightOfSway(at: t).metres) : 101.325
    sample.temperature = 25
    sample.humidity = 45
    // A room whose lamp is lit for ten seconds of twenty, and a hand that comes near and goes once
    // in ten seconds.
    sample.scalars[.illuminance] =
      (t / 10).rounded(.down).truncatingRemainder(dividingBy: 2) == 0 ? 320 : 20
    let near = Wave.sine(0.05 * t)
    sample.scalars[.proximity] = near * near
    return sample
  }

  /// Device to x north, y west, z up, `t` seconds after the origin.
  public func attitude(at t: Double) -> Quaternion {
    switch motion {
    case .still:
      // The top edge (+y) points north.
      return Self.attitude(yaw: -Double.pi / 2, pitch: 0, roll: 0)
    case .sway:
      let (swing, walk) = (Self.swing(at: t), Self.walkOfSway(at: t))
      return Self.attitude(
        yaw: -Double.pi / 2 + swing * 0.6 * Wave.sine(0.11 * t)
          + walk * 0.05 * Wave.sine(Gait.strides * t),
        pitch: swing * 0.5 * Wave.sine(0.23 * t) + walk * 0.04 * Wave.sine(Gait.cadence * t),
        roll: swing * 0.7 * Wave.sine(0.17 * t)
          + walk * 0.05 * Wave.sine(Gait.strides * t + 0.25))
    case .walk:
      return Self.attitude(
        yaw: -Double.pi / 2 + 0.08 * Wave.sine(Gait.strides * t),
        pitch: 1.0 + 0.05 * Wave.sine(Gait.cadence * t),
        roll: 0.06 * Wave.sine(Gait.strides * t + 0.25))
    case .positions: return PosePath.positions.attitude(at: t)
    case .tumble: return Self.tumble(at: t)
    case .gestures: return PosePath.gestures.attitude(at: t)
    }
  }

  /// g, in the reference frame.
  private func linearAcceleration(at t: Double) -> Vector3 {
    switch motion {
    // A chip in the middle of what is turned feels no more than the turn.
    case .still, .positions, .tumble, .gestures: return .zero
    case .sway:
      let gait = Gait.acceleration(at: t) * Self.walkOfSway(at: t)
      return gait + Vector3(0, 0, Self.heightOfSway(at: t).acceleration)
    case .walk: return Gait.acceleration(at: t)
    }
  }

  /// rad/s in device axes, from the attitudes a tenth of a millisecond to either side.
  private func rotationRate(at t: Double) -> Vector3 {
    let h = 1e-4
    let turn = attitude(at: t - h).conjugate * attitude(at: t + h)
    // The half angle is so small that its sine is the angle.
    let sign: Double = turn.w < 0 ? -1 : 1
    return Vector3(turn.x, turn.y, turn.z) * (sign * 2 / (2 * h))
  }

  static func attitude(yaw: Double, pitch: Double, roll: Double) -> Quaternion {
    Quaternion(angle: yaw, axis: Vector3(0, 0, 1))
      * Quaternion(angle: pitch, axis: Vector3(1, 0, 0))
      * Quaternion(angle: roll, axis: Vector3(0, 1, 0))
  }
}
