// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// The acceleration of a person who walks and holds a device still in front of the body.
///
/// The body moves up and down and forwards once per step, and sideways once per stride (W. Zijlstra
/// and A. L. Hof, Gait & Posture 18, 2003). Each heel strikes the floor with a short, decaying
/// shock (M. W. Whittle, Gait & Posture 10, 1999), the left heel a little less than the right.
enum Gait {
  static let cadence = 1.8
  /// The strides per second; a stride is two steps.
  static let strides = cadence / 2

  /// The shock of the right heel: amplitude in g, frequency in Hz, and decay time in seconds.
  private static let shock = 0.3
  private static let shockFrequency = 14.0
  private static let shockDecay = 0.03
  /// The ratio of the left heel's shock to the right heel's shock.
  private static let leftHeel = 0.8

  /// Returns the acceleration in g, `t` seconds after a strike of the right heel: x forwards, y to
  /// the left, z up.
  static func acceleration(at t: Double) -> Vector3 {
    let (step, stride) = (cadence * t, strides * t)
    return Vector3(
      0.1 * Wave.sine(step + 0.2) + 0.04 * Wave.sine(2 * step + 0.5),
      0.06 * Wave.sine(stride) + 0.02 * Wave.sine(3 * stride),
      0.25 * Wave.sine(step) + 0.08 * Wave.sine(2 * step + 0.1) + 0.02 * Wave.sine(stride + 0.1)
        + heelStrike(at: t) - meanShock)
  }

  /// Returns the upward acceleration of the heel strikes in g.
  private static func heelStrike(at t: Double) -> Double {
    let steps = cadence * t
    let whole = steps.rounded(.down)
    let since = (steps - whole) / cadence
    let isLeft = whole.truncatingRemainder(dividingBy: 2) != 0
    return (isLeft ? leftHeel : 1) * shock * exp(-since / shockDecay)
      * Wave.sine(shockFrequency * since)
  }

  /// The mean acceleration of all heel strikes in g. This mean is subtracted, because a walking
  /// person does not accelerate upwards on average.
  private static let meanShock: Double = {
    let (decay, turns) = (1 / shockDecay, 2 * Double.pi * shockFrequency)
    return (1 + leftHeel) / 2 * shock * cadence * turns / (decay * decay + turns * turns)
  }()
}
