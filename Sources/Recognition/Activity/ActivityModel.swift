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
package struct ActivityModel: Sendable {
  /// A feature counts for no more than so many standard deviations: what is beyond all training is
  /// not told by a formula.
  static var limit: Scalar { 3 }

  let means: InlineArray<36, Scalar>
  let deviations: InlineArray<36, Scalar>
  /// One hidden unit after the other.
  let hiddenWeights: InlineArray<576, Scalar>
  let hiddenBiases: InlineArray<16, Scalar>
  /// One class after the other.
  let weights: InlineArray<96, Scalar>
  let biases: InlineArray<6, Scalar>

  /// Returns the natural logarithms of the classes' likelihoods, up to a constant, in the order of
  /// `ActivityClass`.
  package func evidence(_ features: InlineArray<36, Scalar>) -> InlineArray<6, Scalar> {
    // Through spans: the compiler copies an array that is a stored property for each of its
    // elements.
    let (means, deviations) = (means.span, deviations.span)
    let (hiddenWeights, weights) = (hiddenWeights.span, weights.span)
    var inputs = features
    for index in 0..<36 {
      let apart = (features[index] - means[index]) / deviations[index]
      inputs[index] = max(-Self.limit, min(Self.limit, apart))
    }
    var result = biases
    for unit in 0..<16 {
      var sum = hiddenBiases[unit]
      for index in 0..<36 { sum += hiddenWeights[36 * unit + index] * inputs[index] }
      // The hyperbolic tangent.
      let output = 1 - 2 / (exp(2 * sum) + 1)
      for index in 0..<6 { result[index] += weights[16 * index + unit] * output }
    }
    return result
  }
}
