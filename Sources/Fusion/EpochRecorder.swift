// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Hears what the filter does in every epoch, in its order: what smoothing goes back over. The engine's
/// methods are generic over it, so that without a recorder nothing of it is compiled.
protocol EpochRecorder {
  mutating func predict(_ step: ErrorFilter.Step)
  /// Three errors were seen to be off by `innovation`.
  mutating func observe(
    _ errors: Errors, _ gain: ErrorFilter.VectorGain, innovation: Vector3)
  /// The heading was seen to be off by `innovation`.
  mutating func observeHeading(_ gain: ErrorFilter.ScalarGain, innovation: Scalar)
  /// A term of the gyroscope's matrix, row by row, was given another prior.
  mutating func learnPrior(_ term: Int, _ gain: ErrorFilter.ScalarGain, innovation: Scalar)
  /// What was known until now says nothing of what comes.
  mutating func forget(_ forgotten: ForgottenErrors)
  /// An epoch is over.
  mutating func finish(_ state: borrowing FusionEngine.State, at time: Timestamp)
}

/// Errors that have become unknown.
struct ForgottenErrors: OptionSet, Sendable {
  let rawValue: UInt8
  static var tilt: ForgottenErrors { ForgottenErrors(rawValue: 1) }
  static var heading: ForgottenErrors { ForgottenErrors(rawValue: 2) }
  static var velocity: ForgottenErrors { ForgottenErrors(rawValue: 4) }
  static var bias: ForgottenErrors { ForgottenErrors(rawValue: 8) }
  static var place: ForgottenErrors { ForgottenErrors(rawValue: 16) }
  static var everything: ForgottenErrors { ForgottenErrors(rawValue: 255) }
}

/// Nobody listens.
struct NoRecorder: EpochRecorder {
  @inline(__always)
  func predict(_ step: ErrorFilter.Step) {}
  @inline(__always)
  func observe(
    _ errors: Errors, _ gain: ErrorFilter.VectorGain, innovation: Vector3
  ) {}
  @inline(__always)
  func observeHeading(_ gain: ErrorFilter.ScalarGain, innovation: Scalar) {}
  @inline(__always)
  func learnPrior(_ term: Int, _ gain: ErrorFilter.ScalarGain, innovation: Scalar) {}
  @inline(__always)
  func forget(_ forgotten: ForgottenErrors) {}
  @inline(__always)
  func finish(_ state: borrowing FusionEngine.State, at time: Timestamp) {}
}
