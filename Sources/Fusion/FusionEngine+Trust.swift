// SPDX-License-Identifier: Apache-2.0
internal import Quantities

// The errors of a gyroscope are not known before it has turned: a part that is calibrated is so in
// every term of its matrix, and one that is not, in none. So the variance that all nine start with,
// relative to the data sheet's, is itself estimated, from those that have shown themselves: a step
// of expectation maximisation with a scaled inverse chi-squared prior (Gelman et al., Bayesian Data
// Analysis, section 5.4).
extension FusionEngine {
  /// Estimates that variance, and gives the terms of the matrix the prior that follows from it.
  mutating func followTrust(_ recorder: inout some EpochRecorder) {
    let (scale, misalignment) = (coefficients.start.gyroScale, coefficients.start.gyroMisalignment)
    guard scale > 0, misalignment > 0 else { return }
    let variances = state.errors.gyroMatrixVariances()
    var sum = 0.0
    for k in 0..<9 {
      let prior = k % 4 == 0 ? scale : misalignment
      let (off, most) = (matrixError(k), prior * state.distrust)
      // What has walked since says nothing of how it was sold.
      sum += (off * off + (variances[k] < most ? variances[k] : most)) / prior
    }
    let estimate = (trustPrior + sum) / (trustPrior + 9)
    let distrust = estimate < mostDistrust ? estimate : mostDistrust
    // Small steps only cost.
    guard distrust < 0.9 * state.distrust || distrust > 1.1 * state.distrust else { return }
    let change = 1 / distrust - 1 / state.distrust
    state.distrust = distrust
    // All terms at once: their order must not matter to a chip that is mounted otherwise.
    var correction = ErrorVector()
    for k in 0..<9 {
      let information = change / (k % 4 == 0 ? scale : misalignment)
      let off = -matrixError(k) - correction.errors[15 + k]
      let gain = state.errors.learnPrior(15 + k, information: information)
      recorder.learnPrior(k, gain, innovation: off)
      let step = gain.correction(off)
      correction.errors = correction.errors + step.errors
      correction.place += step.place
    }
    apply(correction, toBias: params.learnsBiasInMotion, &recorder)
  }

  /// Returns the addition of a term of the matrix, row by row, to the identity.
  private func matrixError(_ term: Int) -> Scalar {
    state.gyroMatrix[term] - (term % 4 == 0 ? 1 : 0)
  }
}

/// Weight of the data sheet, in terms: parts are sold by their worst.
private let trustPrior = 1.0
/// No part is sold with more than three times the errors of its data sheet.
private let mostDistrust = 9.0
