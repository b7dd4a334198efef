// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A step: a foot was set down.
public struct Step: Equatable, Sendable, BitwiseCopyable {
  /// The time of the peak acceleration of the step, on the samples' clock. A step is reported
  /// later, once the walk is confirmed.
  public var timestamp: Timestamp
  /// The probability from 0 to 1 that this was a step.
  public var confidence: Scalar
  /// The difference in g between the highest and the lowest acceleration of the step, at the
  /// device's place on the body. The step's length is estimated from this difference. 0 if the
  /// difference is unknown, as for a chip's step counter.
  public var swing: Scalar

  public init(timestamp: Timestamp, confidence: Scalar, swing: Scalar) {
    self.timestamp = timestamp
    self.confidence = confidence
    self.swing = swing
  }

  /// A step that fills unused memory.
  static var none: Step { Step(timestamp: .zero, confidence: 0, swing: 0) }
}
