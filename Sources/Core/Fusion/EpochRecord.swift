// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// The filter operations of one epoch that smoothing needs, about five kilobytes.
package struct EpochRecord: Sendable {
  /// An observation of three errors, with its innovation.
  struct Seen: Sendable {
    var gain: ErrorFilter.VectorGain
    var innovation: Vector3
  }

  /// A change to the prior of one element of the gyroscope's matrix, or of the sum of two opposite
  /// elements.
  struct Prior: Sendable {
    var gain: ErrorFilter.ScalarGain
    var innovation: Scalar
  }

  /// The time at which the corrections of the epoch were applied.
  package internal(set) var time = Timestamp(nanoseconds: 0)
  var step: ErrorFilter.Step?
  var velocity: Seen?
  var bias: Seen?
  var heading: ErrorFilter.ScalarGain?
  var headingInnovation = 0.0
  /// Changed priors, one for each scale factor and one for each sum of two opposite elements. Their
  /// order is that in which the filter applied them, by the index of the first element. Usually
  /// there are none.
  var priors = InlineArray<9, Prior?>(repeating: nil)
  var forgotten: ForgottenErrors = []
  /// The corrections of the attitude (reference frame) and of the bias (device axes).
  var turned = Vector3.zero
  var shifted = Vector3.zero
  /// Rows of the covariance after the corrections, for the attitude and for the bias.
  var attitude: ErrorRows
  var biases: ErrorRows

  /// Three rows of the covariance.
  struct ErrorRows: Sendable {
    var x = ErrorRow()
    var y = ErrorRow()
    var z = ErrorRow()

    /// Returns the dot products of the three rows with a vector of 24 numbers.
    func times(_ v: ErrorRow) -> Vector3 { Vector3(x.dot(v), y.dot(v), z.dot(v)) }
  }

  init() {
    attitude = ErrorRows()
    biases = ErrorRows()
  }
}

/// A recorder that makes one record per epoch.
package struct EpochRecording: EpochRecorder, Sendable {
  private var current = EpochRecord()
  private var finished: EpochRecord?

  package init() {}

  /// Returns the record of the epoch that has ended since the last call; `nil` if no epoch has
  /// ended.
  package mutating func take() -> EpochRecord? { finished.take() }

  mutating func predict(_ step: ErrorFilter.Step) { current.step = step }

  mutating func observe(_ errors: Errors, _ gain: ErrorFilter.VectorGain, innovation: Vector3) {
    let seen = EpochRecord.Seen(gain: gain, innovation: innovation)
    switch errors {
    case .velocity: current.velocity = seen
    case .bias: current.bias = seen
    // The attitude was observed directly, so the estimates before were wrong, and smoothing must
    // not cross this epoch.
    case .attitude: current.forgotten.formUnion([.tilt, .velocity, .bias])
    }
  }

  mutating func observeHeading(_ gain: ErrorFilter.ScalarGain, innovation: Scalar) {
    current.heading = gain
    current.headingInnovation = innovation
  }

  mutating func learnPrior(_ term: Int, _ gain: ErrorFilter.ScalarGain, innovation: Scalar) {
    current.priors[term] = EpochRecord.Prior(gain: gain, innovation: innovation)
  }

  mutating func forget(_ forgotten: ForgottenErrors) { current.forgotten.formUnion(forgotten) }

  mutating func finish(_ state: borrowing FusionEngine.State, at time: Timestamp) {
    current.time = time
    current.turned = state.correctedInEpoch
    current.shifted = state.shiftedInEpoch
    current.attitude = state.errors.rows(.attitude)
    current.biases = state.errors.rows(.bias)
    finished = current
    current = EpochRecord()
  }
}
