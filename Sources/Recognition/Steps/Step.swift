// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A step: one foot was set down.
public struct Step: Equatable, Sendable, BitwiseCopyable {
  /// The time when the step was at its strongest, on the samples' clock. It is reported later, once
  /// it is known to be one.
  public var timestamp: Timestamp
  /// The probability that this was a step, from 0 to 1.
  public var confidence: Scalar
  /// From the lowest to the highest acceleration of the step, g, as it was carried: what its length
  /// is estimated from. 0 where it is not known, as of a chip that counts by itself.
  public var swing: Scalar

  public init(timestamp: Timestamp, confidence: Scalar, swing: Scalar) {
    self.timestamp = timestamp
    self.confidence = confidence
    self.swing = swing
  }

  /// Stands where there is none.
  static var none: Step { Step(timestamp: .zero, confidence: 0, swing: 0) }
}
