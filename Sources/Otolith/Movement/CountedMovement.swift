// SPDX-License-Identifier: Apache-2.0

/// What a counter has counted until now, and what it sees.
package struct CountedMovement: Equatable, Sendable {
  /// Which counter: sums of two can be subtracted where this is the same.
  package var run: UInt64
  /// Sums since the counter began, on CLOCK_MONOTONIC; the pace, the cadence and the activity of the present.
  package var movement: Movement
  /// The newest pause or resumption; `nil` before the first.
  package var event: WalkingEvent?
  /// Whether somebody counts; then `movement` is of the last second.
  package var isCounting = false

  package init(run: UInt64, movement: Movement = Movement()) {
    self.run = run
    self.movement = movement
  }

  /// What was counted since `mark`, of the same run.
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

/// A total, and what had been counted at the very moment when it was made: whoever adds what comes later counts nothing
/// twice.
package struct MarkedTotal: Sendable {
  package var total: MovementTotal
  package var mark: CountedMovement

  package init(_ total: MovementTotal, mark: CountedMovement) {
    self.total = total
    self.mark = mark
  }

  /// Everything until `counted`, which is later; `nil` where that is of another run.
  package func total(until counted: CountedMovement) -> MovementTotal? {
    guard counted.run == mark.run else { return nil }
    var sum = total
    let rest = counted.total(since: mark)
    // Of a service's numbers nothing is believed that could end this process.
    sum.steps &+= rest.steps
    sum.distance += rest.distance
    sum.activeTime += rest.activeTime
    // Where there is no barometer, both are zero and nobody asks.
    sum.floorsAscended = (sum.floorsAscended ?? 0) + (rest.floorsAscended ?? 0)
    sum.floorsDescended = (sum.floorsDescended ?? 0) + (rest.floorsDescended ?? 0)
    return sum
  }
}

/// Why movement is not counted, or a question about it not answered.
package enum MovementError: Error, Sendable, CustomStringConvertible {
  /// The board cannot be had, or has no such sensor.
  case session(SessionError)
  /// What was kept cannot be read.
  case history(HistoryError)
  /// A sensor that is needed does not answer.
  case silent(String)

  /// What is wrong and what to do, for people.
  package var description: String {
    switch self {
    case .session(let error): error.description
    case .history(let error): error.description
    case .silent(let complaint): complaint
    }
  }

  /// Whether permission is what is missing.
  package var isDenied: Bool {
    switch self {
    case .session(let error): error.isDenied || error.isTaken
    case .history(let error): error.kind == .denied
    case .silent: false
    }
  }
}
