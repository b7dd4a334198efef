// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// Physical evidence against a ride, collected over a longer time than one window. It is not part
/// of the model, because there are too few recordings of vehicles to learn it from.
/// `Training/activity/smoother.py` computes the same evidence.
struct RideGate: Equatable, Sendable {
  /// The time constant in seconds of the means of unevenness, rotation and direction.
  private static var memory: Scalar { 20 }
  /// The time in seconds after which the evidence that the device is being handled has half its
  /// weight. It starts low, because every use of a device begins with taking it into the hand.
  private static var settling: Scalar { 10 }
  /// The threshold for unevenness: the logarithm of the ratio of power between the strongest and
  /// the weakest part of the window. Above it the device is in a hand. A hand pauses, but a road
  /// does not.
  private static var unevenness: Scalar { 3.8 }
  private static var unevennessWeight: Scalar { 8 }
  /// The threshold for rotation: one minus the cosine of 32 degrees. A hand turns a device by tens
  /// of degrees, but a car does not.
  private static var turn: Scalar { 0.15 }
  private static var turnWeight: Scalar { 40 }
  /// The threshold for the logarithm of the ratio of power across gravity to power along gravity. A
  /// road shakes a device in all directions, so less power across gravity means that it is not a
  /// ride.
  private static var narrowness: Scalar { -3 }
  private static var narrownessWeight: Scalar { 10 }
  /// The largest evidence against a ride from one window.
  private static var most: Scalar { 15 }

  private var uneven = 0.0
  private var turned = 0.0
  private var across = 0.0
  private var weight = 0.0

  /// Adds the features and the evidence of the next window, one second after the previous window.
  /// Returns the evidence (natural logarithms of likelihoods) with a lower value for a ride if
  /// something contradicts it.
  mutating func weigh(
    _ evidence: InlineArray<6, Scalar>, of features: InlineArray<36, Scalar>
  ) -> InlineArray<6, Scalar> {
    let keep = exp(-1 / Self.memory)
    uneven = keep * uneven + features[25] - features[26]
    turned = keep * turned + exp(features[29])
    across = keep * across + features[17] - features[16]
    weight = keep * weight + 1
    let hands =
      min(
        Self.most,
        Self.unevennessWeight * max(0, uneven / weight - Self.unevenness)
          + Self.turnWeight * max(0, turned / weight - Self.turn)) * weight
      / (weight + Self.settling)
    let (ride, other) = (ActivityClass.automotive.rawValue, ActivityClass.other.rawValue)
    var result = evidence
    result[ride] -= hands
    result[other] += hands
    if across / weight < Self.narrowness {
      // The movement may be walking, so `other` gets at most the evidence that the ride had.
      result[other] = max(result[other], min(result[other] + Self.narrownessWeight, evidence[ride]))
      result[ride] -= Self.narrownessWeight
    }
    return result
  }
}
