// SPDX-License-Identifier: Apache-2.0
#if History || Tool
  internal import GRDB

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
    init(_ row: Row) {
      self.init(
        id: row[0], start: row.number(1), until: row.number(2), isClosed: row[3],
        countsSteps: row[4],
        countsFloors: row[5])
    }

    /// Those of a boot that touch the uptimes from `start` to `end`, in order.
    static func all(_ db: Database, boot: Int64, from start: Int64, to end: Int64) throws
      -> [MovementSession]
    {
      try SQLRequest<Row>(
        literal: """
          SELECT id, start, until, isClosed, countsSteps, countsFloors FROM session
          WHERE boot = \(boot) AND until >= \(start) AND start <= \(end) ORDER BY start, id
          """
      ).fetchAll(db).map(MovementSession.init)
    }

    mutating func insert(_ db: Database, boot: Int64) throws {
      try db.execute(
        literal: """
          INSERT INTO session (boot, start, until, isClosed, countsSteps, countsFloors)
          VALUES (\(boot), \(start), \(until), \(isClosed), \(countsSteps), \(countsFloors))
          """)
      id = db.lastInsertedRowID
    }

    /// Updates its row; returns false where the row is gone.
    @discardableResult
    func update(_ db: Database) throws -> Bool {
      try db.execute(
        literal: "UPDATE session SET until = \(until), isClosed = \(isClosed) WHERE id = \(id)")
      return db.changesCount > 0
    }
  }
#endif
