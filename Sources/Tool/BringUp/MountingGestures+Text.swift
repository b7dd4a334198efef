// SPDX-License-Identifier: Apache-2.0
package import Fusion

extension MountingGestures.Step {
  /// The instruction that asks the user for the gesture during a board check.
  package var instruction: String {
    switch self {
    case .flat: "lay the board flat, face up, and leave it for two seconds"
    case .upright: "now hold it upright, its top edge (+y) up, for two seconds"
    case .rightEdgeDown: "now with its right edge (+x) down, for two seconds"
    }
  }
}

extension MountingError {
  /// The reason why a gesture was rejected.
  package var refusal: String {
    let why =
      switch self {
      case .moved: "it was not held still"
      case .notGravity: "its acceleration is not gravity"
      case .notTurned: "it was hardly turned"
      case .turnedOver: "it was turned over instead"
      case .contradicted: "that contradicts the first two: begin with the top edge up"
      }
    return "not used: \(why)"
  }
}
