// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The physical quantities around a board over time, in device axes and Core Motion's units and
/// signs.
public protocol World: AnyObject {
  /// Returns all quantities at `time`. The `channels` of the result are those that are available.
  func sample(at time: Timestamp) -> Sample
}

/// Computed surroundings: an attitude and a linear acceleration over time, with Earth's gravity and
/// a magnetic field similar to the field in central Europe.
public final class MovingWorld: World {
  /// The motions of the simulated board, with their names in board files.
  public enum Motion: String, CaseIterable, Sendable {
    /// In this motion the board lies flat on a table, face up, with its top edge to magnetic north.
    case still
    /// In this motion a person swings the board slowly about all axes. The person stands for 20
    /// seconds and then walks for 20, alternately up and down a flight of stairs.
    case sway
    /// In this motion a walking person holds the board upright, at 1.8 steps per second.
    case walk
    /// In this motion the board is laid on each of its six faces and then on each of its twelve
    /// edges, for three seconds each.
    case positions
    /// In this motion the board rotates continuously through all directions.
    case tumble
    /// In this motion the board is flat, upright, flat, with its right edge down, and flat: the
    /// sequence from which the mounting of a chip can be determined.
    case gestures
    /// In this motion two hands turn the board to and fro about all axes: the motion from which the
    /// alignment of two chips can be determined.
    case handling
  }

  private let motion: Motion
  private let origin: Timestamp

  /// Creates surroundings whose motion starts at `origin`.
  public init(_ motion: Motion, origin: Timestamp) {
    self.motion = motion
    self.origin = origin
  }

  /// The field is 20 microtesla horizontally and 45 downwards; x is north, y west and z up.
  private static let field = Vector3(20, 0, -45)

  public func sample(at time: Timestamp) -> Sample {
    let t = (time - origin).seconds
    let attitude = attitude(at: t)
    var sample = Sample(timestamp: time, channels: .all)
    let inverse = attitude.conjugate
    // Core Motion's acceleration is gravity minus the acceleration of the device.
    sample.acceleration = inverse.rotate(Vector3(0, 0, -1) - linearAcceleration(at: t))
    sample.rotationRate = rotationRate(at: t)
    sample.magneticField = inverse.rotate(Self.field)
    sample.pressure = motion == .sway ? Self.pressure(at: Self.heightOfSway(at: t).metres) : 101.325
    sample.temperature = 25
    sample.humidity = 45
    // A lamp is on for ten of every twenty seconds, and a hand approaches once in ten seconds.
    sample.scalars[.illuminance] =
      (t / 10).rounded(.down).truncatingRemainder(dividingBy: 2) == 0 ? 320 : 20
    let near = Wave.sine(0.05 * t)
    sample.scalars[.proximity] = near * near
    return sample
  }

  /// Returns the attitude (device to x north, y west, z up) `t` seconds after the start of the
  /// motion.
  public func attitude(at t: Double) -> Quaternion {
    switch motion {
    case .still:
      // The board's top edge (+y) points north.
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
    case .handling: return Self.handling(at: t)
    }
  }

  /// Returns the linear acceleration in g, in reference coordinates.
  private func linearAcceleration(at t: Double) -> Vector3 {
    switch motion {
    // A simulated chip at the centre of rotation has no linear acceleration.
    case .still, .positions, .tumble, .gestures: return .zero
    case .sway:
      let gait = Gait.acceleration(at: t) * Self.walkOfSway(at: t)
      return gait + Vector3(0, 0, Self.heightOfSway(at: t).acceleration)
    case .walk: return Gait.acceleration(at: t)
    case .handling: return Self.accelerationOfHandling(at: t)
    }
  }

  /// Returns the rotation rate in rad/s in device axes, computed from the attitudes 0.1 ms before
  /// and after.
  private func rotationRate(at t: Double) -> Vector3 {
    let h = 1e-4
    let turn = attitude(at: t - h).conjugate * attitude(at: t + h)
    // Half of the rotation's angle is so small that it practically equals its sine.
    let sign: Double = turn.w < 0 ? -1 : 1
    return Vector3(turn.x, turn.y, turn.z) * (sign * 2 / (2 * h))
  }

  static func attitude(yaw: Double, pitch: Double, roll: Double) -> Quaternion {
    Quaternion(angle: yaw, axis: Vector3(0, 0, 1))
      * Quaternion(angle: pitch, axis: Vector3(1, 0, 0))
      * Quaternion(angle: roll, axis: Vector3(0, 1, 0))
  }
}
