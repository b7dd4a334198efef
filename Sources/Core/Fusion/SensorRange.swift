// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The configured range of a three-axis sensor, and the transformation of a sample back to sensor
/// axes, where the ends are exact.
public struct SensorRange: Equatable, Sendable {
  /// The largest value of an axis in either direction, in the sample's unit.
  public let end: Scalar
  private let matrix: Matrix3
  private let offset: Vector3
  /// A sample with a smaller norm is not at an end.
  private let leastSquare: Scalar

  /// Creates the range of a sensor that reads `matrix * sample + offset` of a sample in device
  /// axes, up to `end` on each axis, all in the sample's unit. `nil` if `end` is not positive or
  /// a number is not finite.
  public init?(end: Scalar, matrix: Matrix3 = .identity, offset: Vector3 = .zero) {
    guard end > 0, end.isFinite, offset.isFinite,
      matrix.row1.isFinite, matrix.row2.isFinite, matrix.row3.isFinite
    else { return nil }
    self.end = end
    self.matrix = matrix
    self.offset = offset
    // The largest factor by which a nearly orthogonal matrix lengthens a vector.
    let rows = max(matrix.row1.norm, matrix.row2.norm, matrix.row3.norm)
    let reach = end * (1 - FusionEngine.Params.calibrationShare) - offset.norm
    leastSquare = reach > 0 && rows > 0 ? reach * reach / (rows * rows) : 0
  }

  /// Returns the number of axes at an end, or so near that the filter after the converter may hide
  /// it.
  @inline(__always)
  func axesAtEnd(_ sample: Vector3) -> Int {
    guard sample.dot(sample) >= leastSquare else { return 0 }
    let (v, least) = (matrix * sample + offset, end * (1 - FusionEngine.Params.calibrationShare))
    return (v.x.magnitude >= least ? 1 : 0) + (v.y.magnitude >= least ? 1 : 0)
      + (v.z.magnitude >= least ? 1 : 0)
  }

  /// No gyroscope's range ends below 125 degrees/s, rad/s, and no accelerometer's below 2 g, apart
  /// from a calibration's change.
  static var leastRotationRate: Scalar { 125 * degree * (1 - 2 * rangeEdge) }
  static var leastAcceleration: Scalar { 2 * (1 - 2 * rangeEdge) }
}
