// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import History

/// Databases that a connection writes are read by the program sqlite3, and the reverse.
@Suite struct SQLiteConnectionTests {
  private let rig: Rig
  private var path: String { rig.movement.path }

  init() throws {
    rig = try Rig()
    try FileManager.default.createDirectory(
      atPath: rig.movement.folder, withIntermediateDirectories: true)
  }

  @Test func `values are bound to the last bit, and never read as SQL`() throws {
    let db = try SQLiteConnection.open(path, for: .writing)
    try db.run(script: "CREATE TABLE t (a, b, c, d)")
    try db.run(
      """
      INSERT INTO t VALUES (\(Int64.min), \(true), \([UInt8]("'); DROP TABLE t; --".utf8)),
        \(.null))
      """)
    try db.run("INSERT INTO t VALUES (\(Int64.max), \(false), \([UInt8]()), \(.integer(-1)))")
    #expect(
      try rig.sql("SELECT quote(a), quote(b), quote(c), quote(d) FROM t") == """
        -9223372036854775808|1|X'27293B2044524F50205441424C4520743B202D2D'|NULL
        9223372036854775807|0|X''|-1
        """)
    #expect(db.lastInserted == 2 && db.changes == 1)
  }

  @Test func `a column of another kind is read as SQLite converts it`() throws {
    _ = try rig.sql(
      "CREATE TABLE t (a, b, c); INSERT INTO t VALUES ('12 m', NULL, x'0102'), (1e300, 2.9, 'ab')")
    let db = try SQLiteConnection.open(path, for: .reading)
    let rows = try db.rows("SELECT a, b, c FROM t ORDER BY rowid") { row in
      (row[0], row.number(0), row[1], row.isNull(1), row.bytes(2))
    }
    #expect(rows.count == 2)
    #expect(rows[0] == (12, 12, 0, true, [1, 2]))
    // The values are within the range of sums and differences.
    #expect(rows[1] == (.max, 1 << 61, 2, false, [0x61, 0x62]))
    #expect(try db.number("SELECT max(a) FROM t WHERE a > \(0) AND a < \(0)") == nil)
    #expect(try db.number("SELECT a FROM t WHERE false") == nil)
  }

  @Test func `a transaction that fails leaves nothing, and the next one works`() throws {
    struct Stop: Error {}
    let db = try SQLiteConnection.open(path, for: .writing)
    try db.run(script: "CREATE TABLE t (a PRIMARY KEY)")
    #expect(throws: Stop.self) {
      try db.write { db in
        try db.run("INSERT INTO t VALUES (\(Int64(1)))")
        throw Stop()
      }
    }
    // The second row is rejected; 19 is SQLITE_CONSTRAINT.
    let error = #expect(throws: SQLiteError.self) {
      try db.write { db in
        for _ in 0..<2 { try db.run("INSERT INTO t VALUES (\(Int64(1)))") }
      }
    }
    #expect(error?.code == 19 && error?.message == "UNIQUE constraint failed: t.a")
    #expect(try rig.sql("SELECT count(*) FROM t") == "0")
    try db.write { db in try db.run("INSERT INTO t VALUES (\(Int64(3)))") }
    #expect(try rig.sql("SELECT a FROM t") == "3")
  }

  @Test func `what one transaction reads, no other connection changes`() throws {
    _ = try rig.sql("PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let db = try SQLiteConnection.open(path, for: .reading)
    let seen = try db.read { db in
      let before = try db.number("SELECT sum(a) FROM t")
      _ = try rig.sql("INSERT INTO t VALUES (10)")
      return [before, try db.number("SELECT sum(a) FROM t")]
    }
    #expect(seen == [1, 1])
    #expect(try db.number("SELECT sum(a) FROM t") == 11)
    // 8 is SQLITE_READONLY.
    let error = #expect(throws: SQLiteError.self) { try db.run("DELETE FROM t") }
    #expect(error?.code == 8)
  }

  @Test func `the log is emptied into the file, or the reader that prevents it is reported`() throws
  {
    let db = try SQLiteConnection.open(path, for: .writing)
    try db.run(script: "PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    #expect(try #require(FileIdentity.size(path + "-wal")) > 0)
    try db.emptyLog()
    #expect(FileIdentity.size(path + "-wal") == 0)
    let reader = try SQLiteConnection.open(path, for: .reading)
    try reader.read { reader in
      _ = try reader.number("SELECT count(*) FROM t")
      try db.run("INSERT INTO t VALUES (\(Int64(2)))")
      // 5 is SQLITE_BUSY, after waiting five seconds for the lock.
      let error = #expect(throws: SQLiteError.self) { try db.emptyLog() }
      #expect(error?.code == 5)
    }
    try db.emptyLog()
  }

  @Test func `a file that is not SQLite's, and one that is missing, are reported`() throws {
    // 14 is SQLITE_CANTOPEN, 26 SQLITE_NOTADB.
    let missing = #expect(throws: SQLiteError.self) {
      _ = try SQLiteConnection.open(path, for: .reading)
    }
    #expect(missing?.code == 14 && missing?.message == "unable to open database file")
    try Data("no database, but long enough that its first page is read as one".utf8)
      .write(to: URL(filePath: path))
    let other = #expect(throws: SQLiteError.self) {
      let db = try SQLiteConnection.open(path, for: .reading)
      _ = try db.number("SELECT count(*) FROM sqlite_schema")
    }
    #expect(other?.code == 26 && other?.message == "file is not a database")
  }
}
