// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

extension Scalar {
  /// Returns the standard deviation of a value from a file, increased if the measured value is far
  /// from it. Beyond three standard deviations the file is probably wrong (Cauchy's weight).
  func widened(by distance: Scalar) -> Scalar {
    let far = distance / (3 * self)
    return self * sqrt(1 + far * far)
  }
}

extension Vector3 {
  /// Accesses the components with indices from 0 to 2.
  subscript(_ index: Int) -> Scalar { index == 0 ? x : index == 1 ? y : z }

  /// The largest component.
  var largest: Scalar { max(x, y, z) }
}

extension Matrix3 {
  var diagonal: Vector3 { Vector3(m11, m22, m33) }

  /// The elements 12, 13 and 23.
  var upper: Vector3 { Vector3(m12, m13, m23) }

  /// The largest magnitude of all elements.
  var largest: Scalar {
    var most: Scalar = 0
    for term in 0..<9 { most = max(most, fabs(self[term])) }
    return most
  }

  /// Adds the symmetric matrix with the diagonal `d` and the elements 12, 13 and 23 in `u`.
  mutating func add(symmetric d: Vector3, _ u: Vector3) {
    add(
      Matrix3(rows: Vector3(d.x, u.x, u.y), Vector3(u.x, d.y, u.z), Vector3(u.y, u.z, d.z)))
  }

  /// The rotation vector of this rotation matrix, radians; its angle is at most half a turn.
  var rotationVector: Vector3 {
    let axis = Vector3(m32 - m23, m13 - m31, m21 - m12)
    let (sine, cosine) = (axis.norm / 2, (trace - 1) / 2)
    if sine > 1e-4 { return axis * (atan2(sine, cosine) / (2 * sine)) }
    guard cosine < 0 else { return axis / 2 }
    // Near half a turn, only the symmetric part contains the axis.
    let squares = Vector3(
      sqrt(max((m11 + 1) / 2, 0)), sqrt(max((m22 + 1) / 2, 0)), sqrt(max((m33 + 1) / 2, 0)))
    let signs =
      squares.x >= squares.largest
      ? Vector3(1, m12 < 0 ? -1 : 1, m13 < 0 ? -1 : 1)
      : squares.y >= squares.largest
        ? Vector3(m12 < 0 ? -1 : 1, 1, m23 < 0 ? -1 : 1)
        : Vector3(m13 < 0 ? -1 : 1, m23 < 0 ? -1 : 1, 1)
    return Vector3(squares.x * signs.x, squares.y * signs.y, squares.z * signs.z) * Scalar.pi
  }
}
