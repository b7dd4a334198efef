// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// The 24 ways to mount a chip at right angles in a device. Every chip axis is along a device axis,
/// in either direction, without mirror images.
public enum SquareMounting {
  public static var count: Int { 24 }

  /// Returns the mounting `index`, 0 to 23, as the matrix that maps chip axes to device axes. Index
  /// 0 is the identity.
  public static func matrix(_ index: Int) -> Matrix3 {
    let first = index / 4
    // Choose from the two remaining device axes for the second chip axis, in either direction.
    let second = (first / 2 + 1 + index % 2) % 3 * 2 + index / 2 % 2
    let x = axis(first)
    let y = axis(second)
    return Matrix3(rows: x, y, x.cross(y))
  }

  /// Returns the mounting nearest to the rotation `matrix`, and the angle between both, radians.
  public static func nearest(to matrix: Matrix3) -> (matrix: Matrix3, angle: Scalar) {
    var best = Matrix3.identity
    var largest = -Scalar.infinity
    for index in 0..<count {
      let candidate = Self.matrix(index)
      let trace = (candidate.transposed * matrix).trace
      if trace > largest { (best, largest) = (candidate, trace) }
    }
    // The trace of a rotation by an angle is 1 + 2 cos(angle).
    return (best, acos(min(max((largest - 1) / 2, -1), 1)))
  }

  /// Returns axis `index` of x, -x, y, -y, z, -z.
  private static func axis(_ index: Int) -> Vector3 {
    let sign: Scalar = index % 2 == 0 ? 1 : -1
    switch index / 2 {
    case 0: return Vector3(sign, 0, 0)
    case 1: return Vector3(0, sign, 0)
    default: return Vector3(0, 0, sign)
    }
  }
}
