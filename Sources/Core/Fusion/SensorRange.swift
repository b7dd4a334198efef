// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The range of a sensor of three axes, as its data sheet and its settings say, and the way from a
/// sample back to the sensor's own axes, where alone its ends are exact.
public struct SensorRange: Equatable, Sendable {
  /// The largest value of an axis in either direction, in the sample's unit.
  public let end: Scalar
  private let matrix: Matrix3
  private let offset: Vector3
  /// No axis of a shorter sample is at its end.
  private let leastSquare: Scalar

  /// Creates the range of a sensor that reads `matrix * sample + offset` of a sample in device
  /// axes, up to `end` on each axis, all in the sample's unit. `nil` where `end` is not positive or
  /// a number is not finite.
  public init?(end: Scalar, matrix: Matrix3 = .identity, offset: Vector3 = .zero) {
    guard end > 0, end.isFinite, offset.isFinite,
      matrix.row1.isFinite, matrix.row2.isFinite, matrix.row3.isFinite
    else { return nil }
    self.end = end
    self.matrix = matrix
    self.offset = offset
    // The longest row of a matrix that is nearly a rotation lengthens a vector by so much.
    let rows = max(matrix.row1.norm, matrix.row2.norm, matrix.row3.norm)
    let reach = end * (1 - rangeError) - offset.norm
    leastSquare = reach > 0 && rows > 0 ? reach * reach / (rows * rows) : 0
  }

  /// Returns the number of axes that are at an end, or so near that the filter behind the converter
  /// may not have reached it.
  @inline(__always)
  func axesAtEnd(_ sample: Vector3) -> Int {
    guard sample.dot(sample) >= leastSquare else { return 0 }
    let (v, least) = (matrix * sample + offset, end * (1 - rangeError))
    return (v.x.magnitude >= least ? 1 : 0) + (v.y.magnitude >= least ? 1 : 0)
      + (v.z.magnitude >= least ? 1 : 0)
  }

  /// No gyroscope's range ends below 125 degrees/s, rad/s, and no accelerometer's below 2 g, but
  /// for what a calibration makes of it.
  static var leastRotationRate: Scalar { 125 * degree * (1 - 2 * rangeEdge) }
  static var leastAcceleration: Scalar { 2 * (1 - 2 * rangeEdge) }
}
