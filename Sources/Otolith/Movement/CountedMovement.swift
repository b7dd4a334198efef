// SPDX-License-Identifier: Apache-2.0
internal import History
internal import Recognition

/// A counter's sums until now, and its present observations.
package struct CountedMovement: Equatable, Sendable {
  /// The counter's number: sums of two can be subtracted where this is the same.
  package var run: UInt64
  /// Sums since the counter began, on CLOCK_MONOTONIC; the pace, the cadence and the activity of
  /// the present.
  package var movement: Movement
  /// The newest pause or resumption; `nil` before the first.
  package var event: WalkingEvent?
  /// True while the counter runs; then `movement` is of the last second.
  package var isCounting = false

  package init(run: UInt64, movement: Movement = Movement()) {
    self.run = run
    self.movement = movement
  }

  /// Returns the movement counted since `mark`, of the same run.
  package func total(since mark: CountedMovement) -> MovementTotal {
    var total = MovementTotal()
    total.steps = movement.steps &- mark.movement.steps
    total.distance = movement.distance - mark.movement.distance
    total.activeTime = movement.activeTime - mark.movement.activeTime
    total.floorsAscended = movement.floorsAscended - mark.movement.floorsAscended
    total.floorsDescended = movement.floorsDescended - mark.movement.floorsDescended
    return total
  }
}

/// A total, and the counter's state at the very moment when it was made: later movement is added
/// without counting any twice.
package struct MarkedTotal: Sendable {
  package var total: MovementTotal
  package var mark: CountedMovement

  package init(_ total: MovementTotal, mark: CountedMovement) {
    self.total = total
    self.mark = mark
  }

  /// Returns everything until `counted`, which is later; `nil` where that is of another run.
  package func total(until counted: CountedMovement) -> MovementTotal? {
    guard counted.run == mark.run else { return nil }
    var sum = total
    let rest = counted.total(since: mark)
    // Of a service's numbers nothing is believed that could end this process.
    sum.steps &+= rest.steps
    sum.distance += rest.distance
    sum.activeTime += rest.activeTime
    // Without a barometer, both are zero and unused.
    sum.floorsAscended = (sum.floorsAscended ?? 0) + (rest.floorsAscended ?? 0)
    sum.floorsDescended = (sum.floorsDescended ?? 0) + (rest.floorsDescended ?? 0)
    return sum
  }
}

/// The reason why movement is not counted, or a question about it not answered.
package enum MovementError: Error, Sendable, CustomStringConvertible {
  /// The board cannot be opened, or has no such sensor.
  case session(SessionError)
  /// The kept history cannot be read.
  case history(HistoryError)
  /// A sensor that is needed does not answer.
  case silent(String)

  /// The problem and its remedy, for people.
  package var description: String {
    switch self {
    case .session(let error): error.description
    case .history(let error): error.description
    case .silent(let complaint): complaint
    }
  }

  /// True where permission is missing.
  package var isDenied: Bool {
    switch self {
    case .session(let error): error.isDenied || error.isTaken
    case .history(let error): error.kind == .denied
    case .silent: false
    }
  }
}
