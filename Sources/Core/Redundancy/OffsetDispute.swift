// SPDX-License-Identifier: Apache-2.0
public import Quantities

/// A change of the bias that fusion estimates, caused by a dispute of gyroscopes; rad/s in device
/// axes.
public struct BiasCorrection: Equatable, Sendable {
  /// The change of the virtual sensor's offset, because a sensor has just been left out.
  public var change = Vector3.zero
  /// The standard deviation, and the direction, of a further change that is not known.
  public var doubt = Vector3.zero
  /// The time for which that change may have turned the attitude already, s.
  public var seconds: Scalar = 0

  /// Leaves the bias as it is.
  public static let none = BiasCorrection()
}

/// The uncertainty of a combined sample beyond the usual one.
public struct SensorDoubts: Equatable, Sendable {
  /// The change of the bias that fusion estimates.
  public var bias = BiasCorrection.none
  /// The variance to add to the usual variance of each axis of the rotation rate, (rad/s)^2.
  public var rotationRate = Vector3.zero
  /// The variance to add to the usual variance of each axis of the acceleration, g^2.
  public var acceleration = Vector3.zero

  /// Creates doubts of nothing.
  public init() {}
}

/// A dispute of two gyroscopes that only their offsets can explain, and the bias of the virtual
/// sensor before it.
///
/// Two sensors alone do not show which of them is wrong. But gravity and the magnetic field show
/// fusion the bias of the virtual sensor. The change of this bias decides the dispute: if one
/// sensor is wrong, the bias changes by that sensor's share of the difference; if the other one is
/// wrong, by the other share in the opposite direction.
struct OffsetDispute: Sendable {
  /// The difference of the two sensors that fusion knows of; zero if there is no dispute.
  private var known = Vector3.zero
  /// The bias before the dispute.
  private var bias = Vector3.zero

  /// Which of the two sensors is wrong.
  enum Verdict {
    case open, first, second
  }

  /// True if fusion knows of the dispute.
  var isKnown: Bool { known != .zero }

  mutating func end() { known = .zero }

  /// True if the sensors differ by less than half of the difference that fusion knows of.
  func isOver(_ difference: Vector3) -> Bool {
    4 * difference.dot(difference) < known.dot(known)
  }

  /// Returns the change of the bias to expect, if the difference of the second sensor from the
  /// first one is new or has doubled. `share` is the second sensor's weight in the virtual sensor.
  mutating func doubt(_ difference: Vector3, share: Scalar, bias: Vector3) -> Vector3 {
    let square = known.dot(known)
    guard difference.dot(difference) > 4 * square else { return .zero }
    if square == 0 { self.bias = bias }
    known = difference
    return difference * Self.doubt(share).squareRoot()
  }

  /// The mean square of the bias's change before anything is known of it, with the square of the
  /// difference as the unit. Either sensor can be the wrong one.
  private static func doubt(_ share: Scalar) -> Scalar {
    0.5 * (share * share + (1 - share) * (1 - share))
  }

  /// Decides which sensor is wrong by the bias that fusion has found since.
  func verdict(
    _ difference: Vector3, share: Scalar, bias: Vector3, covariance: Matrix3
  ) -> Verdict {
    let square = difference.dot(difference)
    guard square > 0 else { return .open }
    // The change and its variance, with the difference as the unit. It is `share` if the second
    // sensor is wrong, `share - 1` if the first one is.
    let change = (bias - self.bias).dot(difference) / square
    let variance = difference.dot(covariance * difference) / (square * square)
    // The share of what was in doubt that measurements have shown.
    let shown = 1 - variance / Self.doubt(share)
    // The logarithm of the odds, times twice the variance. It is compared with that of one value
    // that differs by as much as `gate` allows.
    let odds = 2 * change + (1 - 2 * share) * shown
    guard shown > 0, odds.magnitude > GroupParams.gate * variance else { return .open }
    // A bias that has changed by something else shows nothing.
    let off = odds > 0 ? change - share : change + 1 - share
    guard off.magnitude < 0.5 else { return .open }
    return odds > 0 ? .second : .first
  }
}
