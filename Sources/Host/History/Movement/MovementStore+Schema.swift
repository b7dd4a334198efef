// SPDX-License-Identifier: Apache-2.0
#if History || Tool

  /// The schema. Times are nanoseconds of uptime (CLOCK_BOOTTIME), which cannot be set. One offset
  /// per boot converts them to the wall clock. docs/movement.md contains these statements, and a
  /// test compares them.
  extension MovementStore {
    /// The version of the schema that this code writes, in `PRAGMA user_version`.
    static let version: Int64 = 1
    /// The value of `PRAGMA application_id`, `OTMV`, by which file(1) and this code recognise the
    /// file.
    static let application: Int64 = 0x4F54_4D56

    static let version1 = """
      CREATE TABLE boot (
        id INTEGER PRIMARY KEY,
        identifier BLOB NOT NULL,
        wallOffset INTEGER NOT NULL,
        clockSet INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE session (
        id INTEGER PRIMARY KEY,
        boot INTEGER NOT NULL REFERENCES boot,
        start INTEGER NOT NULL,
        until INTEGER NOT NULL,
        isClosed INTEGER NOT NULL,
        countsSteps INTEGER NOT NULL,
        countsFloors INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE walk (
        boot INTEGER NOT NULL,
        until INTEGER NOT NULL,
        span INTEGER NOT NULL,
        steps INTEGER NOT NULL,
        distance INTEGER NOT NULL,
        activeTime INTEGER NOT NULL,
        floorsAscended INTEGER NOT NULL,
        floorsDescended INTEGER NOT NULL,
        PRIMARY KEY (boot, until)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE activity (
        boot INTEGER NOT NULL,
        start INTEGER NOT NULL,
        activities INTEGER NOT NULL,
        confidence INTEGER NOT NULL,
        PRIMARY KEY (boot, start)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE event (
        boot INTEGER NOT NULL,
        time INTEGER NOT NULL,
        kind INTEGER NOT NULL,
        PRIMARY KEY (boot, time, kind)
      ) STRICT, WITHOUT ROWID;
      """

    /// Migrates a database from an earlier version, 0 for an empty database, in a transaction. A
    /// new version of the schema adds a step to this function and never changes an earlier step.
    static func migrate(_ db: borrowing SQLiteConnection, from version: Int64) throws {
      guard version < Self.version else { return }
      try db.write { db in
        // Another writer may just have created the tables, because a deletion of the history does
        // not hold the writer's lock.
        guard try db.number("PRAGMA user_version") == 0 else { return }
        try db.run(script: version1)
        try db.run(script: "PRAGMA application_id = \(application)")
        try db.run("PRAGMA user_version = 1")
      }
    }

    /// Returns the version of the database, 0 for an empty database. Throws if the version is newer
    /// or the database belongs to another program.
    static func check(_ db: borrowing SQLiteConnection, path: String) throws -> Int64 {
      let version = try db.number("PRAGMA user_version") ?? 0
      let application = try db.number("PRAGMA application_id") ?? 0
      if application == 0, version == 0,
        try db.number("SELECT 1 FROM sqlite_schema WHERE name = 'boot'") == nil
      {
        return 0
      }
      guard application == Self.application else {
        throw HistoryError(.failed, path: path, reason: "a database of another program")
      }
      guard version <= Self.version else {
        throw HistoryError(
          .failed, path: path,
          reason: "written by a newer otolith (format \(version), this one knows \(Self.version)); "
            + "update this one, or erase the history")
      }
      return version
    }
  }
#endif
