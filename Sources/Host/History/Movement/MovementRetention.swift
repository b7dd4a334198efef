// SPDX-License-Identifier: Apache-2.0
#if History || Tool
  internal import Quantities

  /// The rule for deleting old movement.
  ///
  /// Within the current boot uptime decides, which cannot be set. For earlier boots the wall clock
  /// decides, once it has not been set for an hour: a wrong year that lasts ten minutes deletes
  /// nothing. Regardless of clocks, movement is deleted once a retention span has been counted
  /// since.
  struct MovementRetention {
    let span: TimeSpan
    let boot: MovementBoot
    let now: ClockReading

    /// The time for which the wall clock must be unchanged before it is trusted.
    static let settling = TimeSpan.seconds(3600)

    /// Deletes old movement, within the caller's transaction.
    func apply(_ db: borrowing SQLiteConnection) throws {
      let believed = now.uptime.nanoseconds - boot.clockSet >= Self.settling.nanoseconds
      var since: Int64 = 0
      for other in try MovementBoot.all(db).reversed() {
        let aged: Int64 =
          if other.id == boot.id { (now.uptime - span).nanoseconds } else if believed {
            other.uptime((Timestamp(nanoseconds: now.wall) - span).nanoseconds)
          } else { .min }
        var oldest: (cut: Int64, start: Int64)?
        let sessions = try MovementSession.all(db, boot: other.id, from: .min, to: .max)
        for session in sessions.reversed() {
          let cut = max(aged, session.until - (span.nanoseconds - since))
          since += max(0, session.until - session.start)
          if session.until <= cut, !(other.id == boot.id && session == sessions.last) {
            try db.run("DELETE FROM session WHERE id = \(session.id)")
          } else {
            let start = max(session.start, min(cut, session.until))
            oldest = (start, session.start)
            if session.start < start {
              try db.run("UPDATE session SET start = \(start) WHERE id = \(session.id)")
            }
          }
        }
        try forget(db, other.id, before: oldest)
      }
    }

    /// Deletes data before `cut`, within a session that began at `start`, or the whole boot where
    /// no session is left. An activity in progress at `cut` then starts there.
    private func forget(
      _ db: borrowing SQLiteConnection, _ boot: Int64, before oldest: (cut: Int64, start: Int64)?
    ) throws {
      let cut = oldest?.cut ?? .max
      try db.run("DELETE FROM walk WHERE boot = \(boot) AND until <= \(cut)")
      try db.run("DELETE FROM event WHERE boot = \(boot) AND time < \(cut)")
      if let oldest {
        try db.run(
          """
          UPDATE activity SET start = \(cut) WHERE boot = \(boot)
            AND start >= \(oldest.start) AND start =
            (SELECT max(start) FROM activity WHERE boot = \(boot) AND start <= \(cut))
          """)
      }
      try db.run("DELETE FROM activity WHERE boot = \(boot) AND start < \(cut)")
      if oldest == nil, boot != self.boot.id {
        try db.run("DELETE FROM boot WHERE id = \(boot)")
      }
    }
  }
#endif
