// SPDX-License-Identifier: Apache-2.0
#if History || Tool

  /// A session of a counter within one boot.
  struct SessionRow: Equatable, Sendable {
    /// The ID of the session's row; 0 before it is in the database.
    var id: Int64 = 0
    /// The start of the session as uptime in nanoseconds.
    var start: Int64
    /// The last known time of counting, as uptime in nanoseconds.
    var until: Int64
    /// True if the session ended normally; false if the session was interrupted or is active.
    var isClosed = false
    var countsSteps: Bool
    var countsFloors: Bool
  }

  extension SessionRow {
    init(_ row: borrowing SQLiteRow) {
      self.init(
        id: row[0], start: row.number(1), until: row.number(2), isClosed: row[3] != 0,
        countsSteps: row[4] != 0, countsFloors: row[5] != 0)
    }

    /// Returns the sessions of a boot that overlap the uptimes from `start` to `end`, in order.
    static func all(_ db: borrowing SQLiteConnection, boot: Int64, from start: Int64, to end: Int64)
      throws
      -> [SessionRow]
    {
      try db.rows(
        """
        SELECT id, start, until, isClosed, countsSteps, countsFloors FROM session
        WHERE boot = \(boot) AND until >= \(start) AND start <= \(end) ORDER BY start, id
        """
      ) { SessionRow($0) }
    }

    mutating func insert(_ db: borrowing SQLiteConnection, boot: Int64) throws {
      try db.run(
        """
        INSERT INTO session (boot, start, until, isClosed, countsSteps, countsFloors)
        VALUES (\(boot), \(start), \(until), \(isClosed), \(countsSteps), \(countsFloors))
        """)
      id = db.lastInserted
    }

    /// Updates the session in the database. Returns false if its row was deleted.
    @discardableResult
    func update(_ db: borrowing SQLiteConnection) throws -> Bool {
      try db.run("UPDATE session SET until = \(until), isClosed = \(isClosed) WHERE id = \(id)")
      return db.changes > 0
    }
  }
#endif
