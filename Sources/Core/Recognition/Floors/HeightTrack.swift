// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// A change of the device's height over a short time, derived from the air pressure.
struct HeightChange: Equatable, Sendable, BitwiseCopyable {
  var start: Timestamp
  var end: Timestamp
  /// The change of height in metres, negative for a descent.
  var metres: Scalar

  var seconds: Scalar { (end - start).seconds }
}

/// Converts the readings of a barometer to changes of height. It leaves out changes that cannot be
/// climbs: the pressure pulse of a slammed door, and sudden steps in pressure, as when a fan starts
/// or a person enters a ventilated room.
struct HeightTrack: Equatable, Sendable {
  struct Point: Equatable, Sendable, BitwiseCopyable {
    var time: Timestamp
    /// The height in metres.
    var height: Scalar
  }

  let params: FloorRecognizer.Params
  private var readings = Latest<5, Point>(placeholder: Point(time: .zero, height: 0))
  private var medians = Latest<6, Point>(placeholder: Point(time: .zero, height: 0))

  init(_ params: FloorRecognizer.Params) { self.params = params }

  mutating func begin() {
    readings.removeAll()
    medians.removeAll()
  }

  /// Adds a reading of one second. Returns the change of height between two readings about four
  /// seconds ago, because their following readings are known now.
  mutating func update(_ height: Scalar, at time: Timestamp) -> HeightChange? {
    readings.append(Point(time: time, height: height))
    guard readings.count == 5 else { return nil }
    // The median of five readings removes pulses of up to two readings, and keeps edges sharp.
    let median = Point(time: readings[2].time, height: medianOfReadings())
    medians.append(median)
    // Assume that the height before the first reading was the height of the first reading.
    while medians.count < 6 { medians.append(median) }
    let (start, end) = (medians[2], medians[3])
    guard end.time > start.time else { return nil }
    let isJump = jumps(1, 3) || jumps(2, 3) || jumps(2, 4)
    return HeightChange(
      start: start.time, end: end.time, metres: isJump ? 0 : end.height - start.height)
  }

  /// Returns true if the height is constant before `from` and after `to`, and its change between
  /// these times is larger than the acceleration and braking of a lift permit.
  private mutating func jumps(_ from: Int, _ to: Int) -> Bool {
    let change = abs(medians[to].height - medians[from].height)
    let seconds = (medians[to].time - medians[from].time).seconds
    // A lift accelerates for half of the time t and brakes for the other half, so its height
    // changes by a t^2 / 4.
    let possible = params.largestAcceleration * seconds * seconds / 4
    guard change > max(params.smallestJump, possible) else { return false }
    // Each neighbouring change must be below a fifth of the jump per second. Such a change is at
    // most as fast as on stairs, and is independent of the jump.
    return abs(medians[from].height - medians[from - 1].height) < change / 5
      && abs(medians[to + 1].height - medians[to].height) < change / 5
  }

  private mutating func medianOfReadings() -> Scalar {
    for candidate in 0..<5 {
      var below = 0
      var above = 0
      for other in 0..<5 {
        if readings[other].height < readings[candidate].height { below += 1 }
        if readings[other].height > readings[candidate].height { above += 1 }
      }
      if below <= 2, above <= 2 { return readings[candidate].height }
    }
    return readings[2].height
  }
}
