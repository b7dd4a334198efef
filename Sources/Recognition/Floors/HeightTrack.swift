// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The rise of the device over a short time, by the air's pressure.
struct HeightChange: Equatable, Sendable, BitwiseCopyable {
  var start: Timestamp
  var end: Timestamp
  /// Metres; negative downwards.
  var metres: Scalar

  var seconds: Scalar { (end - start).seconds }
}

/// Makes a barometer's readings changes of height, without what cannot be a climb: the pulse of a
/// slammed door, and pressure that steps to another value, as where a fan is switched on or a
/// ventilated room is entered.
struct HeightTrack: Equatable, Sendable {
  struct Point: Equatable, Sendable, BitwiseCopyable {
    var time: Timestamp
    /// Metres.
    var height: Scalar
  }

  let params: FloorRecognizer.Params
  private var readings = Latest<5, Point>(placeholder: Point(time: .zero, height: 0))
  private var medians = Latest<6, Point>(placeholder: Point(time: .zero, height: 0))

  init(_ params: FloorRecognizer.Params) { self.params = params }

  /// Forgets what came before.
  mutating func begin() {
    readings.removeAll()
    medians.removeAll()
  }

  /// Takes the reading of about a second. Returns the change between two readings some four before,
  /// of which it is known by now how they went on.
  mutating func update(_ height: Scalar, at time: Timestamp) -> HeightChange? {
    readings.append(Point(time: time, height: height))
    guard readings.count == 5 else { return nil }
    // Of five readings two can be of a pulse; an edge stays as sharp as it is.
    let median = Point(time: readings[2].time, height: medianOfReadings())
    medians.append(median)
    // A device is taken to have been where it is first found.
    while medians.count < 6 { medians.append(median) }
    let (start, end) = (medians[2], medians[3])
    guard end.time > start.time else { return nil }
    let isJump = jumps(1, 3) || jumps(2, 3) || jumps(2, 4)
    return HeightChange(
      start: start.time, end: end.time, metres: isJump ? 0 : end.height - start.height)
  }

  /// Returns true where the height comes from rest and is at rest again after more than
  /// acceleration and braking allow between medians `from` and `to`.
  private mutating func jumps(_ from: Int, _ to: Int) -> Bool {
    let change = abs(medians[to].height - medians[from].height)
    let seconds = (medians[to].time - medians[from].time).seconds
    // Half of the time up to speed, half of it back: a t^2 / 4.
    let possible = params.largestAcceleration * seconds * seconds / 4
    guard change > max(params.smallestJump, possible) else { return false }
    // What goes on at a fifth of the jump in a second is stairs at most, which have nothing to do
    // with it.
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
