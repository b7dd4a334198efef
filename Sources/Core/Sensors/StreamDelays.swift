// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The delay from a motion to the samples that show it, in seconds, for each sensor of a chip: the
/// group delay of its low-pass filters, or half of its averaging time. Timestamps are not corrected
/// for it.
public struct StreamDelays: Equatable, Sendable, BitwiseCopyable {
  public var rotationRate: Scalar
  public var acceleration: Scalar
  public var magneticField: Scalar

  public init(rotationRate: Scalar = 0, acceleration: Scalar = 0, magneticField: Scalar = 0) {
    self.rotationRate = rotationRate
    self.acceleration = acceleration
    self.magneticField = magneticField
  }

  /// Returns the delay of a low-pass with a 3 dB `bandwidth` in Hz for slow motion, where the
  /// manufacturer does not specify it: `sqrt(2) / (2 pi bandwidth)`, a second-order Butterworth
  /// filter. A first-order filter delays 0.71 times as long, a third-order one 1.41 times.
  public static func lowPass(bandwidth: Scalar) -> Scalar {
    bandwidth > 0 ? 0.22507907903927652 / bandwidth : 0
  }
}
