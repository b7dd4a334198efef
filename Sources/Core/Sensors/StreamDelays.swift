// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The delay in seconds from a motion to the samples that show it, for each sensor of a chip: the
/// group delay of the sensor's low-pass filters, or half of its averaging time. Timestamps are not
/// corrected for the delay.
public struct StreamDelays: Equatable, Sendable, BitwiseCopyable {
  public var rotationRate: Scalar
  public var acceleration: Scalar
  public var magneticField: Scalar

  public init(rotationRate: Scalar = 0, acceleration: Scalar = 0, magneticField: Scalar = 0) {
    self.rotationRate = rotationRate
    self.acceleration = acceleration
    self.magneticField = magneticField
  }

  /// Returns the delay in seconds of a low-pass filter with a 3 dB `bandwidth` in Hz, for slow
  /// motion. This estimate is for filters whose delay the manufacturer does not give. The formula
  /// `sqrt(2) / (2 pi bandwidth)` applies to a second-order Butterworth filter. A first-order
  /// filter has 0.71 times this delay, a third-order filter 1.41 times.
  public static func lowPass(bandwidth: Scalar) -> Scalar {
    bandwidth > 0 ? 0.22507907903927652 / bandwidth : 0
  }
}
