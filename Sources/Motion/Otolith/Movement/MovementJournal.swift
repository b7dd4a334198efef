// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import History
internal import LinuxBus
internal import Logging
internal import Recognition
internal import Quantities

/// The entries of a log: on the disk, or in memory while the disk cannot be written. Queries
/// include both.
struct MovementJournal: ~Copyable, Sendable {
  /// An entry that is not on the disk yet.
  private struct Waiting: Sendable {
    var entry: MovementEntry
    /// The clocks when it was created: the machine may be suspended between then and now.
    var made: ClockReading
  }
  /// `nil` without a usable folder.
  private let store: MovementStore?
  private let clocks: HostClocks
  var retention = TimeSpan.seconds(7 * 86_400)
  private var writer: MovementWriter?
  private var waiting: [Waiting] = []
  /// True while another process writes the log, which then counts the same movement there.
  private var isAnothers = false
  private var complaint: String?
  /// The number of damaged files already logged.
  private var damagedSeen = 0
  /// The time before which opening the writer is not retried.
  private var nextAttempt = Timestamp.zero
  /// One hour of walking.
  private static let mostWaiting = 4096

  /// Creates a journal. Without a store it keeps everything in memory, and logs that once, with the
  /// reason.
  init(_ store: MovementStore?, without complaint: String = "", clocks: HostClocks) {
    self.store = store
    self.clocks = clocks
    if store == nil {
      self.complaint = complaint
      logger.warning("history is not kept: \(complaint)")
    }
  }

  /// Adds `entry`, and writes it to the disk if possible.
  mutating func append(_ entry: MovementEntry) {
    waiting.append(Waiting(entry: entry, made: clocks.now()))
    if waiting.count > Self.mostWaiting { thin() }
    write()
  }

  /// Tries to write pending entries to the disk.
  mutating func write() {
    guard !waiting.isEmpty, let store, monotonicNow() >= nextAttempt else { return }
    do throws(HistoryError) {
      if writer == nil {
        writer = try MovementWriter(store, clocks: clocks, keeping: retention)
      }
      isAnothers = false
      while let next = waiting.first {
        try writer?.append(next.entry, made: next.made)
        waiting.removeFirst()
        for path in writer?.damaged.dropFirst(damagedSeen) ?? [] {
          logger.warning("history could not be read any more, and was put aside: \(path)")
          damagedSeen += 1
        }
      }
      hear(nil)
    } catch {
      // A writer in this same process is just closing.
      if case .inUse(let process) = error.kind, process != getpid() {
        isAnothers = true
        waiting.removeAll()
      }
      nextAttempt = monotonicNow() + (writer == nil ? .seconds(5) : .zero)
      hear(error.description)
    }
  }

  /// Writes the pending entries and closes the writer.
  mutating func close() {
    nextAttempt = .zero
    write()
    guard var open = writer.take() else { return }
    do throws(HistoryError) { try open.close() } catch { hear(error.description) }
  }

  /// Logs a problem once, and its end once.
  private mutating func hear(_ news: String?) {
    guard news != complaint else { return }
    complaint = news
    if let news {
      logger.warning("history is not kept: \(news)")
    } else {
      logger.notice("history is kept")
    }
  }

  /// Merges pairs of entries, because entries waiting for a full disk must not fill the memory.
  private mutating func thin() {
    waiting = stride(from: 0, to: waiting.count, by: 2).map { index in
      var both = waiting[index]
      if index + 1 < waiting.count { both.entry.join(waiting[index + 1].entry) }
      return both
    }
  }

  // MARK: Queries

  /// The entries that queries add to those on the disk: empty while another process writes the
  /// history, even before opening the writer is retried.
  private var unwritten: [Waiting] { isAnothers ? [] : waiting }

  /// Returns the sums from `start` to `end`.
  func total(from start: Date, to end: Date) throws(HistoryError) -> MovementTotal {
    var total =
      try kept { reader throws(HistoryError) in try reader.total(from: start, to: end) }
      ?? MovementTotal()
    let now = clocks.now()
    for waiting in unwritten {
      let entry = waiting.entry
      let before = share(waiting, until: start, now)
      let until = share(waiting, until: end, now)
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
  private func share(_ waiting: Waiting, until date: Date, _ now: ClockReading) -> Double {
    let begin = now.date(of: waiting.entry.begin, asleep: waiting.made.suspended)
    let length = (waiting.entry.end - waiting.entry.begin).seconds
    let passed = date.timeIntervalSince(begin)
    guard length > 0 else { return passed >= 0 ? 1 : 0 }
    return min(max(passed / length, 0), 1)
  }

  /// Returns the bearer's activities from `start` to `end`; the first may have begun earlier.
  func activities(from start: Date, to end: Date) throws(HistoryError) -> [RecordedActivity] {
    var activities =
      try kept { reader throws(HistoryError) in try reader.activities(from: start, to: end) } ?? []
    let now = clocks.now()
    for waiting in unwritten {
      for estimate in waiting.entry.activities {
        let began = now.date(of: estimate.timestamp, asleep: waiting.made.suspended)
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

  private func kept<Answer>(
    _ ask: (MovementReader) throws(HistoryError) -> Answer
  ) throws(HistoryError) -> Answer? {
    guard let store else { return nil }
    return try ask(try MovementReader(store, clocks: clocks))
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
