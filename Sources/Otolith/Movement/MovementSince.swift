// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// What was counted since a date: of the past what is kept, and what comes, each once. The past is asked for once; where the
/// counter is another one afterwards, a service that was started anew for instance, it is asked again.
package struct MovementSince: Sendable {
  package let start: Date
  private var base: MarkedTotal?

  package init(_ start: Date) { self.start = start }

  /// The sum until `counted`; `nil` while `start` is to come. What a clock does that is set later changes nothing.
  package mutating func total(until counted: CountedMovement, _ desk: MovementDesk)
    -> MovementTotal?
  {
    if let sum = base?.total(until: counted) { return sum }
    guard desk.now >= start else { return nil }
    // Where what is kept cannot be read, and the log says so, the present is counted all the same.
    let base =
      (try? desk.total(from: start, to: .distantFuture))
      ?? MarkedTotal(MovementTotal(), mark: counted)
    self.base = base
    return base.total
  }
}
