// SPDX-License-Identifier: Apache-2.0
#if History || Tool
  public import Foundation
  internal import Quantities
  internal import Recognition
  internal import Synchronization

  /// Reads a store, with or without an active writer.
  ///
  /// Dates use the wall clock as it is set now, or was at the end of a boot: setting the clock
  /// changes the dates of earlier counts too.
  public final class MovementReader: Sendable {
    public let store: MovementStore
    private let clocks: HostClocks
    private let database: Mutex<SQLiteConnection?>

    /// Opens the store; one that was never written is empty. Throws if it cannot be read, or has
    /// a newer version.
    public init(_ store: MovementStore, clocks: HostClocks = .system) throws(HistoryError) {
      self.store = store
      self.clocks = clocks
      database = Mutex(try store.openForReading())
    }

    /// Returns the totals from `start` to `end`.
    ///
    /// An interval that begins or ends within an entry gets the proportional part, in whole steps,
    /// floors, millimetres and milliseconds, rounded down from the entry's start: totals of
    /// adjacent intervals add up exactly.
    public func total(from start: Date, to end: Date) throws(HistoryError) -> MovementTotal {
      try read(MovementTotal(from: start, to: end)) { db, clocks in
        try MovementTotal(from: start, to: end, in: BootRow.current(db, clocks), db)
      }
    }

    /// Returns the bearer's activities from `start` to `end`, in order; the first is the activity
    /// at `start`, with the date when it began. Times without counting are unknown. Where boots
    /// overlap because a clock was set, the later one takes precedence.
    public func activities(from start: Date, to end: Date) throws(HistoryError)
      -> [RecordedActivity]
    {
      let interval = (start.wall, end.wall)
      guard interval.0 <= interval.1 else { return [] }
      return try read(ActivityTimeline(from: interval.0, to: interval.1).activities) { db, clocks in
        var timeline = ActivityTimeline(from: interval.0, to: interval.1)
        for boot in try BootRow.current(db, clocks).reversed() {
          try timeline.add(db, boot, clocks)
        }
        return timeline.activities
      }
    }

    /// Returns pauses and resumptions after `start`, up to and including `end`, in order.
    public func events(from start: Date, to end: Date) throws(HistoryError) -> [RecordedEvent] {
      let events = try read([RecordedEvent]()) { db, clocks in
        var events: [RecordedEvent] = []
        for boot in try BootRow.current(db, clocks) {
          // A date is less precise than a nanosecond: query a slightly longer interval, and compare
          // as dates below.
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

    /// Returns the totals of each second or so on foot that overlaps `start` to `end`, in order.
    public func intervals(from start: Date, to end: Date) throws(HistoryError) -> [MovementTotal] {
      let intervals = try read([MovementTotal]()) { db, clocks in
        try BootRow.current(db, clocks).flatMap {
          try MovementTotal.rows(from: start, to: end, in: $0, db)
        }
      }
      return intervals.sorted { $0.start < $1.start }
    }

    /// Returns the totals of the calendar days that overlap `start` to `end`, each as a whole,
    /// including those without steps. Because of daylight saving time a day may have 23 or 25
    /// hours, and may not start at midnight.
    public func days(
      from start: Date, to end: Date, calendar: Calendar = .current
    ) throws(HistoryError) -> [MovementTotal] {
      var days: [MovementTotal] = []
      var day = calendar.startOfDay(for: start)
      // A limit for calendars and queries such as `distantPast`.
      while day < end, days.count < 4000,
        let next = calendar.date(byAdding: .day, value: 1, to: day).map(calendar.startOfDay),
        next > day
      {
        days.append(try total(from: day, to: next))
        day = next
      }
      return days
    }

    /// Returns a summary of the store's contents.
    public func summary() throws(HistoryError) -> MovementStore.Summary {
      var summary = try read(MovementStore.Summary()) { db, clocks in
        var summary = MovementStore.Summary()
        let rows = try db.number(
          """
          SELECT (SELECT count(*) FROM walk) + (SELECT count(*) FROM activity)
            + (SELECT count(*) FROM event)
          """)
        summary.rows = Int(rows ?? 0)
        for boot in try BootRow.current(db, clocks) {
          let sessions = try SessionRow.all(db, boot: boot.id, from: .min, to: .max)
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

    /// Runs `body` on the database, which is opened if it was missing or replaced. Returns `empty`
    /// where there is none.
    private func read<T: Sendable>(
      _ empty: T, _ body: (borrowing SQLiteConnection, HostClocks) throws -> T
    ) throws(HistoryError) -> T {
      do {
        return try database.withLock { held in
          if held?.isStill(at: store.path) != true { held = try store.openForReading() }
          // One transaction, so that a concurrent writer does not affect it.
          return try held?.read { db in try body(db, clocks) } ?? empty
        }
      } catch { throw .database(error, store) }
    }
  }

  extension BootRow {
    /// Returns the boots in the database; the current one uses the clock as it is now, whether a
    /// writer has recorded that or not.
    static func current(_ db: borrowing SQLiteConnection, _ clocks: HostClocks) throws
      -> [BootRow]
    {
      var boots = try all(db)
      if let last = boots.lastIndex(where: { $0.identifier == clocks.boot }) {
        _ = boots[last].follow(clocks.now())
      }
      return boots
    }
  }
#endif
