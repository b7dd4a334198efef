// SPDX-License-Identifier: Apache-2.0
#if History || Tool
  public import Foundation
  internal import Quantities
  internal import Recognition
  internal import Synchronization

  /// Reads a store, with or without a writer at work.
  ///
  /// Dates are by the wall clock as it is set now, or was when a run of the machine ended: what was
  /// counted before the clock was set gets new dates with it.
  public final class MovementReader: Sendable {
    public let store: MovementStore
    private let clocks: HostClocks
    private let database: Mutex<MovementDatabase?>

    /// A store that was never written is empty. Throws where it cannot be read, or is of a newer
    /// version.
    public init(_ store: MovementStore, clocks: HostClocks = .system) throws(HistoryError) {
      self.store = store
      self.clocks = clocks
      database = Mutex(try MovementDatabase.reading(store))
    }

    /// The sums from `start` to `end`.
    ///
    /// An interval that begins or ends within an entry has the part of it that time tells, in whole
    /// steps, floors, millimetres and milliseconds, rounded down from the entry's beginning: what
    /// adjacent intervals have adds up to what both have, exactly.
    public func total(from start: Date, to end: Date) throws(HistoryError) -> MovementTotal {
      try read(MovementTotal()) { db, clocks in
        var sum = MovementSum()
        for boot in try MovementBoot.current(db, clocks) {
          try sum.add(db, boot, start.wall, end.wall)
        }
        return sum.total
      }
    }

    /// Returns what the bearer did from `start` to `end`, in order: first what they did at `start`,
    /// with the date when that began. Times without counting are unknown. Where runs of the machine
    /// overlap, since a clock was set between them, the later one holds.
    public func activities(from start: Date, to end: Date) throws(HistoryError)
      -> [RecordedActivity]
    {
      let interval = (start.wall, end.wall)
      guard interval.0 <= interval.1 else { return [] }
      return try read(MovementTimeline(from: interval.0, to: interval.1).activities) { db, clocks in
        var timeline = MovementTimeline(from: interval.0, to: interval.1)
        for boot in try MovementBoot.current(db, clocks).reversed() {
          try timeline.add(db, boot, clocks)
        }
        return timeline.activities
      }
    }

    /// Pauses and resumptions after `start`, up to and including `end`, in order.
    public func events(from start: Date, to end: Date) throws(HistoryError) -> [RecordedEvent] {
      let events = try read([RecordedEvent]()) { db, clocks in
        var events: [RecordedEvent] = []
        for boot in try MovementBoot.current(db, clocks) {
          // A date has not all digits of a nanosecond: a little more is taken, and judged as dates
          // below.
          events += try db.rows(
            """
            SELECT time, kind FROM event WHERE boot = \(boot.id)
              AND time >= \(boot.uptime(start.wall &- 1000))
              AND time <= \(boot.uptime(end.wall &+ 1000))
            ORDER BY time, kind
            """
          ) { row in
            row.code(1).map { RecordedEvent(date: boot.date(row.number(0)), kind: $0) }
          }.compactMap { $0 }
        }
        return events
      }
      return events.filter { $0.date > start && $0.date <= end }.sorted { $0.date < $1.date }
    }

    /// Returns what was written second by second, of which a part lies between `start` and `end`,
    /// in order.
    public func intervals(from start: Date, to end: Date) throws(HistoryError) -> [RecordedMovement]
    {
      let intervals = try read([RecordedMovement]()) { db, clocks in
        var intervals: [RecordedMovement] = []
        for boot in try MovementBoot.current(db, clocks) {
          intervals += try db.rows(
            """
            SELECT until, span, steps, distance, activeTime, floorsAscended, floorsDescended
            FROM walk
            WHERE boot = \(boot.id) AND until > \(boot.uptime(start.wall))
              AND until - span < \(boot.uptime(end.wall)) ORDER BY until
            """
          ) { RecordedMovement($0, boot) }
        }
        return intervals
      }
      return intervals.sorted { $0.start < $1.start }
    }

    /// The days of a calendar that `start` to `end` touches, each as a whole, also those without a
    /// step.
    public func days(
      from start: Date, to end: Date, calendar: Calendar = .current
    ) throws(HistoryError) -> [MovementDay] {
      var days: [MovementDay] = []
      var day = calendar.startOfDay(for: start)
      // Calendars end somewhere; so do people's questions, but not `distantPast`.
      while day < end, days.count < 4000,
        let next = calendar.date(byAdding: .day, value: 1, to: day).map(calendar.startOfDay),
        next > day
      {
        days.append(MovementDay(start: day, end: next, total: try total(from: day, to: next)))
        day = next
      }
      return days
    }

    /// Returns a summary of the store's contents.
    public func summary() throws(HistoryError) -> MovementSummary {
      var summary = try read(MovementSummary()) { db, clocks in
        var summary = MovementSummary()
        let rows = try db.number(
          """
          SELECT (SELECT count(*) FROM walk) + (SELECT count(*) FROM activity)
            + (SELECT count(*) FROM event)
          """)
        summary.rows = Int(rows ?? 0)
        for boot in try MovementBoot.current(db, clocks) {
          let sessions = try MovementSession.all(db, boot: boot.id, from: .min, to: .max)
          for session in sessions {
            summary.begin = min(summary.begin ?? .distantFuture, boot.date(session.start))
            summary.end = max(summary.end ?? .distantPast, boot.date(session.until))
          }
        }
        return summary
      }
      summary.bytes = store.files.reduce(0) { $0 + (FileIdentity.size($1) ?? 0) }
      return summary
    }

    /// Opens what was not there before, or is another file by now. `empty` where there is nothing.
    private func read<T: Sendable>(
      _ empty: T, _ body: (borrowing SQLiteConnection, HostClocks) throws -> T
    ) throws(HistoryError) -> T {
      do {
        return try database.withLock { held in
          if held?.isStill(at: store.path) != true { held = try MovementDatabase.reading(store) }
          // One transaction: a writer that goes on meanwhile changes nothing of it.
          return try held?.connection.read { db in try body(db, clocks) } ?? empty
        }
      } catch { throw .database(error, store) }
    }
  }

  extension RecordedMovement {
    fileprivate init(_ row: borrowing SQLiteRow, _ boot: MovementBoot) {
      let until = row.number(0)
      let span = row.number(1)
      self.init(
        start: boot.date(until - span), end: boot.date(until),
        counts: MovementCounts((2..<7).map { row.number($0) }))
    }
  }

  extension MovementBoot {
    /// Those of the database; the one that runs now by the clock as it is now, whether a writer saw
    /// it or not.
    static func current(_ db: borrowing SQLiteConnection, _ clocks: HostClocks) throws
      -> [MovementBoot]
    {
      var boots = try all(db)
      if let last = boots.lastIndex(where: { $0.identifier == clocks.boot }) {
        _ = boots[last].follow(clocks.now())
      }
      return boots
    }
  }
#endif
