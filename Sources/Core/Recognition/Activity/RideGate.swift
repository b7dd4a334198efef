// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// Physical evidence against a ride, collected over a longer time than a window. This evidence is
/// not part of the model, because there are too few recordings of vehicles to learn it from.
/// `Training/activity/smoother.py` computes the same evidence.
struct RideGate: Equatable, Sendable {
  /// The time constant of the means of unevenness, rotation and direction, in seconds.
  private static var memory: Scalar { 20 }
  /// The seconds of samples after which the evidence that the device is handled has half its
  /// weight, because a person takes a device into the hand before anything else.
  private static var settling: Scalar { 10 }
  /// The threshold of unevenness, the logarithm of the ratio of the strongest part's power to the
  /// weakest part's. Above it the device is held in a hand, which pauses, whereas a road does not.
  private static var unevenness: Scalar { 3.8 }
  private static var unevennessWeight: Scalar { 8 }
  /// The threshold of rotation, one minus the cosine of 32 degrees. Hands turn a device by tens of
  /// degrees, but cars do not.
  private static var turn: Scalar { 0.15 }
  private static var turnWeight: Scalar { 40 }
  /// The threshold of the logarithm of the ratio of the power across gravity to that along gravity.
  /// A road shakes a device in all directions, so less power across gravity is not a ride.
  private static var narrowness: Scalar { -3 }
  private static var narrownessWeight: Scalar { 10 }
  /// The largest evidence against a ride from one window.
  private static var most: Scalar { 15 }

  private var uneven = 0.0
  private var turned = 0.0
  private var across = 0.0
  private var weight = 0.0

  /// Adds the features and the evidence of the next window, one second after the previous window.
  /// Returns the evidence, natural logarithms of likelihoods, in which a ride is reduced by what
  /// contradicts it.
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
      // The movement may be walking, so `other` gets at most the evidence that a ride had.
      result[other] = max(result[other], min(result[other] + Self.narrownessWeight, evidence[ride]))
      result[ride] -= Self.narrownessWeight
    }
    return result
  }
}
