// SPDX-License-Identifier: Apache-2.0
public import History
public import Recognition

/// The counts of a log until now, in this process or the service, with its current state.
public struct MovementSnapshot: Equatable, Sendable {
  /// The random number of the log: counts can be subtracted only if it is equal.
  public var run: UInt64
  /// True while counting; then `movement` is at most a second old.
  public var isCounting = false
  /// The counts since the log began, on CLOCK_MONOTONIC, with the current pace, cadence and
  /// activity.
  public var movement: Movement
  /// The newest pause or resumption; `nil` before the first.
  public var event: WalkingEvent?

  public init(run: UInt64, movement: Movement = Movement()) {
    self.run = run
    self.movement = movement
  }
}

/// The counts between two dates, with the log's counts at the same time: later movement can be
/// added without counting any twice.
public struct TotalWithCursor: Equatable, Sendable {
  public var total: MovementTotal
  public var mark: MovementSnapshot

  public init(_ total: MovementTotal, mark: MovementSnapshot) {
    self.total = total
    self.mark = mark
  }

  /// Returns the total until `counted`, which is later; `nil` if `counted` belongs to another log.
  package func total(until counted: MovementSnapshot) -> MovementTotal? {
    guard counted.run == mark.run else { return nil }
    var sum = total
    sum.counts += counted.movement.counts - mark.movement.counts
    return sum
  }
}
