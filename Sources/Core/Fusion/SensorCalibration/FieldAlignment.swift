// SPDX-License-Identifier: Apache-2.0
internal import CMath
public import Quantities

/// An estimator of a magnetometer's mounting relative to a gyroscope, from turns about at
/// least two axes. A magnetometer measures no gravity, but the field that it measures keeps its
/// direction while the device turns.
///
/// Between two moments, the gyroscope gives the rotation `Q` from the later axes to the earlier
/// axes. With the mounting `R` and the hard iron `o` of the magnetometer, the measured fields
/// satisfy `Q R (m2 - o) = R (m1 - o)`. For each of the 24 mountings at right angles, this equation
/// is linear in `R o`. A least-squares fit for each mounting leaves a residual, which is smallest
/// for the true mounting.
public struct FieldAlignment: Sendable {
  public struct Params: Equatable, Sendable {
    /// Rotation between two compared field measurements, radians. Default 15 degrees: noise of 1
    /// microtesla is then a tenth of the change of the measured field.
    public var turn = 15 * Scalar.pi / 180
    /// The longest time between two compared field measurements, s. Default 3, in which a gyroscope
    /// bias of 1 degree/s causes an error of 3 degrees.
    public var longest = 3.0
    /// The longest time between two rotation rates that are integrated, s. A longer time is a gap.
    /// Default 0.1.
    public var gap = 0.1
    /// The smallest accepted ratio of the second smallest residual to the smallest. Default 2.
    public var leastMargin = 2.0
    /// The smallest number of comparisons for a result. Default 12.
    public var leastTurns = 12

    public init() {}
  }

  /// The best mounting.
  public struct Fit: Equatable, Sendable {
    /// The matrix that transforms the magnetometer's axes to the gyroscope's.
    public var matrix: Matrix3
    /// The magnetic field of all parts that turn with the magnetometer, microtesla in the
    /// magnetometer's axes. It is a by-product, whose accuracy grows with the number of directions
    /// measured.
    public var hardIron: Vector3
    /// Root mean square of the residuals of the best mounting, microtesla.
    public var residual: Scalar
    /// The residual of the second best mounting, microtesla.
    public var residualOfSecond: Scalar
    /// The ratio of the second smallest residual to the smallest. It is 1 if two mountings explain
    /// the measurements equally well, for example after turns about a single axis.
    public var margin: Scalar
    /// The number of pairs of field measurements that were compared.
    public var turns: Int
    /// True if the margin is large enough to accept the mounting.
    public var isClear: Bool
  }

  public let params: Params
  private var rate: (value: Vector3, time: Timestamp)?
  /// The rotation from the current device axes to the device axes at the time of the reference
  /// measurement.
  private var turned = Quaternion.identity
  private var reference: (field: Vector3, time: Timestamp)?
  public private(set) var turns = 0
  // Sums over the pairs of field measurements. A = Q - 1 and, for each mounting, d = Q R m2 - R m1.
  private var aa = Matrix3.zero
  private var ad = InlineArray<24, Vector3>(repeating: .zero)
  private var dd = InlineArray<24, Scalar>(repeating: 0)

  public init(_ params: Params = Params()) { self.params = params }

  /// Adds a rotation rate, rad/s, without its bias, in the axes of the gyroscope or the device.
  public mutating func add(rotationRate value: Vector3, at time: Timestamp) {
    guard value.isFinite else { return }
    defer { rate = (value, time) }
    guard let rate else { return }
    let interval = (time - rate.time).seconds
    guard interval > 0 else { return }
    guard interval <= params.gap else {
      reference = nil
      return
    }
    turned =
      (turned * Quaternion(rotationVector: (rate.value + value) * (interval / 2))).normalized
  }

  /// Adds a field measurement, microtesla in the magnetometer's axes, that was taken shortly before
  /// or after the latest rotation rate.
  public mutating func add(magneticField field: Vector3, at time: Timestamp) {
    guard field.isFinite, let rate else { return }
    let ahead = (time - rate.time).seconds
    guard fabs(ahead) <= params.gap else { return }
    let turn = turned * Quaternion(rotationVector: rate.value * ahead)
    let angle = 2 * atan2(Vector3(turn.x, turn.y, turn.z).norm, fabs(turn.w))
    if let reference, angle < params.turn,
      (time - reference.time).seconds <= params.longest
    {
      return
    }
    if let reference, angle >= params.turn { compare(reference.field, field, turn) }
    reference = (field, time)
    // The rotation between this field measurement and the latest rotation rate.
    turned = Quaternion(rotationVector: rate.value * -ahead)
  }

  private mutating func compare(_ first: Vector3, _ second: Vector3, _ turn: Quaternion) {
    turns += 1
    var a = turn.rotationMatrix
    let q = a
    a.m11 -= 1
    a.m22 -= 1
    a.m33 -= 1
    let transposed = a.transposed
    aa = aa + transposed * a
    for index in 0..<SquareMounting.count {
      let mounting = SquareMounting.matrix(index)
      let d = q * (mounting * second) - mounting * first
      ad[index] += transposed * d
      dd[index] += d.dot(d)
    }
  }

  /// The best mounting; `nil` until enough pairs of field measurements were compared.
  public var fit: Fit? {
    guard turns >= params.leastTurns else { return nil }
    var regular = aa
    // A weak prior for the hard iron in directions that no turn determines: 1 microtesla of noise
    // against 100 microtesla of hard iron.
    regular.m11 += 1e-4
    regular.m22 += 1e-4
    regular.m33 += 1e-4
    guard let inverse = regular.inverse else { return nil }
    var best = (index: 0, square: Scalar.infinity)
    var second = Scalar.infinity
    for index in 0..<SquareMounting.count {
      let square = max(dd[index] - ad[index].dot(inverse * ad[index]), 0)
      if square < best.square {
        second = best.square
        best = (index, square)
      } else if square < second {
        second = square
      }
    }
    let matrix = SquareMounting.matrix(best.index)
    let residual = sqrt(best.square / Scalar(turns))
    let other = sqrt(second / Scalar(turns))
    // No sensor measures better than a hundredth of a microtesla.
    let margin = max(other, 0.01) / max(residual, 0.01)
    return Fit(
      matrix: matrix, hardIron: matrix.transposed * (inverse * ad[best.index]),
      residual: residual, residualOfSecond: other, margin: margin, turns: turns,
      isClear: margin >= params.leastMargin)
  }
}
