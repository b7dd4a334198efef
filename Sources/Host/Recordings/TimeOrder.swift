// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// A queue that sorts the rows of several chips by time, because the chips are read one after
/// another. The queue returns a row once no earlier row can follow, which is when the newest row is
/// later by the limit of lateness.
package struct TimeOrder<Row: Sendable>: Sendable {
  private let latenessLimit: TimeSpan
  private var rows: [(time: Timestamp, row: Row)] = []
  private var first = 0
  private var newest: Timestamp?
  private var given: Timestamp?

  package init(latenessLimit: TimeSpan = .seconds(1)) { self.latenessLimit = latenessLimit }

  /// Adds a row to the queue. Returns false if later rows have already been returned.
  package mutating func add(_ row: Row, at time: Timestamp) -> Bool {
    if let given, time < given { return false }
    var index = rows.count
    // In the queue, rows with equal times keep their order.
    while index > first, rows[index - 1].time > time { index -= 1 }
    rows.insert((time, row), at: index)
    newest = max(newest ?? time, time)
    return true
  }

  /// Returns the next row; `nil` while that row is held back. With `all`, at the end, no row is
  /// held back.
  package mutating func next(all: Bool = false) -> Row? {
    guard first < rows.count, let newest else { return nil }
    let (time, row) = rows[first]
    guard all || newest - time >= latenessLimit else { return nil }
    given = time
    first += 1
    if first > 4096 {
      rows.removeFirst(first)
      first = 0
    }
    return row
  }
}
