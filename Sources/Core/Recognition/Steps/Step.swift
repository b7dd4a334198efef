// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A step, that is, the moment at which a foot is set down.
public struct Step: Equatable, Sendable, BitwiseCopyable {
  /// The time of the peak acceleration of the step, on the clock of the samples. The step is
  /// reported later, once the walk is confirmed.
  public var timestamp: Timestamp
  /// The probability from 0 to 1 that this was a step.
  public var confidence: Scalar
  /// The difference in g between the highest and the lowest acceleration during the step, where the
  /// device is on the body. The length of the step is estimated from this difference. 0 if the
  /// difference is unknown, as for the step counter of a chip.
  public var swing: Scalar

  public init(timestamp: Timestamp, confidence: Scalar, swing: Scalar) {
    self.timestamp = timestamp
    self.confidence = confidence
    self.swing = swing
  }

  /// A step that serves as a placeholder in unused memory.
  static var none: Step { Step(timestamp: .zero, confidence: 0, swing: 0) }
}
