// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The times of the steps in at least the last 15 seconds.
struct StepTimes: Equatable, Sendable {
  /// The steps and the duration of walking within an interval.
  struct Walk: Equatable, Sendable {
    var seconds = 0.0
    /// The number of steps, which has a fraction if a step extends beyond the interval.
    var steps = 0.0
  }

  /// The longest time between two steps that is not a pause.
  let longestStep: TimeSpan
  private var times = Latest<64, Timestamp>(placeholder: .zero)

  init(longestStep: Scalar) { self.longestStep = TimeSpan(seconds: longestStep) }

  var last: Timestamp? { mutating get { times.last } }

  /// Adds the time of a step, unless it is not later than the last step.
  mutating func add(_ time: Timestamp) {
    if let last = times.last, time <= last { return }
    times.append(time)
  }

  mutating func removeAll() { times.removeAll() }

  /// Returns the walking from `start` to `end`. The walking consists of the time between
  /// consecutive steps, and of half a step before the first and after the last step.
  mutating func walk(from start: Timestamp, to end: Timestamp) -> Walk {
    var walk = Walk()
    var index = times.count - 1
    var next: Timestamp?
    while index >= 0 {
      let time = times[index]
      let before = index > 0 ? times[index - 1] : nil
      if let before, time - before <= longestStep {
        walk.add(1, from: max(before, start), to: min(time, end), of: time - before)
      } else {
        walk.add(0.5, from: max(time - Self.half, start), to: min(time, end), of: Self.half)
      }
      if next.map({ $0 - time > longestStep }) ?? true {
        walk.add(0.5, from: max(time, start), to: min(time + Self.half, end), of: Self.half)
      }
      if time + Self.half < start { break }
      next = time
      index -= 1
    }
    return walk
  }

  /// Half the duration of a step on stairs, which is used for a step without a neighbour.
  private static var half: TimeSpan { .milliseconds(400) }
}

extension StepTimes.Walk {
  /// Adds to the walking the part of `count` steps over `length` that lies between `start` and
  /// `end`.
  fileprivate mutating func add(
    _ count: Scalar, from start: Timestamp, to end: Timestamp, of length: TimeSpan
  ) {
    guard end > start, length > .zero else { return }
    let overlap = (end - start).seconds
    seconds += overlap
    steps += count * overlap / length.seconds
  }
}
