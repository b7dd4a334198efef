// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A step: one foot was set down.
public struct Step: Equatable, Sendable, BitwiseCopyable {
  /// The time of the step's peak, on the samples' clock. It is reported later, after confirmation.
  public var timestamp: Timestamp
  /// The probability that this was a step, from 0 to 1.
  public var confidence: Scalar
  /// The range from the lowest to the highest acceleration of the step, g, at the device's location
  /// on the body, for estimating the step's length. 0 if unknown, as for a chip's step counter.
  public var swing: Scalar

  public init(timestamp: Timestamp, confidence: Scalar, swing: Scalar) {
    self.timestamp = timestamp
    self.confidence = confidence
    self.swing = swing
  }

  /// A placeholder for unused memory.
  static var none: Step { Step(timestamp: .zero, confidence: 0, swing: 0) }
}
