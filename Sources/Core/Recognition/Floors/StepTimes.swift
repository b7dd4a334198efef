// SPDX-License-Identifier: Apache-2.0
internal import Quantities

/// The times of the steps in at least the last 15 seconds.
struct StepTimes: Equatable, Sendable {
  /// The steps and the duration of walking within an interval.
  struct Walk: Equatable, Sendable {
    var seconds = 0.0
    /// The number of steps. It has a fraction if a step extends beyond the interval.
    var steps = 0.0
  }

  /// The longest interval between two steps that does not count as a pause.
  let longestStep: TimeSpan
  private var times = Latest<64, Timestamp>(placeholder: .zero)

  init(longestStep: Scalar) { self.longestStep = TimeSpan(seconds: longestStep) }

  var last: Timestamp? { mutating get { times.last } }

  /// Adds the time of a step. Ignores a step that is not later than the last step.
  mutating func add(_ time: Timestamp) {
    if let last = times.last, time <= last { return }
    times.append(time)
  }

  mutating func removeAll() { times.removeAll() }

  /// Returns the walking from `start` to `end`. It consists of the time between consecutive steps,
  /// and of half a step before the first step and after the last step.
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

  /// Half the duration of a step on stairs, used for a step without neighbours.
  private static var half: TimeSpan { .milliseconds(400) }
}

extension StepTimes.Walk {
  /// Adds the part between `start` and `end` of `count` steps that take the time `length`.
  fileprivate mutating func add(
    _ count: Scalar, from start: Timestamp, to end: Timestamp, of length: TimeSpan
  ) {
    guard end > start, length > .zero else { return }
    let overlap = (end - start).seconds
    seconds += overlap
    steps += count * overlap / length.seconds
  }
}
