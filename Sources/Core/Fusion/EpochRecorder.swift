// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// A recorder of the filter's operations in each epoch, in order, for smoothing. The engine's
/// methods are generic over this protocol, so that code without a recorder contains no recording.
protocol EpochRecorder {
  mutating func predict(_ step: ErrorFilter.Step)
  /// Records an observation of three errors, with its `innovation`.
  mutating func observe(
    _ errors: Errors, _ gain: ErrorFilter.VectorGain, innovation: Vector3)
  /// Records an observation of the heading, with its `innovation`.
  mutating func observeHeading(_ gain: ErrorFilter.ScalarGain, innovation: Scalar)
  /// Records a changed prior of an element of the gyroscope's matrix (index row by row), or of the
  /// sum of an element and the opposite element.
  mutating func learnPrior(_ term: Int, _ gain: ErrorFilter.ScalarGain, innovation: Scalar)
  /// Records that these errors became unknown, so that later samples do not correct the estimates
  /// before this point.
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
  // This field keeps the type from being empty. Thread Sanitizer marks accesses to an empty value
  // at an unwritable address, which would end the program.
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
