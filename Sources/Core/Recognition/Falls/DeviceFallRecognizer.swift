// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// Detects a fall of the device itself: the acceleration is near zero for as long as a fall of 5 cm
/// lasts. `PersonFallRecognizer` detects falls of the person who carries the device.
package struct DeviceFallRecognizer: Equatable, Sendable {
  /// The acceleration in g below which the device counts as falling. The offset of the
  /// accelerometer and a slow rotation cause less than this during a fall.
  private static let threshold = 0.3
  /// The minimum duration of a fall in seconds.
  private static let duration = 0.1

  private var since: Timestamp?
  private var isReported = false

  package init() {}

  /// Adds an acceleration in g. Returns true once for each fall of the device.
  package mutating func update(_ acceleration: Vector3, at time: Timestamp) -> Bool {
    guard acceleration.norm < Self.threshold else {
      (since, isReported) = (nil, false)
      return false
    }
    let begin = since ?? time
    since = begin
    guard !isReported, (time - begin).seconds >= Self.duration else { return false }
    isReported = true
    return true
  }
}
