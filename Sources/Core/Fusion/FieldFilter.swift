// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// A Kalman filter of the field of the place `h`, in a frame whose Z axis is up, and of the hard
/// iron `b`, in device axes, from fields measured at known attitudes: `R m = h + R b`.
///
/// The equation is linear, so no linearisation point or initial guess is needed; directions not
/// covered by the movement stay as uncertain as before.
struct FieldFilter: Equatable, Sendable {
  /// The estimated field of the place, microtesla, reference frame.
  private(set) var field = Vector3.zero
  /// The estimated hard iron, microtesla, device axes.
  private(set) var hardIron: Vector3
  /// Covariance of `hardIron`, microtesla^2.
  private(set) var covariance: Covariance
  /// Mean square, per axis, of the residuals of a good fit, microtesla^2: the sensor's noise and,
  /// many times larger indoors, the variation of the field from place to place.
  private(set) var level: Scalar
  /// The number of fields that the filter has learned from.
  private(set) var taken = 0.0
  /// The mean rotation matrix of the attitudes that the filter has learned from: its columns are
  /// shorter the more the device has turned.
  private var meanRotation = Matrix3(rows: .zero, .zero, .zero)
  private var fieldCovariance: Covariance
  /// Covariance of `field` (rows) with `hardIron` (columns), microtesla^2.
  private var cross = Matrix3(rows: .zero, .zero, .zero)
  /// Variance of an unknown field, microtesla^2: far more than that of an unknown hard iron, so
  /// that an ambiguous difference changes the field, not the hard iron.
  private let unknownField: Scalar

  init(hardIron: Vector3, sigma: Scalar, level: Scalar, params: MagneticCalibrator.Params) {
    self.hardIron = hardIron
    covariance = Covariance(variance: sigma * sigma)
    self.level = level
    unknownField = 100 * params.hardIronSigma * params.hardIronSigma
    fieldCovariance = Covariance(variance: unknownField)
  }

  /// The difference of one field from the expected one.
  struct Innovation {
    /// The squared length of the residual, microtesla^2.
    var square: Scalar
    /// The contribution of the uncertainty of `field` and `hardIron` to the mean of `square`,
    /// microtesla^2.
    var doubt: Scalar
  }

  /// Returns the residual of `seen`, a field in the reference frame; the filter does not learn from
  /// that field.
  @inline(__always)
  func innovation(of seen: Vector3, at rotation: Matrix3) -> Innovation {
    let difference = seen - field - rotation * hardIron
    func doubt(_ own: Scalar, _ row: Vector3, _ cross: Vector3) -> Scalar {
      own + 2 * cross.dot(row) + row.dot(covariance * row)
    }
    return Innovation(
      square: difference.dot(difference),
      doubt: doubt(fieldCovariance.xx, rotation.row1, cross.row1)
        + doubt(fieldCovariance.yy, rotation.row2, cross.row2)
        + doubt(fieldCovariance.zz, rotation.row3, cross.row3))
  }

  /// Returns the covariance of `hardIron` including errors that do not average out, microtesla^2: a
  /// field that varies from place to place also varies with the attitude when a hand turns the
  /// device, by `params.systematic` times the level. A constant field and hard iron are
  /// distinguished only by the spread of the attitudes, so this is large for a device that has
  /// turned little.
  func honestCovariance(_ params: MagneticCalibrator.Params) -> Covariance {
    var spread = Matrix3.identity
    spread.subtract(meanRotation.row1, meanRotation.row1)
    spread.subtract(meanRotation.row2, meanRotation.row2)
    spread.subtract(meanRotation.row3, meanRotation.row3)
    // Without any turn the spread is zero in all directions, and its inverse still finite.
    spread.add(.identity, times: 1e-3)
    var sum = Covariance(spread.positiveInverse ?? .identity)
    sum.scale(by: params.systematic * params.systematic * level)
    sum.add(covariance)
    return sum
  }

  /// Predicts the covariance over `interval` seconds, in which the place may change, the heading
  /// drift and the device age. `headingDrift` is the standard deviation of the heading's rate,
  /// rad/s.
  @inline(__always)
  mutating func predict(
    _ interval: Scalar, headingDrift: Scalar, params: MagneticCalibrator.Params
  ) {
    let square = field.x * field.x + field.y * field.y
    let turned = square * headingDrift * headingDrift * params.headingDriftTime
    fieldCovariance.grow(
      by: (params.fieldWalk * params.fieldWalk + turned) * interval, to: unknownField)
    covariance.grow(
      by: params.hardIronWalk * params.hardIronWalk * interval,
      to: params.hardIronSigma * params.hardIronSigma)
  }

  /// Makes the field of the place unknown; the hard iron stays.
  mutating func forgetField() {
    fieldCovariance = Covariance(variance: unknownField)
    cross = Matrix3(rows: .zero, .zero, .zero)
  }

  /// Copies the field of `other` with its uncertainty and unevenness.
  mutating func takeField(from other: FieldFilter) {
    level = other.level
    field = other.field
    fieldCovariance = other.fieldCovariance
    cross = Matrix3(rows: .zero, .zero, .zero)
  }

  /// Transforms the estimates to a changed correction of the fields: `matrix` times the previous
  /// ones. `doubt` in microtesla is the uncertainty that remains.
  mutating func transform(_ matrix: Matrix3, doubt: Scalar) {
    hardIron = matrix * hardIron
    covariance.grow(by: doubt * doubt, to: .infinity)
    fieldCovariance.grow(by: doubt * doubt, to: unknownField)
  }

  /// Corrects the estimates by `seen`, a field in the reference frame.
  @inline(__always)
  mutating func learn(
    _ seen: Vector3, at rotation: Matrix3, innovation: Innovation,
    params: MagneticCalibrator.Params
  ) {
    let expected = innovation.doubt + 3 * level
    let ratio = innovation.square / expected
    taken += 1
    let follow = taken < params.memory ? 1 / taken : 1 / params.memory
    // Residuals explained by the filter's own covariance, or by a magnet, say nothing about the
    // unevenness of the field.
    let told = follow * 3 * level / expected
    level *= 1 + told * ((ratio < params.innovationLimit ? ratio : params.innovationLimit) - 1)
    let floor = params.fieldNoise * params.fieldNoise
    if level < floor { level = floor }
    // Larger residuals are caused by a magnet or a changed device, not by noise.
    let ceiling = params.strongestNoise * params.strongestNoise
    if level > ceiling { level = ceiling }
    meanRotation = Matrix3(
      rows: meanRotation.row1 + (rotation.row1 - meanRotation.row1) * follow,
      meanRotation.row2 + (rotation.row2 - meanRotation.row2) * follow,
      meanRotation.row3 + (rotation.row3 - meanRotation.row3) * follow)
    let noise = params.correlation * level
    // Correct by the three components one after another: isotropic noise needs no matrix inverse.
    let x = fieldCovariance * Vector3(1, 0, 0) + cross * rotation.row1
    let ironX = cross.row1 + covariance * rotation.row1
    correct(
      seen.x - field.x - rotation.row1.dot(hardIron), x, ironX,
      over: x.x + rotation.row1.dot(ironX) + noise)
    let y = fieldCovariance * Vector3(0, 1, 0) + cross * rotation.row2
    let ironY = cross.row2 + covariance * rotation.row2
    correct(
      seen.y - field.y - rotation.row2.dot(hardIron), y, ironY,
      over: y.y + rotation.row2.dot(ironY) + noise)
    let z = fieldCovariance * Vector3(0, 0, 1) + cross * rotation.row3
    let ironZ = cross.row3 + covariance * rotation.row3
    correct(
      seen.z - field.z - rotation.row3.dot(hardIron), z, ironZ,
      over: z.z + rotation.row3.dot(ironZ) + noise)
  }

  /// Corrects the estimates by one scalar observation: `fieldGain` and `ironGain` are the
  /// covariances of field and hard iron with the observation, `total` is the innovation's variance.
  private mutating func correct(
    _ difference: Scalar, _ fieldGain: Vector3, _ ironGain: Vector3, over total: Scalar
  ) {
    guard total > 0, total.isFinite, difference.isFinite else { return }
    let step = difference / total
    field += fieldGain * step
    hardIron += ironGain * step
    fieldCovariance.subtract(square: fieldGain, over: total)
    covariance.subtract(square: ironGain, over: total)
    let scaled = ironGain / total
    cross = Matrix3(
      rows: cross.row1 - fieldGain.x * scaled, cross.row2 - fieldGain.y * scaled,
      cross.row3 - fieldGain.z * scaled)
    fieldCovariance.hold(above: 1e-6)
    covariance.hold(above: 1e-6)
  }
}

extension Covariance {
  /// Adds `variance` to the variance of each axis, up to `ceiling`.
  fileprivate mutating func grow(by variance: Scalar, to ceiling: Scalar) {
    if xx < ceiling { xx += variance }
    if yy < ceiling { yy += variance }
    if zz < ceiling { zz += variance }
  }

  /// Keeps the variances above `floor`: rounding must not make one negative.
  fileprivate mutating func hold(above floor: Scalar) {
    if xx < floor { xx = floor }
    if yy < floor { yy = floor }
    if zz < floor { zz = floor }
  }
}
