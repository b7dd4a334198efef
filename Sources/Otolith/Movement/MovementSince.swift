// SPDX-License-Identifier: Apache-2.0
package import Foundation
internal import History

/// The movement counted since a date: the kept past and the present, each once. The past is asked
/// for once; it is asked again where the counter is another one afterwards, a service that was
/// restarted for instance, and where it could not be read.
package struct MovementSince: Sendable {
  package let start: Date
  private var base: MarkedTotal?
  /// The total returned last.
  private var last: MovementTotal?
  /// The time of the next question about the past, on CLOCK_MONOTONIC; `nil` where the past is
  /// known.
  private var nextAttempt: Timestamp?
  /// Between two attempts: a question to the disk, or a service.
  private static let patience = TimeSpan.seconds(5)

  package init(_ start: Date) { self.start = start }

  /// Returns the sum until `counted`; `nil` while `start` is to come. Setting the clock later
  /// changes nothing.
  package mutating func total(until counted: CountedMovement, _ desk: MovementDesk)
    -> MovementTotal?
  {
    let isDue = nextAttempt.map { desk.clocks.now().boot >= $0 } ?? false
    if !isDue, let sum = base?.total(until: counted) {
      last = sum
      return sum
    }
    guard desk.now >= start else { return nil }
    if let whole = try? desk.total(from: start, to: .distantFuture) {
      (base, nextAttempt) = (whole, nil)
    } else {
      // Where what is kept cannot be read, and the log says so, the present is counted all the
      // same, from what was known.
      base = MarkedTotal(
        base?.total(until: counted) ?? last ?? MovementTotal(), mark: counted)
      nextAttempt = desk.clocks.now().boot + Self.patience
    }
    last = base?.total
    return last
  }
}
