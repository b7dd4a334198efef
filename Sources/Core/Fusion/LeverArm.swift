// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The lever arm of a device that turns about a point outside it, such as the elbow or shoulder of
/// a swinging arm, or the centre of a rotating board. Most of the velocity of a swinging device
/// follows from the lever arm: `velocity = rate x arm`.
struct LeverArm: Equatable, Sendable {
  /// The vector from the centre of rotation to the device, device axes, m.
  private(set) var arm = Vector3.zero
  /// The normal equations for recent velocities.
  private var information = Matrix3.zero
  private var sum = Vector3.zero

  /// Updates the lever arm from a velocity in m/s and the rotation rate in rad/s at the same time,
  /// both in device axes.
  mutating func add(
    _ velocity: Vector3, rate: Vector3, over interval: Scalar, _ params: FusionEngine.Params
  ) {
    let kept = 1 - gain(interval, tau: params.velocityTau)
    let square = rate.dot(rate)
    var all = Matrix3(diagonal: square * interval)
    all.subtract(rate * interval, rate)
    all.add(information, times: kept)
    information = all
    sum = sum * kept + velocity.cross(rate) * interval
    all.add(Matrix3(diagonal: params.leverTurning))
    if let inverse = all.positiveInverse { arm = inverse * sum }
  }
}
