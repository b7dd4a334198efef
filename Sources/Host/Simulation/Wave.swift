// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// A smooth step from 0 to 1, without speed or acceleration at its ends.
enum Ease {
  static func value(_ part: Double) -> Double {
    let u = min(max(part, 0), 1)
    return u * u * u * (10 + u * (6 * u - 15))
  }

  /// Returns the second derivative of the smooth step.
  static func secondDerivative(_ part: Double) -> Double {
    let u = min(max(part, 0), 1)
    return u * (60 + u * (120 * u - 180))
  }
}

/// A sine whose angle is given in turns.
enum Wave {
  /// Returns sin(2 pi turns). The sine is computed by a rotation, which uses the sine of the
  /// platform.
  static func sine(_ turns: Double) -> Double {
    let phase = turns - turns.rounded()
    return Quaternion(angle: 4 * Double.pi * phase, axis: Vector3(1, 0, 0)).x
  }
}
