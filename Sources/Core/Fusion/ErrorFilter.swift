// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A Kalman filter of 24 errors, each the truth minus the estimate. The engine holds the estimates;
/// the filter holds only their covariance, and computes the corrections that an observation gives.
///
/// | index | errors |
/// |---|---|
/// | 0 to 2 | attitude: rotation vector, reference frame, rad |
/// | 3 to 5 | velocity: reference frame, m/s |
/// | 6 to 8 | bias of the gyroscope: device axes, rad/s |
/// | 9 to 11 | offset of the accelerometer: device axes, g |
/// | 12 to 14 | scale of the accelerometer, axis by axis |
/// | 15 to 23 | matrix of the gyroscope, row by row |
@usableFromInline struct ErrorFilter: Sendable {
  /// The covariance as six groups of four columns, each with 24 rows. Observations update only the
  /// groups down to the diagonal, so a prediction mirrors these first. Accessed only through spans,
  /// because reading a single element would copy the whole array.
  var parts: InlineArray<144, SIMD4<Scalar>>
  // Blocks of `parts` that the engine reads between two steps.
  /// The covariance of the attitude: reference frame, rad^2.
  @usableFromInline private(set) var attitude = Matrix3.zero
  /// The covariance of the velocity: reference frame, (m/s)^2.
  private(set) var velocity = Matrix3.zero
  /// The covariance of the bias: device axes, (rad/s)^2.
  @usableFromInline private(set) var bias = Matrix3.zero

  /// The initial variances of the errors.
  struct Start: Sendable {
    var tilt: Scalar
    var heading: Scalar
    var velocity: Scalar
    var bias: Scalar
    /// The variances of the gyroscope's scale, and of the misalignment of its axes.
    var gyroScale: Scalar
    var gyroMisalignment: Scalar
    var offset: Scalar
    var scale: Scalar
  }

  /// Creates a filter whose errors are uncorrelated.
  init(_ start: Start) {
    parts = InlineArray(repeating: SIMD4(repeating: 0))
    for k in 0..<3 {
      add(k, k, k < 2 ? start.tilt : start.heading)
      add(3 + k, 3 + k, start.velocity)
      add(6 + k, 6 + k, start.bias)
      add(9 + k, 9 + k, start.offset)
      add(12 + k, 12 + k, start.scale)
    }
    for k in 15..<24 {
      // Every fourth of the nine elements is on the diagonal of the gyroscope's matrix.
      add(k, k, (k - 15) % 4 == 0 ? start.gyroScale : start.gyroMisalignment)
    }
    note()
  }

  /// Adds `value` to the covariance of two errors, where `row <= column`.
  @inline(__always)
  mutating func add(_ row: Int, _ column: Int, _ change: Scalar) {
    var p = parts.mutableSpan
    p[column / 4 * 24 + row][column % 4] += change
    // The group of four on the diagonal is stored in full.
    if row < column && row / 4 == column / 4 { p[row / 4 * 24 + column][row % 4] += change }
  }

  /// Updates the blocks that the engine reads. Call this after each change of `parts`.
  mutating func note() {
    let p = parts.span
    attitude = Matrix3(
      rows: Vector3(p[0].x, p[0].y, p[0].z), Vector3(p[0].y, p[1].y, p[1].z),
      Vector3(p[0].z, p[1].z, p[2].z))
    velocity = Matrix3(
      rows: Vector3(p[3].w, p[27].x, p[27].y), Vector3(p[27].x, p[28].x, p[28].y),
      Vector3(p[27].y, p[28].y, p[29].y))
    bias = Matrix3(
      rows: Vector3(p[30].z, p[30].w, p[54].x), Vector3(p[30].w, p[31].w, p[55].x),
      Vector3(p[54].x, p[55].x, p[56].x))
  }

  /// True if the variances are valid numbers. Invalid covariances make the variances invalid within
  /// an epoch.
  @inline(__always)
  var isSound: Bool {
    // A comparison with not-a-number is always false. A bias that the parameters fix has zero
    // variance.
    func isSound(_ block: Matrix3, above least: Scalar) -> Bool {
      block.m11 > least && block.m11 < 1e12 && block.m22 > least && block.m22 < 1e12
        && block.m33 > least && block.m33 < 1e12
    }
    return isSound(attitude, above: 0) && isSound(velocity, above: 0)
      && isSound(bias, above: -1e-12)
  }
}

// The values that the engine reads.
extension ErrorFilter {
  /// The variance of the tilt, averaged over both directions, rad^2.
  @inlinable @inline(__always)
  var tiltVariance: Scalar { (attitude.m11 + attitude.m22) / 2 }

  /// The variance of the tilt in its worst direction, rad^2.
  @inlinable @inline(__always)
  var largestTiltVariance: Scalar {
    let half = (attitude.m11 - attitude.m22) / 2
    return tiltVariance + (half * half + attitude.m12 * attitude.m12).squareRoot()
  }

  /// The variance of the heading, rad^2.
  @inlinable @inline(__always)
  var headingVariance: Scalar { attitude.m33 }

  /// Returns the variance of the heading that the magnetic field shows, rad^2: the variance of the
  /// heading plus `tilt` times the tilt.
  @inline(__always)
  func fieldHeadingVariance(tilt: Vector3) -> Scalar {
    let seen = Vector3(tilt.x, tilt.y, 1)
    return seen.dot(attitude * seen)
  }

  /// The variance of the bias in each axis, (rad/s)^2.
  @inlinable @inline(__always)
  var biasVariances: Vector3 { Vector3(bias.m11, bias.m22, bias.m33) }

  /// The variance of the bias, averaged over the axes, (rad/s)^2.
  @inline(__always)
  var biasVariance: Scalar { (bias.m11 + bias.m22 + bias.m33) / 3 }

  /// The variances of the accelerometer's offset, g^2, and scale.
  var accelerationVariances: (offset: Vector3, scale: Vector3) {
    let p = parts.span
    return (Vector3(p[57].y, p[58].z, p[59].w), Vector3(p[84].x, p[85].y, p[86].z))
  }

  /// Returns the variances of the elements of the gyroscope's matrix, row by row. This method is
  /// mutating, because a nonmutating method would work on a copy.
  @inline(__always)
  mutating func gyroMatrixVariances() -> Matrix3 {
    let p = parts.span
    return Matrix3(
      rows: Vector3(p[87].w, p[112].x, p[113].y), Vector3(p[114].z, p[115].w, p[140].x),
      Vector3(p[141].y, p[142].z, p[143].w))
  }

  /// Returns a matrix of variances: on the diagonal, the variances of the scale factors of the
  /// gyroscope's matrix; off the diagonal, the variances of the sums of two opposite elements. This
  /// method is mutating, because a nonmutating method would work on a copy.
  @inline(__always)
  mutating func gyroStrainVariances() -> Matrix3 {
    let p = parts.span
    let xy = p[112].x + p[114].z + 2 * p[112].z
    let xz = p[113].y + p[141].y + 2 * p[137].y
    let yz = p[140].x + p[142].z + 2 * p[140].z
    return Matrix3(
      rows: Vector3(p[87].w, xy, xz), Vector3(xy, p[115].w, yz), Vector3(xz, yz, p[143].w))
  }

  /// Returns all covariances of one error, including those stored in its column. This method is
  /// mutating, because a nonmutating method would work on a copy.
  @inline(never)
  mutating func row(_ index: Int) -> ErrorRow { Self.row(index, parts.span) }

  @inline(__always)
  private static func row(_ index: Int, _ p: Span<SIMD4<Scalar>>) -> ErrorRow {
    var row = ErrorRow(
      p[index], p[24 + index], p[48 + index], p[72 + index], p[96 + index], p[120 + index])
    if index > 3 { row.a = left(of: index, 0, p) }
    if index > 7 { row.b = left(of: index, 4, p) }
    if index > 11 { row.c = left(of: index, 8, p) }
    if index > 15 { row.d = left(of: index, 12, p) }
    if index > 19 { row.e = left(of: index, 16, p) }
    return row
  }

  /// Returns four covariances of the row `index` from the column `index`, where their mirrored
  /// values are stored.
  @inline(__always)
  private static func left(of index: Int, _ start: Int, _ p: Span<SIMD4<Scalar>>) -> SIMD4<Scalar> {
    let (k, own) = (index / 4 * 24 + start, index % 4)
    return SIMD4(p[k][own], p[k + 1][own], p[k + 2][own], p[k + 3][own])
  }

  /// Returns the covariances of three errors with all 24 errors.
  func rows(_ errors: Errors) -> EpochRecord.ErrorRows {
    let p = parts.span
    let first = errors.rawValue
    return EpochRecord.ErrorRows(
      x: Self.row(first, p), y: Self.row(first + 1, p), z: Self.row(first + 2, p))
  }

  /// The variance of a horizontal component of the velocity, averaged over both, (m/s)^2.
  @inline(__always)
  var velocityVariance: Scalar { (velocity.m11 + velocity.m22) / 2 }
}

extension ErrorFilter: Equatable {
  @usableFromInline static func == (a: ErrorFilter, b: ErrorFilter) -> Bool {
    for k in 0..<144 where a.parts[k] != b.parts[k] { return false }
    return true
  }
}
