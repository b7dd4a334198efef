// SPDX-License-Identifier: Apache-2.0
#if History || Tool

  /// One run of a counter, within one run of the machine.
  struct MovementSession: Equatable, Sendable {
    /// 0 before it is in the database.
    var id: Int64 = 0
    /// Uptime, nanoseconds.
    var start: Int64
    /// Uptime, nanoseconds: until when it is known to have counted.
    var until: Int64
    /// True where it was ended, rather than cut off or still going on.
    var isClosed = false
    var countsSteps: Bool
    var countsFloors: Bool
  }

  extension MovementSession {
    init(_ row: borrowing SQLiteRow) {
      self.init(
        id: row[0], start: row.number(1), until: row.number(2), isClosed: row[3] != 0,
        countsSteps: row[4] != 0, countsFloors: row[5] != 0)
    }

    /// Those of a boot that touch the uptimes from `start` to `end`, in order.
    static func all(_ db: borrowing SQLiteConnection, boot: Int64, from start: Int64, to end: Int64)
      throws
      -> [MovementSession]
    {
      try db.rows(
        """
        SELECT id, start, until, isClosed, countsSteps, countsFloors FROM session
        WHERE boot = \(boot) AND until >= \(start) AND start <= \(end) ORDER BY start, id
        """
      ) { MovementSession($0) }
    }

    mutating func insert(_ db: borrowing SQLiteConnection, boot: Int64) throws {
      try db.run(
        """
        INSERT INTO session (boot, start, until, isClosed, countsSteps, countsFloors)
        VALUES (\(boot), \(start), \(until), \(isClosed), \(countsSteps), \(countsFloors))
        """)
      id = db.lastInserted
    }

    /// Updates its row; returns false where the row is gone.
    @discardableResult
    func update(_ db: borrowing SQLiteConnection) throws -> Bool {
      try db.run("UPDATE session SET until = \(until), isClosed = \(isClosed) WHERE id = \(id)")
      return db.changes > 0
    }
  }
#endif
