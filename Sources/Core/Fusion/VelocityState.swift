// SPDX-License-Identifier: Apache-2.0
internal import Quantities

extension FusionEngine {
  /// The velocity, and statistics of the motion of the device.
  struct VelocityState: Equatable, Sendable {
    /// The velocity in the reference frame (levelled by `inclination`), m/s.
    var value = Vector3.zero
    /// The device's own acceleration in the last epoch, reference frame, m/s^2.
    var acceleration = Vector3.zero
    var aid = Aid()
    var lever = LeverArm()
    /// Mean square of a component of the velocity, (m/s)^2.
    var speedSquare: Scalar
    /// Mean square of the device's own acceleration, g^2.
    private(set) var transientSquare = 0.0
    /// The larger of `transientSquare` and the mean square of the last epoch, g^2.
    private(set) var peakTransientSquare = 0.0
    /// Time since the last observation of the velocity, s.
    var unobserved = 0.0

    init(speedSquare: Scalar) { self.speedSquare = speedSquare }

    /// Mean square of a horizontal component of the velocity, (m/s)^2.
    var square: Scalar { (value.x * value.x + value.y * value.y) / 2 }

    /// Updates the recent speed and the mean square of the acceleration with an epoch. `share` is
    /// the weight of the epoch in the means.
    mutating func follow(
      _ epoch: borrowing Epoch, interval: Scalar, share: Scalar, _ params: Params
    ) {
      speedSquare += share * (square - speedSquare)
      // |f - z|^2, where z is the unit vector up.
      let newest = (epoch.square - 2 * epoch.impulse.z) / interval + 1
      // The mean square of the acceleration rises faster than it falls.
      let quick = newest > transientSquare ? gain(interval, tau: params.velocityTime) : share
      transientSquare += quick * (newest - transientSquare)
      peakTransientSquare = newest > transientSquare ? newest : transientSquare
    }
  }
}
