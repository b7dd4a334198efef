// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The configured range of a three-axis sensor, and the transformation of a sample back to sensor
/// axes, where the ends of the range are exact.
public struct SensorRange: Equatable, Sendable {
  /// The largest value of an axis in either direction, in the sample's unit.
  public let end: Scalar
  private let matrix: Matrix3
  private let offset: Vector3
  /// Square of the norm below which no axis of a sample can be at an end of its range.
  private let leastSquare: Scalar

  /// Creates the range of a sensor whose own axes read `matrix * sample + offset` for a sample in
  /// device axes, with `end` the largest value on each axis, all in the sample's unit. `nil` if
  /// `end` is not positive or a number is not finite.
  public init?(end: Scalar, matrix: Matrix3 = .identity, offset: Vector3 = .zero) {
    guard end > 0, end.isFinite, offset.isFinite,
      matrix.row1.isFinite, matrix.row2.isFinite, matrix.row3.isFinite
    else { return nil }
    self.end = end
    self.matrix = matrix
    self.offset = offset
    // Bounds how much a nearly orthogonal matrix lengthens a vector.
    let rows = max(matrix.row1.norm, matrix.row2.norm, matrix.row3.norm)
    let reach = end * (1 - FusionEngine.Params.calibrationShare) - offset.norm
    leastSquare = reach > 0 && rows > 0 ? reach * reach / (rows * rows) : 0
  }

  /// Returns the number of axes at an end of the range, or so near that the filter after the
  /// converter may hide the clipping.
  @inline(__always)
  func axesAtEnd(_ sample: Vector3) -> Int {
    guard sample.dot(sample) >= leastSquare else { return 0 }
    let (v, least) = (matrix * sample + offset, end * (1 - FusionEngine.Params.calibrationShare))
    return (v.x.magnitude >= least ? 1 : 0) + (v.y.magnitude >= least ? 1 : 0)
      + (v.z.magnitude >= least ? 1 : 0)
  }

  /// The smallest ranges of common sensors, 125 degrees/s in rad/s and 2 g, less what a calibration
  /// changes.
  static var leastRotationRate: Scalar { 125 * degree * (1 - 2 * rangeEdge) }
  static var leastAcceleration: Scalar { 2 * (1 - 2 * rangeEdge) }
}
