// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import History
package import Recognition

/// The movement of a board at one time, counted in this process or by the service.
package struct MovementSnapshot: Equatable, Sendable {
  /// The random number of the recorder. Counts of two snapshots may be subtracted only if their
  /// numbers are equal.
  package var run: UInt64
  /// The counts since the recorder began, with the current pace, cadence and activity. Times are on
  /// CLOCK_MONOTONIC.
  package var movement: Movement
  /// The newest pause or resumption; `nil` before the first.
  package var event: WalkingEvent?
  /// The counts between the requested dates, including stored ones; zero if no dates were
  /// requested.
  package var total: MovementTotal

  package init(
    run: UInt64, movement: Movement = Movement(), total: MovementTotal? = nil
  ) {
    self.run = run
    self.movement = movement
    self.total = total ?? MovementTotal(from: .distantPast, to: .distantPast)
  }

  /// Returns `later` with the total of this snapshot continued to the time of `later`, so that no
  /// count is missing or added twice; `nil` if `later` is from another recorder.
  package func continued(to later: MovementSnapshot) -> MovementSnapshot? {
    guard later.run == run else { return nil }
    var sum = later
    sum.total = total
    sum.total.counts += later.movement.counts - movement.counts
    return sum
  }
}
