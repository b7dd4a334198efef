// SPDX-License-Identifier: Apache-2.0
#if History || Tool
  internal import Quantities
  internal import Recognition

  /// The state of the current session in the database, and the changes that are not written yet.
  /// The state is a value type, so that a failed write leaves the previous state.
  struct MovementAccumulator: Sendable {
    /// The current boot of the machine.
    private(set) var boot: BootRow?
    private var session: SessionRow?
    /// The uptime at the end of the newest entry. No later data of this boot is before this uptime.
    private var reached: Int64
    /// The readings of the clocks at the newest entry.
    private var last: ClockReading
    /// The start of counting. A sample that is much earlier is from a recording, which has another
    /// clock.
    private let opened: Timestamp
    /// The last activity of the person that the step counter reported.
    private var activity: ActivityEstimate?
    /// The fractions of a millimetre and a millisecond that were not written yet, so that sums do
    /// not drift.
    private var rest = (distance: 0.0, activeTime: 0.0)
    private var pending = Pending()

    private struct Pending: Sendable {
      var span: Int64 = 0
      var numbers: [Int64] = []
      var activities: [ActivityEstimate] = []
      var events: [WalkingEvent] = []
      /// The previous session of the counter, with its end.
      var ended: SessionRow?
      /// True if the wall clock was set.
      var isReset = false
    }

    /// Creates a state that continues where the counts in the database end.
    init(_ db: borrowing SQLiteConnection, _ clocks: HostClocks) throws {
      let now = clocks.now()
      var found: BootRow?
      var reached: Int64 = 0
      for boot in try BootRow.all(db) where boot.identifier == clocks.boot {
        found = boot
        reached = try db.number("SELECT max(until) FROM session WHERE boot = \(boot.id)") ?? 0
      }
      // A boot cannot be identified without /proc. With the same boot ID the uptime may differ in a
      // container's time namespace, or after a virtual machine returned to a snapshot.
      let isSame =
        clocks.boot != BootIdentifier(high: 0, low: 0)
        && reached <= now.uptime.nanoseconds + 1_000_000_000
      if let found, isSame {
        boot = found
        self.reached = reached
      } else {
        boot = BootRow(
          id: 0, identifier: clocks.boot, offset: BootRow.offset(now),
          clockSet: now.uptime.nanoseconds)
        self.reached = 0
      }
      last = now
      opened = now.boot
    }

    /// Returns this state with the activity and the fractions of `other`, for a new database.
    func following(_ other: MovementAccumulator) -> MovementAccumulator {
      var accumulator = self
      accumulator.activity = other.activity
      accumulator.rest = other.rest
      accumulator.reached = max(reached, other.reached)
      return accumulator
    }

    /// Adds an entry. Returns true if the changes of the database should be written now.
    mutating func take(_ entry: MovementEntry, _ now: ClockReading) -> Bool {
      let made = entry.made ?? now
      pending = Pending()
      pending.isReset = boot?.follow(now) ?? false
      // An entry can be older than the writer if it was queued before the writer existed. Entries
      // from a recording are never queued.
      let last = made.boot < self.last.boot ? made : self.last
      let opened = min(opened, made.boot)
      let wasAsleep = (made.suspended - last.suspended).seconds > 2
      let end = max(Self.uptime(of: entry.end, opened: opened, last: last, made), reached)
      let length = max(0, (entry.end - entry.begin).nanoseconds)
      let begin = max(reached, end - length)
      let shift = end - entry.end.nanoseconds
      let isOther =
        session.map { $0.countsSteps != entry.hasSteps || $0.countsFloors != entry.hasFloors }
        ?? true
      var begun: ActivityEstimate?
      if isOther || wasAsleep || session == nil {
        if var ended = session {
          ended.until = reached
          ended.isClosed = true
          pending.ended = ended
          // The counter is the same as in the previous session, so its last activity is still
          // valid.
          begun = activity.map {
            ActivityEstimate(
              timestamp: Timestamp(nanoseconds: begin), activities: $0.activities,
              confidence: $0.confidence)
          }
        }
        session = SessionRow(
          start: begin, until: begin, countsSteps: entry.hasSteps, countsFloors: entry.hasFloors)
      }
      self.last = made
      let start = session?.start ?? begin
      if let begun { pending.activities.append(begun) }
      for var estimate in entry.activities {
        let time = estimate.timestamp.nanoseconds &+ shift
        estimate.timestamp = Timestamp(nanoseconds: min(max(time, start), end))
        if let activity, activity.activities == estimate.activities,
          activity.confidence == estimate.confidence
        {
          continue
        }
        activity = estimate
        pending.activities.append(estimate)
      }
      pending.events = entry.events.map { event in
        WalkingEvent(
          event.kind,
          timestamp: Timestamp(nanoseconds: min(max(0, event.timestamp.nanoseconds &+ shift), end)))
      }
      count(entry)
      pending.span = end - begin
      if !pending.numbers.isEmpty, pending.span == 0 { pending.span = 1 }
      reached = pending.numbers.isEmpty ? end : begin + pending.span
      return pending.isReset || session?.id == 0 || !pending.numbers.isEmpty
        || !pending.activities.isEmpty
        || !pending.events.isEmpty
        || reached - (session?.until ?? 0) >= MovementWriter.alive.nanoseconds
    }

    /// Ends counting. Returns true if there are changes to write.
    mutating func end() -> Bool {
      pending = Pending()
      guard session != nil else { return false }
      session?.isClosed = true
      return true
    }

    private mutating func count(_ entry: MovementEntry) {
      let distance = Self.held(entry.counts.distance) * 1000 + rest.distance
      let activeTime = Self.held(entry.counts.activeTime) * 1000 + rest.activeTime
      let whole = (
        distance: (distance + 1e-6).rounded(.down), time: (activeTime + 1e-6).rounded(.down)
      )
      rest = (distance - whole.distance, activeTime - whole.time)
      let numbers = [
        Int64(max(0, entry.counts.steps)), Int64(whole.distance), Int64(whole.time),
        Int64(max(0, entry.counts.floorsAscended)), Int64(max(0, entry.counts.floorsDescended)),
      ]
      pending.numbers = numbers.allSatisfy { $0 == 0 } ? [] : numbers
    }

    /// Returns a count limited to a plausible range; 0 if it is not a number.
    private static func held(_ value: Double) -> Double {
      value.isFinite ? min(max(0, value), 1e6) : 0
    }

    /// Returns the uptime of a sample. For a sample before the last reading of the clocks, sleep of
    /// the machine after that reading does not count. A recording that is played back has another
    /// clock, so the recording's newest sample counts as measured now.
    private static func uptime(
      of time: Timestamp, opened: Timestamp, last: ClockReading, _ now: ClockReading
    ) -> Int64 {
      let isForeign = (opened - time).seconds > 60 || (time - now.boot).seconds > 1
      if isForeign { return now.uptime.nanoseconds }
      return (time + (time <= last.boot ? last.suspended : now.suspended)).nanoseconds
    }

    // MARK: The database

    /// Writes the changes, and the database rows of the boot and the session if these rows are
    /// missing because the history was deleted.
    mutating func write(_ db: borrowing SQLiteConnection) throws {
      guard var boot, var session else { return }
      if let ended = pending.ended { try ended.update(db) }
      session.until = reached
      if try session.id == 0 || !session.update(db) {
        if session.id != 0 { session.start = max(session.start, reached - pending.span) }
        try boot.write(db)
        try session.insert(db, boot: boot.id)
        // The history was deleted, so an activity that was reported before is written again.
        if let activity, pending.activities.isEmpty {
          pending.activities = [activity]
          pending.activities[0].timestamp = Timestamp(nanoseconds: session.start)
        }
      } else if pending.isReset {
        try boot.write(db)
      }
      if !pending.numbers.isEmpty {
        try db.run(
          """
          INSERT INTO walk (boot, until, span, steps, distance, activeTime, floorsAscended,
            floorsDescended)
          VALUES (\(boot.id), \(reached), \(pending.span), \(pending.numbers[0]),
            \(pending.numbers[1]), \(pending.numbers[2]),
            \(pending.numbers[3]), \(pending.numbers[4]))
          """)
      }
      for estimate in pending.activities {
        let start = max(estimate.timestamp.nanoseconds, session.start)
        // A later report of an activity replaces earlier reports from the later report's start on.
        try db.run("DELETE FROM activity WHERE boot = \(boot.id) AND start >= \(start)")
        try db.run(
          """
          INSERT INTO activity (boot, start, activities, confidence)
          VALUES (\(boot.id), \(start), \(Int64(estimate.activities.rawValue)),
            \(Int64(estimate.confidence.rawValue)))
          """)
      }
      for event in pending.events {
        try db.run(
          """
          INSERT OR IGNORE INTO event (boot, time, kind)
          VALUES (\(boot.id), \(event.timestamp.nanoseconds), \(Int64(event.kind.rawValue)))
          """)
      }
      pending = Pending()
      self.boot = boot
      self.session = session
    }
  }
#endif
