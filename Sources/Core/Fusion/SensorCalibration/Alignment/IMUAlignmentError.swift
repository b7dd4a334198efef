// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// The reason why the samples do not determine the alignment of two sensors on one body.
public enum IMUAlignmentError: Error, Equatable, Sendable {
  /// The two series overlap for too short a time, or have gaps.
  case tooShort
  /// The body was hardly turned; `rate` is the root mean square of the rotation rate, rad/s.
  case notMoved(rate: Scalar)
  /// The two sensors do not measure the same motion, because one is broken or not fixed to the
  /// body. `correlation` is the correlation of their rotation speeds; `nil` if the residuals are as
  /// large as the motion.
  case unrelated(correlation: Scalar?)
}
