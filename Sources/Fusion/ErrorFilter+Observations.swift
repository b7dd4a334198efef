// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension ErrorFilter {
  /// The horizontal velocity is off by `x` and `y` (m/s), seen with `noise` variance each.
  mutating func observeVelocity(x: Scalar, y: Scalar, noise: Scalar) -> Correction {
    var correction = Correction()
    observe(x, velocityX, total: velocityX.x + noise, &correction)
    observe(y - correction.velocityY, velocityY, total: velocityY.y + noise, &correction)
    // Gravity says nothing of the heading; what there is of it is linearisation.
    correction.attitude.z = 0
    return correction
  }

  /// The bias is off by `error` (rad/s), seen with `noise` variance in each axis.
  mutating func observeBias(_ error: Vector3, noise: Scalar) -> Correction {
    var correction = Correction()
    observe(
      error.x,
      VelocityColumn(
        attitude: Vector3(attitudeBias.m11, attitudeBias.m21, attitudeBias.m31),
        bias: Vector3(bias.m11, bias.m12, bias.m13), x: velocityX.bias.x, y: velocityY.bias.x),
      total: bias.m11 + noise, &correction)
    observe(
      error.y - correction.bias.y,
      VelocityColumn(
        attitude: Vector3(attitudeBias.m12, attitudeBias.m22, attitudeBias.m32),
        bias: Vector3(bias.m12, bias.m22, bias.m23), x: velocityX.bias.y, y: velocityY.bias.y),
      total: bias.m22 + noise, &correction)
    observe(
      error.z - correction.bias.z,
      VelocityColumn(
        attitude: Vector3(attitudeBias.m13, attitudeBias.m23, attitudeBias.m33),
        bias: Vector3(bias.m13, bias.m23, bias.m33), x: velocityX.bias.z, y: velocityY.bias.z),
      total: bias.m33 + noise, &correction)
    return correction
  }

  /// The heading is off by `error` (rad), seen with `noise` variance. It corrects heading and bias;
  /// tilt and velocity are held, so that no magnet can tilt the horizon, and the covariance follows
  /// the gain that is used, not the best one.
  mutating func observeHeading(_ error: Scalar, noise: Scalar) -> Correction {
    let before = self
    var correction = Correction()
    observe(
      error,
      VelocityColumn(
        attitude: Vector3(attitude.m13, attitude.m23, attitude.m33),
        bias: Vector3(attitudeBias.m31, attitudeBias.m32, attitudeBias.m33),
        x: velocityX.attitude.z, y: velocityY.attitude.z),
      total: headingVariance + noise, &correction)
    attitude.m11 = before.attitude.m11
    attitude.m12 = before.attitude.m12
    attitude.m21 = before.attitude.m21
    attitude.m22 = before.attitude.m22
    func hold(_ column: inout VelocityColumn, _ before: VelocityColumn) {
      column.attitude.x = before.attitude.x
      column.attitude.y = before.attitude.y
      column.x = before.x
      column.y = before.y
    }
    hold(&velocityX, before.velocityX)
    hold(&velocityY, before.velocityY)
    correction.attitude.x = 0
    correction.attitude.y = 0
    correction.velocityX = 0
    correction.velocityY = 0
    return correction
  }

  /// One scalar observation: `column` holds its covariances with the errors, `total` is its
  /// variance, noise included.
  private mutating func observe(
    _ innovation: Scalar, _ column: VelocityColumn, total: Scalar, _ correction: inout Correction
  ) {
    // Numbers that no device produces may have left no variance to speak of.
    guard total > 0, total.isFinite else { return }
    let inverse = 1 / total
    let gain = innovation * inverse
    correction.attitude += column.attitude * gain
    correction.bias += column.bias * gain
    correction.velocityX += column.x * gain
    correction.velocityY += column.y * gain
    let scaledAttitude = column.attitude * inverse
    let scaledBias = column.bias * inverse
    attitude.subtract(column.attitude, scaledAttitude)
    attitudeBias.subtract(column.attitude, scaledBias)
    bias.subtract(column.bias, scaledBias)
    velocityX.attitude -= scaledAttitude * column.x
    velocityX.bias -= scaledBias * column.x
    velocityX.x -= column.x * column.x * inverse
    velocityX.y -= column.x * column.y * inverse
    velocityY.attitude -= scaledAttitude * column.y
    velocityY.bias -= scaledBias * column.y
    velocityY.x = velocityX.y
    velocityY.y -= column.y * column.y * inverse
  }
}

// What has become unknown.
extension ErrorFilter {
  mutating func forgetVelocity(variance: Scalar) {
    velocityX = VelocityColumn(x: variance)
    velocityY = VelocityColumn(y: variance)
  }

  mutating func forgetTilt(variance: Scalar) {
    attitude = Matrix3(diagonal: Vector3(variance, variance, attitude.m33))
    attitudeBias = Matrix3(
      rows: .zero, .zero, Vector3(attitudeBias.m31, attitudeBias.m32, attitudeBias.m33))
    velocityX.attitude = Vector3(0, 0, velocityX.attitude.z)
    velocityY.attitude = Vector3(0, 0, velocityY.attitude.z)
  }

  mutating func forgetHeading(variance: Scalar) {
    attitude = Matrix3(
      rows: Vector3(attitude.m11, attitude.m12, 0), Vector3(attitude.m21, attitude.m22, 0),
      Vector3(0, 0, variance))
    attitudeBias.m31 = 0
    attitudeBias.m32 = 0
    attitudeBias.m33 = 0
    velocityX.attitude.z = 0
    velocityY.attitude.z = 0
  }

  mutating func forgetBias(variance: Scalar) {
    bias = Matrix3(diagonal: Vector3(variance, variance, variance))
    attitudeBias = .zero
    velocityX.bias = .zero
    velocityY.bias = .zero
  }
}
