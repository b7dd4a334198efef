// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// A Kalman filter that estimates the local field `h`, in a frame whose Z axis is up, and the hard
/// iron `b`, in device axes. Its inputs are field measurements at known attitudes: `R m = h + R b`.
///
/// The equation is linear, so the filter needs no linearisation point and no initial guess. In
/// directions that the movement has not covered, the estimates stay as uncertain as before.
struct FieldFilter: Equatable, Sendable {
  /// The estimated local field, microtesla, reference frame.
  private(set) var field = Vector3.zero
  /// The estimated hard iron, microtesla, device axes.
  private(set) var hardIron: Vector3
  /// Covariance of `hardIron`, microtesla^2.
  private(set) var covariance: Covariance
  /// Mean square, per axis, of the residuals of a good fit, microtesla^2. The residuals contain the
  /// sensor's noise and the variation of the field from place to place, which is many times larger
  /// indoors.
  private(set) var level: Scalar
  /// The number of field measurements from which the filter has learned.
  private(set) var taken = 0.0
  /// The mean rotation matrix of the attitudes from which the filter has learned. The more the
  /// device has turned, the shorter the columns are.
  private var meanRotation = Matrix3(rows: .zero, .zero, .zero)
  private var fieldCovariance: Covariance
  /// Covariance of `field` (rows) with `hardIron` (columns), microtesla^2.
  private var cross = Matrix3(rows: .zero, .zero, .zero)
  /// Variance of an unknown local field, microtesla^2. It is far larger than the variance of an
  /// unknown hard iron, so that an ambiguous difference changes the field and not the hard iron.
  private let unknownField: Scalar

  init(hardIron: Vector3, sigma: Scalar, level: Scalar, params: MagneticCalibrator.Params) {
    self.hardIron = hardIron
    covariance = Covariance(variance: sigma * sigma)
    self.level = level
    unknownField = 100 * params.hardIronSigma * params.hardIronSigma
    fieldCovariance = Covariance(variance: unknownField)
  }

  /// The difference between a measured field and the expected field.
  struct Innovation {
    /// The squared length of the residual, microtesla^2.
    var square: Scalar
    /// The contribution of the uncertainty of `field` and `hardIron` to the mean of `square`,
    /// microtesla^2.
    var variance: Scalar
  }

  /// Returns the residual of `seen`, a measured field in the reference frame, without learning from
  /// the measurement.
  @inline(__always)
  func innovation(of seen: Vector3, at rotation: Matrix3) -> Innovation {
    let difference = seen - field - rotation * hardIron
    func variance(_ own: Scalar, _ row: Vector3, _ cross: Vector3) -> Scalar {
      own + 2 * cross.dot(row) + row.dot(covariance * row)
    }
    return Innovation(
      square: difference.dot(difference),
      variance: variance(fieldCovariance.xx, rotation.row1, cross.row1)
        + variance(fieldCovariance.yy, rotation.row2, cross.row2)
        + variance(fieldCovariance.zz, rotation.row3, cross.row3))
  }

  /// Returns the covariance of `hardIron` in microtesla^2, including errors that do not average
  /// out. When a hand turns the device, it also moves the device, so a field that varies from place
  /// to place varies with the attitude; `params.systematic` times the level accounts for this. Only
  /// the spread of the attitudes separates a constant field from hard iron, so the covariance is
  /// large for a device that has turned little.
  func inflatedCovariance(_ params: MagneticCalibrator.Params) -> Covariance {
    var spread = Matrix3.identity
    spread.subtract(meanRotation.row1, meanRotation.row1)
    spread.subtract(meanRotation.row2, meanRotation.row2)
    spread.subtract(meanRotation.row3, meanRotation.row3)
    // Without any turn the spread is zero in all directions; this term keeps its inverse finite.
    spread.add(.identity, times: 1e-3)
    var sum = Covariance(spread.positiveInverse ?? .identity)
    sum.scale(by: params.systematic * params.systematic * level)
    sum.add(covariance)
    return sum
  }

  /// Predicts the covariance over `interval` seconds, in which the device may move to another place
  /// and age, and the heading may drift. `headingDrift` is the standard deviation of the rate of
  /// the heading, rad/s.
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

  /// Marks the local field as unknown, and keeps the hard iron.
  mutating func forgetField() {
    fieldCovariance = Covariance(variance: unknownField)
    cross = Matrix3(rows: .zero, .zero, .zero)
  }

  /// Copies the field of `other` with its uncertainty and its unevenness.
  mutating func takeField(from other: FieldFilter) {
    level = other.level
    field = other.field
    fieldCovariance = other.fieldCovariance
    cross = Matrix3(rows: .zero, .zero, .zero)
  }

  /// Adapts the estimates to a changed soft-iron correction: corrected field measurements are now
  /// `matrix` times the values before the change. `sigma` is the remaining uncertainty in
  /// microtesla.
  mutating func transform(_ matrix: Matrix3, sigma: Scalar) {
    hardIron = matrix * hardIron
    covariance.grow(by: sigma * sigma, to: .infinity)
    fieldCovariance.grow(by: sigma * sigma, to: unknownField)
  }

  /// Corrects the estimates by `seen`, a measured field in the reference frame.
  @inline(__always)
  mutating func learn(
    _ seen: Vector3, at rotation: Matrix3, innovation: Innovation,
    params: MagneticCalibrator.Params
  ) {
    let expected = innovation.variance + 3 * level
    let ratio = innovation.square / expected
    taken += 1
    let follow = taken < params.memory ? 1 / taken : 1 / params.memory
    // Residuals that the covariance of this filter or a magnet explains say nothing about the
    // unevenness of the field.
    let share = follow * 3 * level / expected
    level *= 1 + share * ((ratio < params.innovationLimit ? ratio : params.innovationLimit) - 1)
    let floor = params.fieldNoise * params.fieldNoise
    if level < floor { level = floor }
    // A magnet or a changed device causes larger residuals; noise does not.
    let ceiling = params.strongestNoise * params.strongestNoise
    if level > ceiling { level = ceiling }
    meanRotation = Matrix3(
      rows: meanRotation.row1 + (rotation.row1 - meanRotation.row1) * follow,
      meanRotation.row2 + (rotation.row2 - meanRotation.row2) * follow,
      meanRotation.row3 + (rotation.row3 - meanRotation.row3) * follow)
    let noise = params.correlation * level
    // Correct by one component after another: the noise is isotropic, so no matrix inverse is
    // needed.
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

  /// Corrects the estimates by one scalar observation. `fieldGain` and `ironGain` are the
  /// covariances of field and hard iron with the observation, and `total` is the variance of the
  /// innovation.
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

  /// Keeps the variances above `floor`, because rounding must not make a variance negative.
  fileprivate mutating func hold(above floor: Scalar) {
    if xx < floor { xx = floor }
    if yy < floor { yy = floor }
    if zz < floor { zz = floor }
  }
}
