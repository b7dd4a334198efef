// SPDX-License-Identifier: Apache-2.0
internal import Quantities

// The errors of a gyroscope are unknown until the device has turned. In a calibrated part, all
// three scale errors and the three sums of opposite elements (cross-axis sensitivity) are small; in
// an uncalibrated part all are large. The initial variance of these six errors, relative to the
// data sheet, is therefore estimated from the errors learned so far: a step of expectation
// maximisation with a scaled inverse chi-squared prior (Gelman et al., Bayesian Data Analysis,
// section 5.4). The differences of opposite elements describe a rotation of the whole gyroscope
// relative to the accelerometer. They have other causes, and are too weakly observable to
// contribute.
extension FusionEngine {
  /// Estimates the variance of these six errors relative to the data sheet, and applies the prior
  /// that follows from this variance.
  mutating func adaptGyroPrior(_ recorder: inout some EpochRecorder) {
    guard let gyroErrorRatio = likelyGyroErrorRatio() else { return }
    // Skip a small change of the prior, which is not worth the computation.
    guard
      gyroErrorRatio < 0.9 * state.gyroscope.errorRatio
        || gyroErrorRatio > 1.1 * state.gyroscope.errorRatio
    else { return }
    let (scale, shear) = startVariances
    let change = 1 / gyroErrorRatio - 1 / state.gyroscope.errorRatio
    state.gyroscope.errorRatio = gyroErrorRatio
    // Apply all six priors at once, so that the result does not depend on the orientation of the
    // chip in the device.
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

  /// Computes the ratio of errors again after a matrix from an earlier engine was set, because the
  /// variances of that matrix already include the ratio.
  mutating func restoreGyroPrior() {
    state.gyroscope.errorRatio = likelyGyroErrorRatio() ?? 1
  }

  /// Returns the most likely variance of the six errors relative to the data sheet; `nil` if
  /// `params` states no uncertainty of these errors. This method is mutating, because a nonmutating
  /// method would work on a copy.
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
      // A variance above the prior comes from the random walk since the start, not from the initial
      // error.
      sum += (off * off + (variance < most ? variance : most)) / prior
    }
    // The data sheet counts as much as one of the six errors: a unit information prior.
    let estimate = (1 + sum) / (1 + 6)
    let most = params.gyroErrorLimit * params.gyroErrorLimit
    return estimate < most ? estimate : most
  }

  /// The initial variances of a scale factor, and of the sum of two opposite elements.
  private var startVariances: (scale: Scalar, shear: Scalar) {
    (coefficients.start.gyroScale, 2 * coefficients.start.gyroMisalignment)
  }

  /// Returns the error of a scale factor, or the sum of the errors of two opposite elements.
  @inline(__always)
  private func strain(_ term: Int) -> Scalar {
    let opposite = Self.opposite(term)
    let sum = state.gyroscope.matrix[term] + state.gyroscope.matrix[opposite]
    return opposite == term ? sum / 2 - 1 : sum
  }

  /// Returns the index of the opposite element, which takes this element's place in the transposed
  /// matrix.
  private static func opposite(_ term: Int) -> Int { term % 3 * 3 + term / 3 }
}
