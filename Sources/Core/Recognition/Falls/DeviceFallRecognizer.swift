// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// Detects a fall of the device itself: the acceleration is near zero for the time of a 5 cm fall.
/// `PersonFallRecognizer` detects falls of its bearer.
package struct DeviceFallRecognizer: Equatable, Sendable {
  /// The threshold in g; an accelerometer's offset and a slow rotation are below it.
  private static let threshold = 0.3
  /// The minimum duration in seconds.
  private static let duration = 0.1

  private var since: Timestamp?
  private var isTold = false

  package init() {}

  /// Adds an acceleration in g. Returns true once for each fall.
  package mutating func update(_ acceleration: Vector3, at time: Timestamp) -> Bool {
    guard acceleration.norm < Self.threshold else {
      (since, isTold) = (nil, false)
      return false
    }
    let begin = since ?? time
    since = begin
    guard !isTold, (time - begin).seconds >= Self.duration else { return false }
    isTold = true
    return true
  }
}
