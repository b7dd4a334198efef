// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Attitudes that are held, one after the other, again and again, with smooth turns between them.
struct PosePath: Sendable {
  /// An attitude and the time for which it is held.
  struct Pose: Sendable {
    /// Device to x north, y west, z up.
    var attitude: Quaternion
    /// Seconds.
    var hold: Double
  }

  /// Seconds from one pose to the next: as quick as a hand is that takes care. The fastest turn, by
  /// half a revolution, then has 338 degrees/s, which the usual range of 500 holds.
  static let turn = 1.0

  private let poses: [Pose]
  /// Seconds after which it begins again.
  let period: Double

  /// Begins flat, face up, top edge to magnetic north; then each direction of `ups`, in device
  /// axes, points up for so many seconds, each reached by the shortest turn.
  init(flatFor first: Double, _ ups: [(up: Vector3, hold: Double)]) {
    var up = Vector3(0, 0, 1)
    var attitude = Quaternion(angle: -Double.pi / 2, axis: Vector3(0, 0, 1))
    var poses = [Pose(attitude: attitude, hold: first)]
    for next in ups {
      let direction = next.up.normalized ?? up
      attitude = (attitude * Self.turn(from: direction, to: up)).normalized
      up = direction
      poses.append(Pose(attitude: attitude, hold: next.hold))
    }
    self.poses = poses
    period = poses.reduce(0) { $0 + $1.hold + Self.turn }
  }

  /// Device to x north, y west, z up, `t` seconds after the begin; before it, the first pose.
  func attitude(at t: Double) -> Quaternion {
    var rest = max(t, 0).truncatingRemainder(dividingBy: period)
    for (index, pose) in poses.enumerated() {
      if rest < pose.hold { return pose.attitude }
      rest -= pose.hold
      if rest < Self.turn {
        let next = poses[(index + 1) % poses.count].attitude
        return Self.between(pose.attitude, next, Self.smooth(rest / Self.turn))
      }
      rest -= Self.turn
    }
    return poses[0].attitude
  }

  /// From 0 to 1 with neither speed nor acceleration at the ends (the path of least jerk, Flash and
  /// Hogan, Journal of Neuroscience 5 (1985) 1688: how a hand moves).
  private static func smooth(_ u: Double) -> Double { u * u * u * (10 - 15 * u + 6 * u * u) }

  /// A part of the shortest turn from `a` to `b`.
  private static func between(_ a: Quaternion, _ b: Quaternion, _ part: Double) -> Quaternion {
    let turn = a.conjugate * b
    let sign: Double = turn.w < 0 ? -1 : 1
    let axis = Vector3(turn.x, turn.y, turn.z) * sign
    guard let unit = axis.normalized else { return a }
    return a
      * Quaternion(angle: 2 * angle(sine: axis.norm, cosine: turn.w * sign) * part, axis: unit)
  }

  /// The shortest rotation that takes the unit vector `a` to `b`.
  private static func turn(from a: Vector3, to b: Vector3) -> Quaternion {
    // Half a turn has no shortest axis: any at right angles will do.
    guard a.dot(b) > -0.999999 else {
      let other = a.x.magnitude < 0.9 ? Vector3(1, 0, 0) : Vector3(0, 1, 0)
      return Quaternion(angle: .pi, axis: a.cross(other).normalized ?? other)
    }
    let axis = a.cross(b)
    return Quaternion(w: 1 + a.dot(b), x: axis.x, y: axis.y, z: axis.z).normalized
  }

  /// The angle in 0 ... pi/2 with this sine and cosine, by Newton's method on what `Quaternion`
  /// has: there is no arc sine without the platform's library.
  private static func angle(sine: Double, cosine: Double) -> Double {
    var angle = sine * (1 + sine * sine * 0.5708)
    for _ in 0..<6 {
      let guess = Quaternion(angle: 2 * angle, axis: Vector3(1, 0, 0))
      angle += sine * guess.w - cosine * guess.x
    }
    return angle
  }
}
