// SPDX-License-Identifier: Apache-2.0
#if History || Tool
  internal import Quantities
  internal import Recognition

  /// The database's state of the present run of a counter, and the changes that are still to be
  /// written. A value: a write that fails leaves the one before as it was.
  struct MovementTally: Sendable {
    /// This run of the machine.
    private(set) var boot: MovementBoot?
    private var session: MovementSession?
    /// Uptime at which the newest entry ended. Nothing of this run of the machine comes before it.
    private var reached: Int64
    /// The clocks when it came.
    private var last: ClockReading
    /// The time at which counting began. A sample from long before is from a recording, whose clock
    /// is another one.
    private let opened: Timestamp
    /// The bearer's activity, as last reported.
    private var activity: ActivityEstimate?
    /// The rest of distance and time beyond the whole millimetres and milliseconds written so far,
    /// so that no sum drifts.
    private var rest = (distance: 0.0, activeTime: 0.0)
    private var pending = Pending()

    private struct Pending: Sendable {
      var span: Int64 = 0
      var numbers: [Int64] = []
      var activities: [ActivityEstimate] = []
      var events: [WalkingEvent] = []
      /// The counter's session before this one, with its end.
      var ended: MovementSession?
      /// True where the clock was set.
      var isReset = false
    }

    /// Goes on where the database ends.
    init(_ db: borrowing SQLiteConnection, _ clocks: HostClocks) throws {
      let now = clocks.now()
      var found: MovementBoot?
      var reached: Int64 = 0
      for boot in try MovementBoot.all(db) where boot.identifier == clocks.boot {
        found = boot
        reached = try db.number("SELECT max(until) FROM session WHERE boot = \(boot.id)") ?? 0
      }
      // Without /proc no run of the machine is known again; in a container's time namespace, or
      // when a virtual machine went back to a snapshot, uptime is another one under the same name.
      let isSame =
        clocks.boot != BootIdentifier(high: 0, low: 0)
        && reached <= now.uptime.nanoseconds + 1_000_000_000
      if let found, isSame {
        boot = found
        self.reached = reached
      } else {
        boot = MovementBoot(
          id: 0, identifier: clocks.boot, offset: MovementBoot.offset(now),
          clockSet: now.uptime.nanoseconds)
        self.reached = 0
      }
      last = now
      opened = now.boot
    }

    /// The same run of a counter, in a new database.
    func following(_ other: MovementTally) -> MovementTally {
      var tally = self
      tally.activity = other.activity
      tally.rest = other.rest
      tally.reached = max(reached, other.reached)
      return tally
    }

    /// Takes in what was counted, and was known when the clocks showed `made`; whether that is
    /// worth writing now.
    mutating func take(_ entry: MovementEntry, made: ClockReading, _ now: ClockReading) -> Bool {
      pending = Pending()
      pending.isReset = boot?.follow(now) ?? false
      // What waited until there was a writer is older than that, and no recording for it.
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
          // The counter is the same: what it said last still holds.
          begun = activity.map {
            ActivityEstimate(
              timestamp: Timestamp(nanoseconds: begin), activities: $0.activities,
              confidence: $0.confidence)
          }
        }
        session = MovementSession(
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

    /// Ends the count; returns true where there is something to write.
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

    /// Neither less than nothing nor more than any walk; what is no number is nothing.
    private static func held(_ value: Double) -> Double {
      value.isFinite ? min(max(0, value), 1e6) : 0
    }

    /// The uptime of a sample. What ended before the clocks were read last is from before a sleep
    /// since. A recording that is played has a clock of its own: its newest sample counts as
    /// measured now.
    private static func uptime(
      of time: Timestamp, opened: Timestamp, last: ClockReading, _ now: ClockReading
    ) -> Int64 {
      let isForeign = (opened - time).seconds > 60 || (time - now.boot).seconds > 1
      if isForeign { return now.uptime.nanoseconds }
      return (time + (time <= last.boot ? last.suspended : now.suspended)).nanoseconds
    }

    // MARK: The database

    /// Writes what is pending, and what of boot and session is not there: all of it, where the
    /// history was erased meanwhile.
    mutating func write(_ db: borrowing SQLiteConnection) throws {
      guard var boot, var session else { return }
      if let ended = pending.ended { try ended.update(db) }
      session.until = reached
      if try session.id == 0 || !session.update(db) {
        if session.id != 0 { session.start = max(session.start, reached - pending.span) }
        try boot.write(db)
        try session.insert(db, boot: boot.id)
        // Erased: what the bearer does was said before.
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
        // What is said later holds from its own beginning on.
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
