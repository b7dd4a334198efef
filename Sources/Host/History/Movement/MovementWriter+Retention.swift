// SPDX-License-Identifier: Apache-2.0
#if History || Tool
  internal import Quantities

  extension MovementWriter {
    /// The time for which the wall clock must not have been set before the writer trusts it.
    private static var settling: TimeSpan { .seconds(3600) }

    /// Deletes movement older than `span`, within the caller's transaction. `boot` is the current
    /// boot.
    ///
    /// Within the current boot the uptime decides, because the uptime cannot be set. For earlier
    /// boots the wall clock decides once it has not been set for an hour, so that a wrong year
    /// which lasts ten minutes deletes nothing. Whatever the clocks show, movement is deleted once
    /// counting has gone on for the time `span` after it.
    static func deleteOld(
      _ db: borrowing SQLiteConnection, keeping span: TimeSpan, in boot: BootRow,
      _ now: ClockReading
    ) throws {
      let isTrusted = now.uptime.nanoseconds - boot.clockSet >= settling.nanoseconds
      var since: Int64 = 0
      for other in try BootRow.all(db).reversed() {
        let aged: Int64 =
          if other.id == boot.id { (now.uptime - span).nanoseconds } else if isTrusted {
            other.uptime((Timestamp(nanoseconds: now.wall) - span).nanoseconds)
          } else { .min }
        var oldest: (cut: Int64, start: Int64)?
        let sessions = try SessionRow.all(db, boot: other.id, from: .min, to: .max)
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
        if oldest == nil, other.id != boot.id {
          try db.run("DELETE FROM boot WHERE id = \(other.id)")
        }
      }
    }

    /// Deletes the data of a boot before `cut`, within a session that began at `start`, or all data
    /// if no session is left. An activity in progress at `cut` then starts at `cut`.
    private static func forget(
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
    }
  }
#endif
