// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import History
internal import Logging
internal import Recognition
internal import Quantities

/// The entries of a recorder, on disk, or in memory while the disk cannot be written. Queries
/// include both.
struct MovementJournal: ~Copyable, Sendable {
  /// The stored history; `nil` if there is no usable folder.
  let store: MovementStore?
  let clocks: HostClocks
  var retention = TimeSpan.seconds(7 * 86_400)
  /// The entries that are not on the disk yet.
  var waiting: [MovementEntry] = []
  /// True while another process writes the history. The entries of this process are then discarded,
  /// because the other process counts the same movement.
  var isAnothers = false
  var failures = FailureLog(logger, failing: "history is not stored", working: "history is kept")
  #if History || Tool
    var writer: MovementWriter?
    /// The number of damaged files that have been logged.
    var damagedSeen = 0
    /// The time before which no attempt is made to open the writer again.
    var nextAttempt = Timestamp.zero
  #endif
  /// The largest number of waiting entries: an hour of walking.
  private static let mostWaiting = 4096

  /// Creates a journal. Without a store, the journal keeps all entries in memory, and logs the
  /// reason `complaint` once.
  init(_ store: MovementStore?, without complaint: String = "", clocks: HostClocks) {
    self.store = store
    self.clocks = clocks
    if store == nil { failures.note(complaint) }
  }

  /// Adds `entry`, and writes it to the disk if possible.
  mutating func append(_ entry: MovementEntry) {
    var entry = entry
    entry.made = clocks.now()
    waiting.append(entry)
    if waiting.count > Self.mostWaiting { thin() }
    write()
  }

  /// Merges entries in pairs, so that entries that cannot be written do not fill the memory.
  private mutating func thin() {
    waiting = stride(from: 0, to: waiting.count, by: 2).map { index in
      var both = waiting[index]
      if index + 1 < waiting.count { both.join(waiting[index + 1]) }
      return both
    }
  }

  // MARK: Queries

  /// The entries that queries must add to those on disk. Empty while another process writes the
  /// history.
  private var unwritten: [MovementEntry] { isAnothers ? [] : waiting }

  /// Returns the sum of all entries from `start` to `end`.
  func total(from start: Date, to end: Date) throws(HistoryError) -> MovementTotal {
    var total = try storedTotal(from: start, to: end) ?? MovementTotal(from: start, to: end)
    let now = clocks.now()
    for entry in unwritten {
      let before = share(entry, until: start, now)
      let until = share(entry, until: end, now)
      guard until > before else { continue }
      total.counts += entry.counts.part(from: before, to: until)
      total.hasFloors = total.hasFloors || entry.hasFloors
      if entry.hasSteps {
        let counted = (entry.end - entry.begin).seconds * (until - before)
        total.countedTime = total.countedTime + TimeSpan(seconds: counted)
      }
    }
    return total
  }

  /// Returns the fraction of an entry that is before `date`, from 0 to 1.
  private func share(_ entry: MovementEntry, until date: Date, _ now: ClockReading) -> Double {
    let begin = now.date(of: entry.begin, asleep: entry.made?.suspended)
    let length = (entry.end - entry.begin).seconds
    let passed = date.timeIntervalSince(begin)
    guard length > 0 else { return passed >= 0 ? 1 : 0 }
    return min(max(passed / length, 0), 1)
  }

  /// Returns the activities from `start` to `end`; the first may have begun earlier.
  func activities(from start: Date, to end: Date) throws(HistoryError) -> [RecordedActivity] {
    var activities = try storedActivities(from: start, to: end)
    let now = clocks.now()
    for entry in unwritten {
      for estimate in entry.activities {
        let began = now.date(of: estimate.timestamp, asleep: entry.made?.suspended)
        guard began < end else { continue }
        // The activity at the start of the interval is the last activity that began before it.
        if began <= start { activities.removeAll() }
        activities.append(
          RecordedActivity(
            start: began, activities: estimate.activities, confidence: estimate.confidence))
      }
    }
    return activities
  }
}

extension MovementCounts {
  /// Returns the part of the counts between two fractions of the time. Steps and floors are rounded
  /// in the same way at both ends, so that adjacent parts add up to the whole.
  fileprivate func part(from start: Double, to end: Double) -> MovementCounts {
    func part(_ count: Int) -> Int {
      Int(saturating: (Double(count) * end).rounded(.down))
        - Int(saturating: (Double(count) * start).rounded(.down))
    }
    var counts = MovementCounts()
    counts.steps = part(steps)
    counts.distance = distance * (end - start)
    counts.activeTime = activeTime * (end - start)
    counts.floorsAscended = part(floorsAscended)
    counts.floorsDescended = part(floorsDescended)
    return counts
  }
}

private let logger = Logger(label: "otolith.movement")
