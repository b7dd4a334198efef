// SPDX-License-Identifier: Apache-2.0
internal import Quantities
internal import Recognition

// The motion of a person who sways the device. The person stands for 20 seconds and walks for 20,
// in one cycle up a flight of stairs and in the next cycle down.
extension MovingWorld {
  private static let standing = 20.0
  private static let round = 40.0
  /// The duration in seconds of the transition between standing and walking.
  private static let change = 1.5
  /// The height of the stairs in metres, and the seconds of the cycle in which the person climbs
  /// them.
  private static let flight = 3.1
  private static let climb = 21.5..<38.5
  /// The swing of the hand while walking, relative to standing. A walking person holds a device
  /// still to look at it.
  private static let walkingSwing = 0.1
  /// Standard gravity in m/s^2.
  private static let standardGravity = 9.80665

  /// Returns a number from 0 (standing) to 1 (walking) for the time `t` seconds after the origin.
  static func walkOfSway(at t: Double) -> Double {
    let moment = t - round * (t / round).rounded(.down)
    return Ease.value((moment - standing) / change) * Ease.value((round - moment) / change)
  }

  /// Returns the swing of the hand, relative to standing.
  static func swing(at t: Double) -> Double { 1 - (1 - walkingSwing) * walkOfSway(at: t) }

  /// Returns the height above the origin in metres, and the upward acceleration in g.
  static func heightOfSway(at t: Double) -> (metres: Double, acceleration: Double) {
    let rounds = (t / round).rounded(.down)
    let length = climb.upperBound - climb.lowerBound
    let part = (t - round * rounds - climb.lowerBound) / length
    let isDescent = rounds.truncatingRemainder(dividingBy: 2) != 0
    let metres = flight * Ease.value(part)
    let acceleration =
      flight * Ease.secondDerivative(part) / (length * length) / standardGravity
    return isDescent ? (flight - metres, -acceleration) : (metres, acceleration)
  }

  /// Returns the pressure in kPa at a height in metres above sea level, in the standard atmosphere.
  static func pressure(at metres: Double) -> Double {
    StandardAtmosphere.pressure(at: metres) ?? StandardAtmosphere.seaLevelPressure
  }
}
