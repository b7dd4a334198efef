// SPDX-License-Identifier: Apache-2.0
internal import CMath
internal import Quantities

/// Physical evidence against a ride, over a longer time than a window: there are too few recordings
/// of vehicles for a model to learn it. `Training/activity/smoother.py` computes the same.
struct RideGate: Equatable, Sendable {
  /// The time constant of the mean, s.
  private static var memory: Scalar { 20 }
  /// The part of the memory, s, at which handling counts half: a device is picked up by hand before
  /// anything else.
  private static var settling: Scalar { 10 }
  /// Hands pause, and a road does not. The logarithm of the ratio of the strongest to the weakest
  /// part's power.
  private static var unevenness: Scalar { 3.8 }
  private static var unevennessWeight: Scalar { 8 }
  /// Hands turn a device by tens of degrees, and cars do not. One minus the cosine of 32 degrees.
  private static var turn: Scalar { 0.15 }
  private static var turnWeight: Scalar { 40 }
  /// A road shakes in all directions; a one-axis sensor would show nothing. The logarithm of the
  /// ratio of the power across gravity to that along it.
  private static var narrowness: Scalar { -3 }
  private static var narrownessWeight: Scalar { 10 }
  /// The strongest evidence of a window.
  private static var most: Scalar { 15 }

  private var uneven = 0.0
  private var turned = 0.0
  private var across = 0.0
  private var weight = 0.0

  /// Adds the features and evidence of the next window, one second after the last. Returns the
  /// evidence, natural logarithms of likelihoods, reduced by what contradicts a ride.
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
      // It may be walking: `other` gets at most the evidence that the ride had.
      result[other] = max(result[other], min(result[other] + Self.narrownessWeight, evidence[ride]))
      result[ride] -= Self.narrownessWeight
    }
    return result
  }
}
