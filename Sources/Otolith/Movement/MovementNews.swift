// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import History
package import Service

/// The movement since a date, and what is seen at present, at one moment of a feed.
package struct MovementNews: Sendable {
  /// The date that was asked for.
  package let start: Date
  /// The clocks when the feed began, and now.
  package let begin: ClockReading
  package let now: ClockReading
  /// The sums since `start`.
  package let total: MovementTotal
  package let counted: CountedMovement
  /// True where the board has the sensors that floors are counted by.
  package let hasFloors: Bool
}

/// Joins the kept past from a date on and the present, each once. The past is asked for once; it is
/// asked again where the log is another one afterwards, a service that was restarted for instance,
/// and where it could not be read.
struct MovementSince: Sendable {
  let start: Date
  private var base: MarkedTotal?
  /// The total returned last.
  private var last: MovementTotal?
  /// The time of the next question about the past, on CLOCK_MONOTONIC; `nil` where the past is
  /// known.
  private var nextAttempt: Timestamp?
  /// Between two attempts: a question to the disk, or a service.
  private static let patience = TimeSpan.seconds(5)

  init(_ start: Date) { self.start = start }

  /// Returns the sum until `counted`; `nil` while `start` is to come. Setting the clock later
  /// changes nothing.
  mutating func total(until counted: CountedMovement, _ feed: MovementFeed) -> MovementTotal? {
    let isDue = nextAttempt.map { feed.clocks.now().boot >= $0 } ?? false
    if !isDue, let sum = base?.total(until: counted) {
      last = sum
      return sum
    }
    guard feed.now >= start else { return nil }
    if let whole = try? feed.total(from: start, to: .distantFuture) {
      (base, nextAttempt) = (whole, nil)
    } else {
      // Where what is kept cannot be read, and the log says so, the present is counted all the
      // same, from what was known.
      base = MarkedTotal(
        base?.total(until: counted) ?? last ?? MovementTotal(), mark: counted)
      nextAttempt = feed.clocks.now().boot + Self.patience
    }
    last = base?.total
    return last
  }
}
