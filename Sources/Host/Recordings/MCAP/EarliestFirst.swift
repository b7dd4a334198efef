// SPDX-License-Identifier: Apache-2.0

/// A queue of rows that returns the earliest row first; rows with equal times are returned in the
/// order of their insertion. The queue is a binary heap.
struct EarliestFirst<Row: Sendable>: Sendable {
  private struct Entry: Sendable {
    var time: Int64
    var number: UInt64
    var row: Row

    func isBefore(_ other: Entry) -> Bool {
      time != other.time ? time < other.time : number < other.number
    }
  }

  private var entries: [Entry] = []
  private var number: UInt64 = 0

  var count: Int { entries.count }

  mutating func add(_ row: Row, at time: Int64) {
    number += 1
    entries.append(Entry(time: time, number: number, row: row))
    var index = entries.count - 1
    while index > 0 {
      let parent = (index - 1) / 2
      guard entries[index].isBefore(entries[parent]) else { break }
      entries.swapAt(index, parent)
      index = parent
    }
  }

  /// Removes and returns the earliest row of the queue; `nil` if the queue is empty.
  mutating func next() -> (time: Int64, row: Row)? {
    guard let first = entries.first, let last = entries.popLast() else { return nil }
    guard !entries.isEmpty else { return (first.time, first.row) }
    entries[0] = last
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < entries.count {
        if entries[child].isBefore(entries[least]) { least = child }
      }
      guard least != index else { break }
      entries.swapAt(index, least)
      index = least
    }
    return (first.time, first.row)
  }
}
