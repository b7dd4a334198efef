// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// The evidence against a ride, by physics and over a longer time than a window: recordings of
/// vehicles are too few for a model to learn it. `Training/activity/smoother.py` computes the same.
struct RideGate: Equatable, Sendable {
  /// Of the mean, s.
  private static var memory: Scalar { 20 }
  /// The part of the memory, s, at which what hands do counts half: with hands a device is taken up
  /// before anything else.
  private static var settling: Scalar { 10 }
  /// Hands pause, and a road does not. The logarithm of the strongest to the weakest part's power.
  private static var unevenness: Scalar { 3.8 }
  private static var unevennessWeight: Scalar { 8 }
  /// Hands turn a device by tens of degrees, and cars do not. One less the cosine of 32 degrees.
  private static var turn: Scalar { 0.15 }
  private static var turnWeight: Scalar { 40 }
  /// A road shakes in all directions: of a sensor of one axis nothing is known. The logarithm of
  /// the power across gravity to that along it.
  private static var narrowness: Scalar { -3 }
  private static var narrownessWeight: Scalar { 10 }
  /// The evidence of no window is stronger.
  private static var most: Scalar { 15 }

  private var uneven = 0.0
  private var turned = 0.0
  private var across = 0.0
  private var weight = 0.0

  /// Takes the features and the evidence of the next window, one second after the last. Returns the
  /// evidence, natural logarithms of likelihoods, with what speaks against a ride taken from it.
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
      // It may well walk: no more of other than there was of a ride.
      result[other] = max(result[other], min(result[other] + Self.narrownessWeight, evidence[ride]))
      result[ride] -= Self.narrownessWeight
    }
    return result
  }
}
