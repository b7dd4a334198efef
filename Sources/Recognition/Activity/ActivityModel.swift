// SPDX-License-Identifier: Apache-2.0
internal import CMath
package import Quantities

/// The classes of a window, in the order of the model's outputs.
enum ActivityClass: Int, Sendable {
  case stationary
  case walking
  case running
  case cycling
  case automotive
  /// None of these.
  case other
}

/// A model of the evidence of a window's features for each class: a perceptron of one hidden layer.
/// Its parameters have five digits, and so the precision of `Float`, half the flash.
package enum ActivityModel {
  /// A feature counts for no more than so many standard deviations: what is beyond all training is
  /// not told by a formula.
  private static var limit: Scalar { 3 }

  /// Returns the natural logarithms of the classes' likelihoods, up to a constant, in the order of
  /// `ActivityClass`.
  package static func evidence(_ features: InlineArray<36, Scalar>) -> InlineArray<6, Scalar> {
    var inputs = features
    for index in 0..<36 {
      let apart = (inputs[index] - Scalar(means[index])) / Scalar(deviations[index])
      inputs[index] = max(-limit, min(limit, apart))
    }
    var result = InlineArray<6, Scalar>(repeating: 0)
    for index in 0..<6 { result[index] = Scalar(biases[index]) }
    for unit in 0..<16 {
      var sum = Scalar(hiddenBiases[unit])
      for index in 0..<36 { sum += Scalar(hiddenWeights[36 * unit + index]) * inputs[index] }
      // The hyperbolic tangent.
      let output = 1 - 2 / (exp(2 * sum) + 1)
      for index in 0..<6 { result[index] += Scalar(weights[16 * index + unit]) * output }
    }
    return result
  }
}
