// SPDX-License-Identifier: Apache-2.0
#if History || Tool
  public import Foundation
  internal import Quantities
  internal import Recognition

  /// The queries of a store. They work whether or not a writer is active. A store that was never
  /// written is empty. Each query throws if the store cannot be read or has a newer version.
  ///
  /// Dates are computed with the wall clock as it is set now, or, for an earlier boot, as the clock
  /// was at that boot's end. Setting the clock therefore also changes the dates of earlier counts.
  extension MovementStore {
    /// Returns the totals from `start` to `end`.
    ///
    /// If the interval begins or ends within an entry, the totals contain the proportional part of
    /// the entry: whole steps, floors, millimetres and milliseconds, rounded down from the start of
    /// the entry. The totals of adjacent intervals therefore add up exactly.
    public func total(from start: Date, to end: Date) throws(HistoryError) -> MovementTotal {
      try read(MovementTotal(from: start, to: end)) { db in
        try MovementTotal(from: start, to: end, in: BootRow.current(db, clocks), db)
      }
    }

    /// Returns the person's activities from `start` to `end`, in order. The first is the activity
    /// at `start`, with the date at which it began. Times without counting are unknown. If boots
    /// overlap because a clock was set, the later boot is used.
    public func activities(from start: Date, to end: Date) throws(HistoryError)
      -> [RecordedActivity]
    {
      let interval = (start.wall, end.wall)
      guard interval.0 <= interval.1 else { return [] }
      return try read(ActivityTimeline(from: interval.0, to: interval.1).activities) { db in
        var timeline = ActivityTimeline(from: interval.0, to: interval.1)
        for boot in try BootRow.current(db, clocks).reversed() {
          try timeline.add(db, boot, clocks)
        }
        return timeline.activities
      }
    }

    /// Returns the pauses and resumptions after `start` and not after `end`, in order.
    public func events(from start: Date, to end: Date) throws(HistoryError) -> [RecordedEvent] {
      let events = try read([RecordedEvent]()) { db in
        var events: [RecordedEvent] = []
        for boot in try BootRow.current(db, clocks) {
          // A date is less precise than a nanosecond, so a slightly longer interval is queried and
          // the results are compared as dates below.
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

    /// Returns the totals of each interval of about a second of walking that overlaps `start` to
    /// `end`, in order.
    public func intervals(from start: Date, to end: Date) throws(HistoryError) -> [MovementTotal] {
      let intervals = try read([MovementTotal]()) { db in
        try BootRow.current(db, clocks).flatMap {
          try MovementTotal.rows(from: start, to: end, in: $0, db)
        }
      }
      return intervals.sorted { $0.start < $1.start }
    }

    /// Returns the totals of the calendar days that overlap `start` to `end`. Each day is returned
    /// as a whole, including days without steps. Because of daylight saving time a day may have 23
    /// or 25 hours and may not start at midnight.
    public func days(
      from start: Date, to end: Date, calendar: Calendar = .current
    ) throws(HistoryError) -> [MovementTotal] {
      var days: [MovementTotal] = []
      var day = calendar.startOfDay(for: start)
      // The number of days is limited, for calendars and for queries such as `distantPast`.
      while day < end, days.count < 4000,
        let next = calendar.date(byAdding: .day, value: 1, to: day).map(calendar.startOfDay),
        next > day
      {
        days.append(MovementTotal(from: day, to: next))
        day = next
      }
      return try read(days) { [days] db in
        let boots = try BootRow.current(db, clocks)
        return try days.map { try MovementTotal(from: $0.start, to: $0.end, in: boots, db) }
      }
    }

    /// Returns a summary of what the store contains.
    public func summary() throws(HistoryError) -> Summary {
      var summary = try read(Summary()) { db in
        var summary = Summary()
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
      summary.bytes = files.reduce(0) { $0 + (FileIdentity.size($1) ?? 0) }
      return summary
    }

    /// Returns the result of `body` for the database, in one transaction, so that a concurrent
    /// writer does not affect it. Returns `empty` if there is no database.
    private func read<T: Sendable>(
      _ empty: T, _ body: (borrowing SQLiteConnection) throws -> T
    ) throws(HistoryError) -> T {
      guard let database = try openForReading() else { return empty }
      do { return try database.read(body) } catch { throw .database(error, self) }
    }
  }

  extension BootRow {
    /// Returns the boots in the database. The current boot is returned with the clock as it is set
    /// now, whether or not a writer has recorded the setting.
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
