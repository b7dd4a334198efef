// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import History
package import Service

/// The movement since a date, and the current state, at one time of a feed.
package struct MovementUpdate: Sendable {
  /// The requested start date.
  package let start: Date
  /// The clocks when the feed began, and now.
  package let begin: ClockReading
  package let now: ClockReading
  /// The sums since `start`.
  package let total: MovementTotal
  package let counted: MovementSnapshot
  /// True if the board has the sensors for counting floors.
  package let hasFloors: Bool
}

/// Combines the stored past from a date on with the present, each counted once. The past is queried
/// once, and again if the log has been replaced since, for instance after a restart of the service,
/// or if the query failed.
struct MovementSince: Sendable {
  let start: Date
  private var base: TotalWithCursor?
  private var last: MovementTotal?
  /// The time of the next query for the past, on CLOCK_MONOTONIC; `nil` if the past is known.
  private var nextAttempt: Timestamp?
  /// The time between two attempts, each of which queries the disk or a service.
  private static let patience = TimeSpan.seconds(5)

  init(_ start: Date) { self.start = start }

  /// Returns the sum until `counted`; `nil` before `start`. Later changes of the clock have no
  /// effect.
  mutating func total(until counted: MovementSnapshot, _ feed: PedometerStore) -> MovementTotal? {
    let isDue = nextAttempt.map { feed.clocks.now().boot >= $0 } ?? false
    if !isDue, let sum = base?.total(until: counted) {
      last = sum
      return sum
    }
    guard feed.now >= start else { return nil }
    if let whole = try? feed.total(from: start, to: .distantFuture) {
      (base, nextAttempt) = (whole, nil)
    } else {
      // If the stored past cannot be read, which is logged, counting continues from the last known
      // total.
      base = TotalWithCursor(
        base?.total(until: counted) ?? last ?? MovementTotal(), mark: counted)
      nextAttempt = feed.clocks.now().boot + Self.patience
    }
    last = base?.total
    return last
  }
}
