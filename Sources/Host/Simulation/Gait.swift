// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// The walk of a person who holds a device still in front of the body.
///
/// The body moves up and down and forwards once a step, sideways once a stride (W. Zijlstra and A.
/// L. Hof, Gait & Posture 18, 2003); each heel strikes the floor with a short, decaying shock (M.
/// W. Whittle, Gait & Posture 10, 1999), the left heel a little softer than the right.
enum Gait {
  static let cadence = 1.8
  /// Strides per second, two steps each.
  static let strides = cadence / 2

  /// The shock of the right heel: g, Hz and seconds.
  private static let shock = 0.3
  private static let shockFrequency = 14.0
  private static let shockDecay = 0.03
  /// The shock of the left heel relative to the right one's.
  private static let leftHeel = 0.8

  /// Returns the acceleration `t` seconds after a strike of the right heel, g: x forwards, y to the
  /// left, z up.
  static func acceleration(at t: Double) -> Vector3 {
    let (step, stride) = (cadence * t, strides * t)
    return Vector3(
      0.1 * Wave.sine(step + 0.2) + 0.04 * Wave.sine(2 * step + 0.5),
      0.06 * Wave.sine(stride) + 0.02 * Wave.sine(3 * stride),
      0.25 * Wave.sine(step) + 0.08 * Wave.sine(2 * step + 0.1) + 0.02 * Wave.sine(stride + 0.1)
        + heelStrike(at: t) - meanShock)
  }

  /// Returns the acceleration upwards, g.
  private static func heelStrike(at t: Double) -> Double {
    let steps = cadence * t
    let whole = steps.rounded(.down)
    let since = (steps - whole) / cadence
    let isLeft = whole.truncatingRemainder(dividingBy: 2) != 0
    return (isLeft ? leftHeel : 1) * shock * exp(-since / shockDecay)
      * Wave.sine(shockFrequency * since)
  }

  /// The mean of all strikes, g. It is subtracted, because a walker does not accelerate upwards on
  /// average.
  private static let meanShock: Double = {
    let (decay, turns) = (1 / shockDecay, 2 * Double.pi * shockFrequency)
    return (1 + leftHeel) / 2 * shock * cadence * turns / (decay * decay + turns * turns)
  }()
}
