// SPDX-License-Identifier: Apache-2.0
package import Quantities

/// Puts the rows of several chips, which are read in turn, into the order of their times: a row
/// waits until the newest is so much later that no other is to be expected before it.
package struct TimeOrder<Row: Sendable>: Sendable {
  private let patience: TimeSpan
  private var rows: [(time: Timestamp, row: Row)] = []
  private var first = 0
  private var newest: Timestamp?
  private var given: Timestamp?

  package init(patience: TimeSpan = .seconds(1)) { self.patience = patience }

  /// Takes a row. Returns false for one that comes after later ones were given out.
  package mutating func add(_ row: Row, at time: Timestamp) -> Bool {
    if let given, time < given { return false }
    var index = rows.count
    // Equal times stay as they came.
    while index > first, rows[index - 1].time > time { index -= 1 }
    rows.insert((time, row), at: index)
    newest = max(newest ?? time, time)
    return true
  }

  /// The next row; `nil` while it waits. With `all` none waits: the end has come.
  package mutating func next(all: Bool = false) -> Row? {
    guard first < rows.count, let newest else { return nil }
    let (time, row) = rows[first]
    guard all || newest - time >= patience else { return nil }
    given = time
    first += 1
    if first > 4096 {
      rows.removeFirst(first)
      first = 0
    }
    return row
  }
}
