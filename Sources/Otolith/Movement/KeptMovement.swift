// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import History
internal import LinuxBus
internal import Logging
internal import Recognition
internal import Quantities

/// The entries of a log: on the disk, or, while that cannot be written, here, and in every answer
/// all the same.
struct KeptMovement: ~Copyable, Sendable {
  /// An entry that is not on the disk yet.
  private struct Waiting: Sendable {
    var entry: MovementEntry
    /// The clocks when it was made: between that and the present the machine may sleep.
    var made: ClockReading
  }
  /// `nil`: there is no place.
  private let store: MovementStore?
  private let clocks: HostClocks
  /// The time for which it is kept.
  var retention = TimeSpan.seconds(7 * 86_400)
  private var writer: MovementWriter?
  private var waiting: [Waiting] = []
  /// True while another process writes: what is counted here is counted there.
  private var isAnothers = false
  private var complaint: String?
  /// The count of damaged files that the log knows of.
  private var damagedSeen = 0
  /// The moment before which a writer that could not be opened is not tried again.
  private var nextAttempt = Timestamp.zero
  /// An hour of walking.
  private static let mostWaiting = 4096

  /// Creates a journal. Without a place it keeps everything in memory, and logs that once, with the
  /// reason.
  init(_ store: MovementStore?, without complaint: String = "", clocks: HostClocks) {
    self.store = store
    self.clocks = clocks
    if store == nil {
      self.complaint = complaint
      logger.warning("history is not kept: \(complaint)")
    }
  }

  /// Keeps `entry`, on the disk if that can be.
  mutating func append(_ entry: MovementEntry) {
    waiting.append(Waiting(entry: entry, made: clocks.now()))
    if waiting.count > Self.mostWaiting { thin() }
    write()
  }

  /// Tries to bring to the disk what is not there yet.
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
      // A writer of this very process is one that is just closing.
      if case .inUse(let process) = error.kind, process != getpid() {
        isAnothers = true
        waiting.removeAll()
      }
      nextAttempt = monotonicNow() + (writer == nil ? .seconds(5) : .zero)
      hear(error.description)
    }
  }

  /// Ends counting for now.
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

  /// Joins entries to half as many of twice the length: entries that wait for a full disk must not
  /// fill the memory.
  private mutating func thin() {
    waiting = stride(from: 0, to: waiting.count, by: 2).map { index in
      var both = waiting[index]
      if index + 1 < waiting.count { both.entry.join(waiting[index + 1].entry) }
      return both
    }
  }

  // MARK: Questions

  /// The entries that answers have beside those on the disk: none where another process keeps the
  /// past, even before that is tried again.
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

  /// Returns the fraction of an entry that lies before `date`, from 0 to 1.
  private func share(_ waiting: Waiting, until date: Date, _ now: ClockReading) -> Double {
    let begin = now.date(of: waiting.entry.begin, asleep: waiting.made.suspended)
    let length = (waiting.entry.end - waiting.entry.begin).seconds
    let passed = date.timeIntervalSince(begin)
    guard length > 0 else { return passed >= 0 ? 1 : 0 }
    return min(max(passed / length, 0), 1)
  }

  /// Returns the bearer's activities from `start` to `end`; the first may have begun before.
  func activities(from start: Date, to end: Date) throws(HistoryError) -> [RecordedActivity] {
    var activities =
      try kept { reader throws(HistoryError) in try reader.activities(from: start, to: end) } ?? []
    let now = clocks.now()
    for waiting in unwritten {
      for estimate in waiting.entry.activities {
        let began = now.date(of: estimate.timestamp, asleep: waiting.made.suspended)
        guard began < end else { continue }
        // The state at the start is the last one before it.
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
  /// Returns the part between two fractions of the time, in whole steps and floors by the same rule
  /// at either end: adjacent parts add up to both.
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
