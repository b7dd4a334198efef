// SPDX-License-Identifier: Apache-2.0
public import History
public import Recognition

/// The sums of a log until now, of this process or of the service, and its present observations.
public struct CountedMovement: Equatable, Sendable {
  /// The log's number: sums of two can be subtracted where this is the same.
  public var run: UInt64
  /// True while it counts; then `movement` is of the last second.
  public var isCounting = false
  /// Sums since the log began, on CLOCK_MONOTONIC; the pace, the cadence and the activity of the
  /// present.
  public var movement: Movement
  /// The newest pause or resumption; `nil` before the first.
  public var event: WalkingEvent?

  public init(run: UInt64, movement: Movement = Movement()) {
    self.run = run
    self.movement = movement
  }
}

/// The sums between two dates, and the log's at the very moment when they were made: later movement
/// is added without counting any twice.
public struct MarkedTotal: Equatable, Sendable {
  public var total: MovementTotal
  public var mark: CountedMovement

  public init(_ total: MovementTotal, mark: CountedMovement) {
    self.total = total
    self.mark = mark
  }

  /// Returns everything until `counted`, which is later; `nil` where that is of another log.
  package func total(until counted: CountedMovement) -> MovementTotal? {
    guard counted.run == mark.run else { return nil }
    var sum = total
    sum.counts += counted.movement.counts - mark.movement.counts
    return sum
  }
}
