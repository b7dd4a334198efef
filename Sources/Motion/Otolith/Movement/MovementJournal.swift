// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import History
internal import Logging
internal import Recognition
internal import Quantities

/// The entries of a recorder: on the disk, or in memory while the disk cannot be written. Queries
/// include both.
struct MovementJournal: ~Copyable, Sendable {
  /// `nil` without a usable folder.
  let store: MovementStore?
  let clocks: HostClocks
  var retention = TimeSpan.seconds(7 * 86_400)
  /// The entries that are not on the disk yet.
  var waiting: [MovementEntry] = []
  /// True while another process writes the history, and counts the same movement there.
  var isAnothers = false
  private var complaint: String?
  #if History || Tool
    var writer: MovementWriter?
    /// The number of damaged files already logged.
    var damagedSeen = 0
    /// The time before which opening the writer is not retried.
    var nextAttempt = Timestamp.zero
  #endif
  /// One hour of walking.
  private static let mostWaiting = 4096

  /// Creates a journal. Without a store it keeps everything in memory, and logs that once, with the
  /// reason.
  init(_ store: MovementStore?, without complaint: String = "", clocks: HostClocks) {
    self.store = store
    self.clocks = clocks
    if store == nil {
      self.complaint = complaint
      logger.warning("history is not stored: \(complaint)")
    }
  }

  /// Adds `entry`, and writes it to the disk if possible.
  mutating func append(_ entry: MovementEntry) {
    var entry = entry
    entry.made = clocks.now()
    waiting.append(entry)
    if waiting.count > Self.mostWaiting { thin() }
    write()
  }

  /// Logs a problem once, and its end once.
  mutating func hear(_ news: String?) {
    guard news != complaint else { return }
    complaint = news
    if let news {
      logger.warning("history is not stored: \(news)")
    } else {
      logger.notice("history is kept")
    }
  }

  /// Merges pairs of entries, because entries waiting for a full disk must not fill the memory.
  private mutating func thin() {
    waiting = stride(from: 0, to: waiting.count, by: 2).map { index in
      var both = waiting[index]
      if index + 1 < waiting.count { both.join(waiting[index + 1]) }
      return both
    }
  }

  // MARK: Queries

  /// The entries that queries add to those on the disk: empty while another process writes the
  /// history, even before opening the writer is retried.
  private var unwritten: [MovementEntry] { isAnothers ? [] : waiting }

  /// Returns the sums from `start` to `end`.
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

  /// Returns the fraction of an entry before `date`, from 0 to 1.
  private func share(_ entry: MovementEntry, until date: Date, _ now: ClockReading) -> Double {
    let begin = now.date(of: entry.begin, asleep: entry.made?.suspended)
    let length = (entry.end - entry.begin).seconds
    let passed = date.timeIntervalSince(begin)
    guard length > 0 else { return passed >= 0 ? 1 : 0 }
    return min(max(passed / length, 0), 1)
  }

  /// Returns the bearer's activities from `start` to `end`; the first may have begun earlier.
  func activities(from start: Date, to end: Date) throws(HistoryError) -> [RecordedActivity] {
    var activities = try storedActivities(from: start, to: end)
    let now = clocks.now()
    for entry in unwritten {
      for estimate in entry.activities {
        let began = now.date(of: estimate.timestamp, asleep: entry.made?.suspended)
        guard began < end else { continue }
        // The activity at the start is the last one before it.
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
  /// Returns the part between two fractions of the time, with steps and floors rounded by the same
  /// rule at both ends, so that adjacent parts add up to the whole.
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
