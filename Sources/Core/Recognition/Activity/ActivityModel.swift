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
  /// The movement in the window belongs to none of the other classes.
  case other
}

/// A model that rates how well the features of a window fit each class: a perceptron with one
/// hidden layer. Its parameters have five digits, so they are stored as `Float`, which halves their
/// flash memory.
package enum ActivityModel {
  /// The number of standard deviations to which features are clamped, because the model is not
  /// valid outside its training range.
  private static var limit: Scalar { 3 }

  /// Returns the natural logarithm of the likelihood of each class, in the order of
  /// `ActivityClass`, up to a common constant.
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
      let output = 1 - 2 / (exp(2 * sum) + 1)
      for index in 0..<6 { result[index] += Scalar(weights[16 * index + unit]) * output }
    }
    return result
  }
}
