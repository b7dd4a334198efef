// SPDX-License-Identifier: Apache-2.0

/// The configured range of a three-axis sensor, with the transformation of a sample back to the
/// sensor's axes. Only in these axes are the ends of the range exact.
public struct SensorRange: Equatable, Sendable {
  /// The largest value of an axis in either direction, in the sample's unit.
  public let end: Scalar
  private let matrix: Matrix3
  private let offset: Vector3
  /// Square of the norm below which no axis of a sample can be at an end of its range.
  @usableFromInline let leastSquare: Scalar

  /// Creates the range of a sensor. For a sample in device axes, the sensor's own axes read `matrix
  /// * sample + offset`, and `end` is the largest value of each axis, all in the unit of the
  /// sample. `nil` if `end` is not positive or a number is not finite.
  public init?(end: Scalar, matrix: Matrix3 = .identity, offset: Vector3 = .zero) {
    guard end > 0, end.isFinite, offset.isFinite,
      matrix.row1.isFinite, matrix.row2.isFinite, matrix.row3.isFinite
    else { return nil }
    self.end = end
    self.matrix = matrix
    self.offset = offset
    // An upper bound of the factor by which a nearly orthogonal matrix lengthens a vector.
    let rows = max(matrix.row1.norm, matrix.row2.norm, matrix.row3.norm)
    let reach = end * (1 - Self.calibrationShare) - offset.norm
    leastSquare = reach > 0 && rows > 0 ? reach * reach / (rows * rows) : 0
  }

  /// The share of the range by which a calibration may change a sample through the scale, and also
  /// through each of the other two axes. Noise changes a sample by less.
  package static var calibrationShare: Scalar { 0.01 }

  /// Returns the number of the sensor's axes that are at an end of the range, or so near that the
  /// filter after the converter may hide the clipping.
  @inlinable @inline(__always)
  package func axesAtEnd(_ sample: Vector3) -> Int {
    guard mayBeAtEnd(sample) else { return 0 }
    let (x, y, z) = atEnd(sample)
    return (x ? 1 : 0) + (y ? 1 : 0) + (z ? 1 : 0)
  }

  /// Returns for each component of `sample` whether it comes from an axis of the sensor that is at
  /// an end of the range. A chip that is turned by 45 degrees has two components for each axis. An
  /// axis that is turned by less than six degrees has one: a tenth of what is missing on it is not
  /// more than other errors of a clipped sample.
  package func componentsAtEnd(_ sample: Vector3) -> (x: Bool, y: Bool, z: Bool) {
    let (x, y, z) = atEnd(sample)
    let least: Scalar = 0.1
    func isIn(_ a: Scalar, _ b: Scalar, _ c: Scalar) -> Bool {
      x && a.magnitude >= least || y && b.magnitude >= least || z && c.magnitude >= least
    }
    return (
      isIn(matrix.m11, matrix.m21, matrix.m31), isIn(matrix.m12, matrix.m22, matrix.m32),
      isIn(matrix.m13, matrix.m23, matrix.m33)
    )
  }

  /// False if no axis can be at an end of the range. It takes less time to compute than which axes
  /// are.
  @inlinable @inline(__always)
  package func mayBeAtEnd(_ sample: Vector3) -> Bool { sample.dot(sample) >= leastSquare }

  @usableFromInline
  func atEnd(_ sample: Vector3) -> (x: Bool, y: Bool, z: Bool) {
    let (v, least) = (matrix * sample + offset, end * (1 - Self.calibrationShare))
    return (v.x.magnitude >= least, v.y.magnitude >= least, v.z.magnitude >= least)
  }
}
