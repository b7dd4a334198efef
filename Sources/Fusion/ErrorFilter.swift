// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A Kalman filter of eight errors, truth less estimate: attitude (rotation vector in the reference
/// frame, rad), bias of the gyroscope (device axes, rad/s) and horizontal velocity (m/s). The
/// estimates themselves live with the engine; here is only how uncertain they are, and what an
/// observation corrects.
///
/// Every observation is a scalar, so that nothing is inverted, and the covariance is kept in blocks,
/// so that nothing is indexed.
@usableFromInline struct ErrorFilter: Equatable, Sendable {
  @usableFromInline var attitude: Matrix3
  /// Of the attitude (rows) with the bias (columns).
  var attitudeBias = Matrix3.zero
  @usableFromInline var bias: Matrix3
  var velocityX: VelocityColumn
  var velocityY: VelocityColumn

  /// One component of the velocity: its covariances with everything.
  struct VelocityColumn: Equatable, Sendable {
    var attitude = Vector3.zero
    var bias = Vector3.zero
    var x = 0.0
    var y = 0.0

    mutating func scale(by factor: Scalar) {
      attitude = attitude * factor
      bias = bias * factor
      x *= factor * factor
      y *= factor * factor
    }
  }

  /// What one or more observations correct.
  struct Correction: Equatable, Sendable {
    var attitude = Vector3.zero
    var bias = Vector3.zero
    var velocityX = 0.0
    var velocityY = 0.0

    var isFinite: Bool {
      attitude.isFinite && bias.isFinite && velocityX.isFinite && velocityY.isFinite
    }
  }

  /// What one epoch does to the errors.
  struct Step: Sendable {
    /// The device-to-reference rotation integrated over the epoch, s: how a bias turns the attitude.
    var turned: Matrix3
    /// The vertical specific force integrated over the epoch, m/s: how a tilt becomes velocity.
    var lift: Scalar
    // Variances that the epoch adds, to each component.
    var tilt: Scalar
    var heading: Scalar
    var bias: Scalar
    var velocity: Scalar
  }

  /// Independent errors of these variances.
  init(tilt: Scalar, heading: Scalar, bias: Scalar, velocity: Scalar) {
    attitude = Matrix3(diagonal: Vector3(tilt, tilt, heading))
    self.bias = Matrix3(diagonal: Vector3(bias, bias, bias))
    velocityX = VelocityColumn(x: velocity)
    velocityY = VelocityColumn(y: velocity)
  }

  /// Of the tilt, mean of both directions, rad^2.
  @inlinable @inline(__always)
  var tiltVariance: Scalar { (attitude.m11 + attitude.m22) / 2 }

  /// Of the tilt in its worst direction, rad^2.
  @inlinable @inline(__always)
  var largestTiltVariance: Scalar {
    let half = (attitude.m11 - attitude.m22) / 2
    return tiltVariance + (half * half + attitude.m12 * attitude.m12).squareRoot()
  }

  /// Of the bias, mean of the axes, (rad/s)^2.
  var biasVariance: Scalar { (bias.m11 + bias.m22 + bias.m33) / 3 }

  /// rad^2.
  @inlinable @inline(__always)
  var headingVariance: Scalar { attitude.m33 }

  /// Of each axis, (rad/s)^2.
  @inlinable @inline(__always)
  var biasVariances: Vector3 { Vector3(bias.m11, bias.m22, bias.m33) }

  /// Of the velocity, mean of both components, (m/s)^2.
  var velocityVariance: Scalar { (velocityX.x + velocityY.y) / 2 }

  /// Whether every variance is a positive number.
  var isSound: Bool {
    // Not-a-number fails every comparison.
    func isSound(_ a: Scalar, _ b: Scalar, _ c: Scalar) -> Bool {
      a > 0 && b > 0 && c > 0 && a < 1e12 && b < 1e12 && c < 1e12
    }
    return isSound(attitude.m11, attitude.m22, attitude.m33)
      && isSound(bias.m11, bias.m22, bias.m33) && isSound(velocityX.x, velocityY.y, 1)
  }

  /// The velocity keeps only this share of itself: what was gained long ago is no tilt.
  mutating func leakVelocity(to share: Scalar) {
    velocityX.scale(by: share)
    velocityY.scale(by: share)
  }

  /// Of an observation made since `before`, only this share of the bias's correction is applied:
  /// with `g` times the best gain, `2g - g^2` of the best reduction is left.
  mutating func applyToBias(share g: Scalar, of before: ErrorFilter) {
    var difference = before.bias
    difference.add(bias, times: -1)
    bias.add(difference, times: (1 - g) * (1 - g))
  }

  /// Carries the covariance over one epoch, in which `attitude -= turned * bias`, and then
  /// `velocity += lift * (attitude.y, -attitude.x)`.
  mutating func predict(_ step: Step) {
    let crossed = step.turned * attitudeBias.transposed
    let turnedBias = step.turned * bias
    attitude.add(crossed, times: -1)
    attitude.add(crossed.transposed, times: -1)
    attitude.add(turnedBias * step.turned.transposed, times: 1)
    attitudeBias.add(turnedBias, times: -1)
    velocityX.attitude -= step.turned * velocityX.bias
    velocityY.attitude -= step.turned * velocityY.bias

    let lift = step.lift
    let attitudeX = velocityX.attitude
    let attitudeY = velocityY.attitude
    velocityX.attitude += lift * Vector3(attitude.m12, attitude.m22, attitude.m32)
    velocityY.attitude -= lift * Vector3(attitude.m11, attitude.m21, attitude.m31)
    velocityX.bias += lift * Vector3(attitudeBias.m21, attitudeBias.m22, attitudeBias.m23)
    velocityY.bias -= lift * Vector3(attitudeBias.m11, attitudeBias.m12, attitudeBias.m13)
    velocityX.x += lift * (2 * attitudeX.y + lift * attitude.m22) + step.velocity
    velocityY.y += lift * (lift * attitude.m11 - 2 * attitudeY.x) + step.velocity
    velocityX.y += lift * (attitudeY.y - attitudeX.x - lift * attitude.m12)
    velocityY.x = velocityX.y

    attitude.m11 += step.tilt
    attitude.m22 += step.tilt
    attitude.m33 += step.heading
    bias.m11 += step.bias
    bias.m22 += step.bias
    bias.m33 += step.bias
  }
}
