// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// Tells a sensor that says the same over and over from one that lies still.
///
/// A thing that lies still weighs what it weighs: about 1 g, and it came to rest little by little.
/// What repeats to the last digit that it is accelerated has stopped to measure.
struct FreezeDetector: Equatable, Sendable {
  /// Seconds of the same value.
  private static var patience: Scalar { 1 }
  /// The most that a sensor's bias and scale make of 1 g, g.
  private static var worstBias: Scalar { 0.07 }
  /// The least of any real sensor's, g.
  private static var leastBias: Scalar { 0.005 }
  /// The most from one value to the next of what comes to rest, g.
  private static var jump: Scalar { 0.05 }

  private var value = Vector3.zero
  private var isMoved = false
  /// The time of the first value of those that are the same.
  private(set) var since = Timestamp.zero

  /// Begins anew with this value.
  mutating func begin(_ acceleration: Vector3, at time: Timestamp) {
    value = acceleration
    since = time
    isMoved = false
  }

  /// Takes the next value. Returns true where the sensor has been saying the same for too long.
  mutating func isFrozen(_ acceleration: Vector3, at time: Timestamp) -> Bool {
    if acceleration != value {
      let change = acceleration - value
      isMoved = change.dot(change) > Self.jump * Self.jump
      value = acceleration
      since = time
      return false
    }
    guard (time - since).seconds >= Self.patience else { return false }
    let bias = abs(value.norm - 1)
    return bias > Self.worstBias || (isMoved && bias > Self.leastBias)
  }
}
