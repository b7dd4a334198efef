// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// A repeating sequence of attitudes. Each is held for some seconds, with smooth turns in between.
struct PosePath: Sendable {
  struct Pose: Sendable {
    /// The rotation from device to reference coordinates (x north, y west, z up).
    var attitude: Quaternion
    /// The seconds for which the attitude is held.
    var hold: Double
  }

  /// The duration of a turn in seconds, as a careful hand makes it. The fastest turn, by half a
  /// revolution, reaches 338 degrees/s, which is within the usual range of 500.
  static let turn = 1.0

  private let poses: [Pose]
  /// The seconds after which the sequence repeats.
  let period: Double

  /// Creates a sequence that begins flat, face up, with the top edge to magnetic north, for `first`
  /// seconds. Then each direction of `ups`, in device axes, points up for its time. Each direction
  /// is reached by the shortest turn.
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

  /// Returns the attitude (device to x north, y west, z up) `t` seconds after the start; before the
  /// start, the first attitude.
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

  /// Returns a value from 0 to 1 for `u` from 0 to 1, without speed or acceleration at its ends.
  /// Hands move along this curve (minimum jerk; Flash and Hogan, Journal of Neuroscience 5 (1985)
  /// 1688).
  private static func smooth(_ u: Double) -> Double { u * u * u * (10 - 15 * u + 6 * u * u) }

  /// Returns the attitude that is the fraction `part` of the shortest turn from `a` to `b`.
  private static func between(_ a: Quaternion, _ b: Quaternion, _ part: Double) -> Quaternion {
    let turn = a.conjugate * b
    let sign: Double = turn.w < 0 ? -1 : 1
    let axis = Vector3(turn.x, turn.y, turn.z) * sign
    guard let unit = axis.normalized else { return a }
    return a
      * Quaternion(angle: 2 * angle(sine: axis.norm, cosine: turn.w * sign) * part, axis: unit)
  }

  /// Returns the shortest rotation from the unit vector `a` to the unit vector `b`.
  private static func turn(from a: Vector3, to b: Vector3) -> Quaternion {
    // For half a turn, any axis that is perpendicular to the first vector is correct.
    guard a.dot(b) > -0.999999 else {
      let other = a.x.magnitude < 0.9 ? Vector3(1, 0, 0) : Vector3(0, 1, 0)
      return Quaternion(angle: .pi, axis: a.cross(other).normalized ?? other)
    }
    let axis = a.cross(b)
    return Quaternion(w: 1 + a.dot(b), x: axis.x, y: axis.y, z: axis.z).normalized
  }

  /// Returns the angle in 0 ... pi/2 with this sine and cosine. The function uses Newton's method
  /// with functions of `Quaternion`, because an arc sine would need the platform's library.
  private static func angle(sine: Double, cosine: Double) -> Double {
    var angle = sine * (1 + sine * sine * 0.5708)
    for _ in 0..<6 {
      let guess = Quaternion(angle: 2 * angle, axis: Vector3(1, 0, 0))
      angle += sine * guess.w - cosine * guess.x
    }
    return angle
  }
}
