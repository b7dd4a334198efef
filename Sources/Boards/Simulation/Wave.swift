// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// A change from 0 to 1 whose speed and acceleration are 0 at both ends.
enum Ease {
  static func value(_ part: Double) -> Double {
    let u = min(max(part, 0), 1)
    return u * u * u * (10 + u * (6 * u - 15))
  }

  /// Returns the second derivative of `value`.
  static func secondDerivative(_ part: Double) -> Double {
    let u = min(max(part, 0), 1)
    return u * (60 + u * (120 * u - 180))
  }
}

/// A sine of whole turns.
enum Wave {
  /// sin(2 pi turns), by way of a rotation, which has the sine that the platform has.
  static func sine(_ turns: Double) -> Double {
    let phase = turns - turns.rounded()
    return Quaternion(angle: 4 * Double.pi * phase, axis: Vector3(1, 0, 0)).x
  }
}
