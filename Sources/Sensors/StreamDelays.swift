// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The delays from a motion to the samples that show it, in seconds, of each sensor of a chip: the
/// group delay of its low-pass filters, or half of the time over which it averages. Timestamps are
/// not shifted by it.
public struct StreamDelays: Equatable, Sendable, BitwiseCopyable {
  public var rotationRate: Scalar
  public var acceleration: Scalar
  public var magneticField: Scalar

  public init(rotationRate: Scalar = 0, acceleration: Scalar = 0, magneticField: Scalar = 0) {
    self.rotationRate = rotationRate
    self.acceleration = acceleration
    self.magneticField = magneticField
  }

  /// Returns the delay of slow motion by a low-pass of `bandwidth` Hz (where it has lost 3 dB),
  /// where the maker says no more: a Butterworth filter of second order,
  /// `sqrt(2) / (2 pi bandwidth)`. One of first order delays 0.71 times as long, one of third 1.41
  /// times.
  public static func lowPass(bandwidth: Scalar) -> Scalar {
    bandwidth > 0 ? 0.22507907903927652 / bandwidth : 0
  }
}
