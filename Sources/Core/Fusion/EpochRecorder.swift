// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// A recorder of the filter's work in every epoch, in its order, for smoothing to go back over. The
/// engine's methods are generic over it, so that without a recorder nothing of it is compiled.
protocol EpochRecorder {
  mutating func predict(_ step: ErrorFilter.Step)
  /// Records that three errors were seen to be off by `innovation`.
  mutating func observe(
    _ errors: Errors, _ gain: ErrorFilter.VectorGain, innovation: Vector3)
  /// Records that the heading was seen to be off by `innovation`.
  mutating func observeHeading(_ gain: ErrorFilter.ScalarGain, innovation: Scalar)
  /// Records that a term of the gyroscope's matrix, row by row, or the sum of it and the opposite
  /// one, was given another prior.
  mutating func learnPrior(_ term: Int, _ gain: ErrorFilter.ScalarGain, innovation: Scalar)
  /// Records that these errors, as known until now, say nothing of later ones.
  mutating func forget(_ forgotten: ForgottenErrors)
  /// Records the end of an epoch.
  mutating func finish(_ state: borrowing FusionEngine.State, at time: Timestamp)
}

/// Errors that have become unknown.
struct ForgottenErrors: OptionSet, Sendable {
  let rawValue: UInt8
  static var tilt: ForgottenErrors { ForgottenErrors(rawValue: 1) }
  static var heading: ForgottenErrors { ForgottenErrors(rawValue: 2) }
  static var velocity: ForgottenErrors { ForgottenErrors(rawValue: 4) }
  static var bias: ForgottenErrors { ForgottenErrors(rawValue: 8) }
  static var everything: ForgottenErrors { ForgottenErrors(rawValue: 255) }
}

/// A recorder that records nothing.
struct NoRecorder: EpochRecorder {
  // An access to an empty value is marked, for the Thread Sanitizer, at an address that cannot be
  // written, and a program built with it would end there.
  private var unused: UInt8 = 0

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
