// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The map from a member's values to the axes of its group: a matrix, an offset, and the time by
/// which the member shows a motion before the member that leads does. The uncertainty of the map is
/// relative to the lead.
///
/// Each row of the map is learned by recursive least squares from differences between the integrals
/// of the member and the lead. The initial uncertainty comes from the data sheet and from the
/// chip's alignment.
struct RelativeCalibration: Sendable {
  var matrix: Matrix3
  var offset = Vector3.zero
  /// The time by which each axis shows a motion before the leading member does, s, in addition to
  /// what the delays in the traits explain.
  private(set) var advance = Vector3.zero
  private var x: Row
  private var y: Row
  private var z: Row
  /// The variance that the uncertainty of the calibration causes at `mean`, in the least certain
  /// axis.
  private var variance = 0.0
  /// The value of the leading member for which `variance` was computed.
  private var mean = Vector3.zero
  /// The growth of the variance with the square of the distance from `mean`, for each axis.
  private var spread = Vector3.zero
  /// The growth of the variance with the square of the slope: the variance of `advance`, s^2.
  private(set) var advanceVariance = 0.0

  /// A change of the map.
  struct Change {
    var matrix: Matrix3
    var offset: Vector3
  }

  /// The covariance of a row: of its offset, its three elements of the matrix, and its advance.
  private struct Row: Sendable {
    /// The upper triangle of the symmetric matrix, row by row.
    var p = InlineArray<15, Scalar>(repeating: 0)

    init(offset: Scalar, matrix: Scalar, advance: Scalar) {
      p[0] = offset
      p[5] = matrix
      p[9] = matrix
      p[12] = matrix
      p[14] = advance
    }

    struct Product {
      var o, x, y, z, t: Scalar
      /// The variance of the predicted difference: the product multiplied by the regressors.
      var variance: Scalar
    }

    /// Returns the product of the covariance and the regressors: 1, the components of a value, and
    /// the slope.
    mutating func product(_ v: Vector3, slope: Scalar) -> Product {
      let o = p[0] + p[1] * v.x + p[2] * v.y + p[3] * v.z + p[4] * slope
      let x = p[1] + p[5] * v.x + p[6] * v.y + p[7] * v.z + p[8] * slope
      let y = p[2] + p[6] * v.x + p[9] * v.y + p[10] * v.z + p[11] * slope
      let z = p[3] + p[7] * v.x + p[10] * v.y + p[12] * v.z + p[13] * slope
      let t = p[4] + p[8] * v.x + p[11] * v.y + p[13] * v.z + p[14] * slope
      return Product(
        o: o, x: x, y: y, z: z, t: t, variance: o + x * v.x + y * v.y + z * v.z + t * slope)
    }

    /// Updates the covariance for a difference that was measured at these regressors with the
    /// variance `noise`. Returns the gains.
    mutating func update(_ v: Vector3, slope: Scalar, noise: Scalar) -> Product {
      let b = product(v, slope: slope)
      let scale = 1 / (b.variance + noise)
      let (o, x, y, z, t) = (b.o * scale, b.x * scale, b.y * scale, b.z * scale, b.t * scale)
      p[0] -= o * b.o
      p[1] -= o * b.x
      p[2] -= o * b.y
      p[3] -= o * b.z
      p[4] -= o * b.t
      p[5] -= x * b.x
      p[6] -= x * b.y
      p[7] -= x * b.z
      p[8] -= x * b.t
      p[9] -= y * b.y
      p[10] -= y * b.z
      p[11] -= y * b.t
      p[12] -= z * b.z
      p[13] -= z * b.t
      p[14] -= t * b.t
      return Product(o: o, x: x, y: y, z: z, t: t, variance: b.variance)
    }

    mutating func walk(offset: Scalar, matrix: Scalar, advance: Scalar) {
      p[0] += offset
      p[5] += matrix
      p[9] += matrix
      p[12] += matrix
      p[14] += advance
    }

    /// True if the row is less certain than another.
    func isVaguer(than other: Row) -> Bool { p[0] > other.p[0] || p[5] > other.p[5] }
  }

  init(rotation: Matrix3, offset: Scalar, matrix scale: Scalar, advance: Scalar) {
    matrix = rotation
    x = Row(offset: offset, matrix: scale, advance: advance)
    y = x
    z = x
    summarize(at: .zero, slope: .zero)
  }

  @inline(__always)
  func map(_ value: Vector3) -> Vector3 { matrix * value - offset }

  /// Returns the variance that the uncertainty of the calibration causes in a difference from the
  /// leading member, in each axis. `value` and `slope` are those of the leading member.
  @inline(__always)
  func variance(at value: Vector3, slope: Vector3) -> Scalar {
    let off = value - mean
    return variance + spread.x * (off.x * off.x) + spread.y * (off.y * off.y)
      + spread.z * (off.z * off.z) + advanceVariance * slope.dot(slope)
  }

  /// Returns the variance that the uncertainty of the calibration causes in a mean difference from
  /// the leading member, in the least certain axis. It is computed from the whole covariance,
  /// without the errors of single time stamps.
  mutating func exactVariance(at value: Vector3, slope: Vector3) -> Scalar {
    max(
      x.product(value, slope: slope.x).variance,
      max(
        y.product(value, slope: slope.y).variance, z.product(value, slope: slope.z).variance))
  }

  /// Corrects the calibration map by a mean difference from the leading member, whose variance in
  /// each axis is `noise`. `value` and `slope` are means of the leading member over the same time.
  /// Returns the change of the map.
  mutating func correct(
    difference: Vector3, noise: Scalar, at value: Vector3, slope: Vector3
  ) -> Change {
    let noise =
      noise + GroupParams.advanceSigma * GroupParams.advanceSigma * slope.dot(slope)
    let a = x.update(value, slope: slope.x, noise: noise)
    let b = y.update(value, slope: slope.y, noise: noise)
    let c = z.update(value, slope: slope.z, noise: noise)
    advance += Vector3(a.t * difference.x, b.t * difference.y, c.t * difference.z)
    let change = Change(
      matrix: Matrix3(
        rows: Vector3(a.x, a.y, a.z) * difference.x, Vector3(b.x, b.y, b.z) * difference.y,
        Vector3(c.x, c.y, c.z) * difference.z),
      offset: Vector3(a.o * difference.x, b.o * difference.y, c.o * difference.z))
    matrix = matrix - change.matrix * matrix
    offset += change.offset - change.matrix * offset
    return change
  }

  /// Increases the uncertainty, because the errors of sensors drift with time. The arguments are
  /// variances.
  mutating func walk(offset: Scalar, matrix: Scalar, advance: Scalar) {
    x.walk(offset: offset, matrix: matrix, advance: advance)
    y.walk(offset: offset, matrix: matrix, advance: advance)
    z.walk(offset: offset, matrix: matrix, advance: advance)
  }

  /// Computes the terms of `variance(at:slope:)` for values near `value` in advance, because that
  /// function is called for every sample.
  mutating func summarize(at value: Vector3, slope: Vector3) {
    mean = value
    variance = max(
      x.product(value, slope: 0).variance,
      max(y.product(value, slope: 0).variance, z.product(value, slope: 0).variance))
    spread = Vector3(
      max(x.p[5], max(y.p[5], z.p[5])), max(x.p[9], max(y.p[9], z.p[9])),
      max(x.p[12], max(y.p[12], z.p[12])))
    advanceVariance = max(
      GroupParams.advanceSigma * GroupParams.advanceSigma,
      max(x.p[14], max(y.p[14], z.p[14])))
  }

  /// Adds the uncertainty of the member that leads to the uncertainty of this member, because the
  /// two have not been compared yet.
  mutating func add(_ lead: RelativeCalibration) {
    for k in 0..<15 {
      x.p[k] += lead.x.p[k]
      y.p[k] += lead.y.p[k]
      z.p[k] += lead.z.p[k]
    }
    summarize(at: mean, slope: .zero)
  }

  /// Makes the calibration map relative to the member that leads now. The larger of the two
  /// uncertainties is used, because their sum would grow with each change of the leading member
  /// although the maps do not change.
  mutating func refer(to lead: RelativeCalibration) {
    if lead.x.isVaguer(than: x) { x = lead.x }
    if lead.y.isVaguer(than: y) { y = lead.y }
    if lead.z.isVaguer(than: z) { z = lead.z }
    advance -= lead.advance
    summarize(at: mean, slope: .zero)
  }

  /// Makes the member the reference of the group. Its uncertainty becomes zero, because the
  /// calibration maps of the other members are uncertain relative to it.
  mutating func becomeReference() {
    x = Row(offset: 0, matrix: 0, advance: 0)
    y = x
    z = x
    advance = .zero
    summarize(at: mean, slope: .zero)
  }
}

extension Matrix3 {
  static func - (a: Matrix3, b: Matrix3) -> Matrix3 {
    Matrix3(
      rows: Vector3(a.m11 - b.m11, a.m12 - b.m12, a.m13 - b.m13),
      Vector3(a.m21 - b.m21, a.m22 - b.m22, a.m23 - b.m23),
      Vector3(a.m31 - b.m31, a.m32 - b.m32, a.m33 - b.m33))
  }

  /// Adds a share of another matrix.
  mutating func add(_ other: Matrix3, times share: Scalar) {
    m11 += share * other.m11
    m12 += share * other.m12
    m13 += share * other.m13
    m21 += share * other.m21
    m22 += share * other.m22
    m23 += share * other.m23
    m31 += share * other.m31
    m32 += share * other.m32
    m33 += share * other.m33
  }
}
