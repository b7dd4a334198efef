// SPDX-License-Identifier: Apache-2.0
internal import Quantities

// The errors of a gyroscope are not known before it has turned: in a calibrated part all three
// scales and the three sums of opposite terms (cross-axis sensitivity) are small, in an
// uncalibrated part all are large. So the initial variance of these six errors, relative to the
// data sheet's, is itself estimated from the errors learned so far: a step of expectation
// maximisation with a scaled inverse chi-squared prior (Gelman et al., Bayesian Data Analysis,
// section 5.4). The differences of opposite terms, a rotation of the whole gyroscope relative to
// the accelerometer, have other causes, and are too weakly observable to contribute.
extension FusionEngine {
  /// Estimates the variance of these six errors relative to the data sheet's, and applies the prior
  /// that follows from it.
  mutating func adaptGyroPrior(_ recorder: inout some EpochRecorder) {
    guard let gyroErrorRatio = likelyGyroErrorRatio() else { return }
    // A small change of the prior is not worth its computation.
    guard
      gyroErrorRatio < 0.9 * state.gyroscope.errorRatio
        || gyroErrorRatio > 1.1 * state.gyroscope.errorRatio
    else { return }
    let (scale, shear) = startVariances
    let change = 1 / gyroErrorRatio - 1 / state.gyroscope.errorRatio
    state.gyroscope.errorRatio = gyroErrorRatio
    // Apply all six priors at once: the result must not depend on the chip's orientation in the
    // device.
    var correction = ErrorRow()
    for term in 0..<9 where Self.opposite(term) >= term {
      let opposite = Self.opposite(term)
      let other = opposite == term ? nil : 15 + opposite
      let applied = correction[15 + term] + (other.map { correction[$0] } ?? 0)
      let gain = state.errors.learnPrior(
        15 + term, and: other, information: change / (other == nil ? scale : shear))
      let off = -strain(term) - applied
      recorder.learnPrior(term, gain, innovation: off)
      correction = correction + gain.correction(off)
    }
    apply(correction, toBias: params.learnsBiasInMotion, &recorder)
  }

  /// Adopts the prior of a matrix from an earlier engine: its variances contain that prior already.
  mutating func restoreGyroPrior() {
    state.gyroscope.errorRatio = likelyGyroErrorRatio() ?? 1
  }

  /// Returns the likeliest variance of the six errors relative to the data sheet's; `nil` where
  /// `params` has no uncertainty of them. Mutating, because a nonmutating method would get a copy.
  @inline(__always)
  private mutating func likelyGyroErrorRatio() -> Scalar? {
    let (scale, shear) = startVariances
    guard scale > 0, shear > 0 else { return nil }
    let variances = state.errors.gyroStrainVariances()
    var sum = 0.0
    for term in 0..<9 where Self.opposite(term) >= term {
      let prior = Self.opposite(term) == term ? scale : shear
      let (off, variance, most) = (
        strain(term), variances[term], prior * state.gyroscope.errorRatio
      )
      // The variance above the prior is random walk since the start, not initial error.
      sum += (off * off + (variance < most ? variance : most)) / prior
    }
    // The data sheet has the weight of one of the six errors: a prior of unit information.
    let estimate = (1 + sum) / (1 + 6)
    let most = params.gyroErrorLimit * params.gyroErrorLimit
    return estimate < most ? estimate : most
  }

  /// Variances at the start: of a scale, and of the sum of two opposite terms.
  private var startVariances: (scale: Scalar, shear: Scalar) {
    (coefficients.start.gyroScale, 2 * coefficients.start.gyroMisalignment)
  }

  /// Returns the error of a scale, or the sum of those of two opposite terms of the matrix.
  @inline(__always)
  private func strain(_ term: Int) -> Scalar {
    let opposite = Self.opposite(term)
    let sum = state.gyroscope.matrix[term] + state.gyroscope.matrix[opposite]
    return opposite == term ? sum / 2 - 1 : sum
  }

  /// Returns the index of the opposite term: the same place in the transposed matrix.
  private static func opposite(_ term: Int) -> Int { term % 3 * 3 + term / 3 }
}
