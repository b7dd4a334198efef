// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Distinguishes a frozen sensor from a device at rest.
///
/// A device at rest measures about 1 g, and comes to rest gradually. A sensor that exactly repeats
/// some other acceleration has stopped measuring.
struct FreezeDetector: Equatable, Sendable {
  /// The time in seconds with a constant value after which a sensor counts as frozen.
  private static var freezeTime: Scalar { 1 }
  /// The largest deviation from 1 g, in g, that a sensor's bias and scale error cause.
  private static var worstBias: Scalar { 0.07 }
  /// The smallest deviation from 1 g, in g, that a real sensor has.
  private static var leastBias: Scalar { 0.005 }
  /// The largest step, in g, between two values of a device that is coming to rest.
  private static var jump: Scalar { 0.05 }

  private var value = Vector3.zero
  private var isMoved = false
  /// The time of the first of the equal values.
  private(set) var since = Timestamp.zero

  /// Discards all earlier values and starts again with this value.
  mutating func begin(_ acceleration: Vector3, at time: Timestamp) {
    value = acceleration
    since = time
    isMoved = false
  }

  /// Adds the next value. Returns true if the sensor has repeated a value for too long.
  mutating func isFrozen(_ acceleration: Vector3, at time: Timestamp) -> Bool {
    if acceleration != value {
      let change = acceleration - value
      isMoved = change.dot(change) > Self.jump * Self.jump
      value = acceleration
      since = time
      return false
    }
    guard (time - since).seconds >= Self.freezeTime else { return false }
    let bias = abs(value.norm - 1)
    return bias > Self.worstBias || (isMoved && bias > Self.leastBias)
  }
}
