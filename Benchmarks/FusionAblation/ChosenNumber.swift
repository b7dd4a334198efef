// SPDX-License-Identifier: Apache-2.0
internal import Fusion
internal import Quantities

/// A number of `FusionEngine.Params` that recordings have a say in: no data sheet gives it.
struct ChosenNumber {
  var name: String
  var parameter: WritableKeyPath<FusionEngine.Params, Scalar>

  init(_ name: String, _ parameter: WritableKeyPath<FusionEngine.Params, Scalar>) {
    self.name = name
    self.parameter = parameter
  }

  static var all: [ChosenNumber] {
    [
      ChosenNumber("biasWalk", \.biasWalk),
      ChosenNumber("biasSigmaAtRest", \.biasSigmaAtRest),
      ChosenNumber("clipShare", \.clipShare),
      ChosenNumber("accelerationNoise", \.accelerationNoise),
      ChosenNumber("accelerationOnlyTau", \.accelerationOnlyTau),
      ChosenNumber("velocitySigma", \.velocitySigma),
      ChosenNumber("velocityTime", \.velocityTime),
      ChosenNumber("velocityTau", \.velocityTau),
      ChosenNumber("speedLimit", \.speedLimit),
      ChosenNumber("transientLimit", \.transientLimit),
      ChosenNumber("transientVerticalFactor", \.transientVerticalFactor),
      ChosenNumber("consistencyTime", \.consistencyTime),
      ChosenNumber("disagreementGate", \.disagreementGate),
      ChosenNumber("disagreementTime", \.disagreementTime),
      ChosenNumber("headingTime", \.headingTime),
    ]
  }
}
