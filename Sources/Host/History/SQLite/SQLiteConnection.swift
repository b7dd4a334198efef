// SPDX-License-Identifier: Apache-2.0
#if History || Tool
  internal import CSQLite

  /// A connection to a database file, which is closed on deinit.
  ///
  /// SQLite makes the connection thread-safe (SQLITE_OPEN_FULLMUTEX). Its owners nevertheless use
  /// it from one thread at a time, because a transaction belongs to the connection.
  @safe  // the handle is valid from init to deinit, and used only here
  struct SQLiteConnection: ~Copyable, @unchecked Sendable {  // SQLite locks it: FULLMUTEX
    private let handle: OpaquePointer
    /// The identity that the database file had before it was opened.
    private let identity: FileIdentity?

    private init(_ handle: OpaquePointer, _ identity: FileIdentity?) {
      unsafe self.handle = handle  // from `open`
      self.identity = identity
    }

    deinit {
      unsafe sqlite3_close_v2(handle)  // not used afterwards
    }

    enum Mode {
      case reading
      /// The connection is for writing. A missing file is created.
      case writing
    }

    /// Opens a database file. Waits for up to five seconds if another connection holds its lock.
    static func open(_ path: String, for mode: Mode) throws(SQLiteError) -> SQLiteConnection {
      let access =
        switch mode {
        case .reading: SQLITE_OPEN_READONLY
        case .writing: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        }
      let identity = FileIdentity(path)
      var opened: OpaquePointer?
      // The C function does not keep the path's pointer. The handle gets an owner below, or is
      // closed here.
      let code = unsafe sqlite3_open_v2(path, &opened, access | SQLITE_OPEN_FULLMUTEX, nil)
      guard code == SQLITE_OK, let handle = unsafe opened else {
        let error = unsafe SQLiteError(
          code, opened.map { unsafe String(cString: sqlite3_errmsg($0)) })
        unsafe sqlite3_close_v2(opened)  // nil is allowed
        throw error
      }
      let connection = unsafe SQLiteConnection(handle, identity)  // the only owner
      unsafe sqlite3_busy_timeout(handle, 5000)  // connection open
      try connection.run("PRAGMA foreign_keys = ON")
      return connection
    }

    /// Returns true if the path still names the opened file; users may delete files and folders.
    func isStill(at path: String) -> Bool { FileIdentity(path) == identity }

    // MARK: Statements

    /// Runs one or several SQL statements that have no values.
    func run(script: String) throws(SQLiteError) {
      // The C function does not keep the text's pointer.
      try check(unsafe sqlite3_exec(handle, script, nil, nil, nil))
    }

    /// Runs an SQL statement to its end.
    func run(_ statement: SQLStatement) throws(SQLiteError) {
      _ = try rows(statement) { _ in }
    }

    /// Returns the results of `read` for each row of a query, in order.
    func rows<Value>(
      _ statement: SQLStatement, _ read: (borrowing SQLiteRow) -> Value
    ) throws(SQLiteError) -> [Value] {
      var prepared: OpaquePointer?
      // The C function does not keep the text's pointer.
      try check(unsafe sqlite3_prepare_v2(handle, statement.text, -1, &prepared, nil))
      // The statement exists longer than the rows below; finalizing nil is allowed.
      defer { unsafe sqlite3_finalize(prepared) }
      guard let prepared = unsafe prepared else { return [] }
      for (index, value) in statement.values.enumerated() {
        let place = Int32(index + 1)
        let code =
          switch value {
          case .integer(let number): unsafe sqlite3_bind_int64(prepared, place, number)  // prepared
          // SQLite copies the bytes before it returns.
          case .bytes(let bytes):
            unsafe otolith_sqlite_bind_copy(prepared, place, bytes, Int32(bytes.count))
          case .null: unsafe sqlite3_bind_null(prepared, place)  // prepared
          }
        try check(code)
      }
      var values: [Value] = []
      while true {
        let code = unsafe sqlite3_step(prepared)  // prepared
        guard code == SQLITE_ROW else {
          guard code == SQLITE_DONE else { throw error(code) }
          return values
        }
        values.append(read(unsafe SQLiteRow(prepared)))  // prepared
      }
    }

    /// Returns the number in the first column of the first row; `nil` if there is no row, and for
    /// NULL.
    func number(_ statement: SQLStatement) throws(SQLiteError) -> Int64? {
      try rows(statement) { $0.isNull(0) ? nil : $0[0] }.first ?? nil
    }

    /// Returns true if SQLite finds no damage in the database file.
    func isSound() throws(SQLiteError) -> Bool {
      try rows("PRAGMA quick_check(1)") { $0.bytes(0) } == [Array("ok".utf8)]
    }

    /// The ID of the row that was inserted last.
    var lastInserted: Int64 { unsafe sqlite3_last_insert_rowid(handle) }  // connection open

    /// The number of rows that the last SQL statement changed.
    var changes: Int { unsafe Int(sqlite3_changes(handle)) }  // connection open

    // MARK: Transactions

    /// Runs `body` in one transaction, so that concurrent writers do not affect what `body` reads.
    func read<Value>(_ body: (borrowing SQLiteConnection) throws -> Value) throws -> Value {
      try transaction("BEGIN", body)
    }

    /// Runs `body` in one transaction. When the function returns, all changes are on disk. If the
    /// function throws, none of the changes is on disk.
    func write<Value>(_ body: (borrowing SQLiteConnection) throws -> Value) throws -> Value {
      try transaction("BEGIN IMMEDIATE", body)
    }

    private func transaction<Value>(
      _ begin: String, _ body: (borrowing SQLiteConnection) throws -> Value
    ) throws -> Value {
      try run(script: begin)
      do {
        let value = try body(self)
        try run("COMMIT")
        return value
      } catch {
        // Some errors of SQLite end the transaction automatically.
        if unsafe sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }  // connection open
        throw error
      }
    }

    /// Moves the log into the database and truncates it. Throws if a reader holds the log.
    func emptyLog() throws(SQLiteError) {
      // Without a name the checkpoint applies to all databases of the connection.
      try check(unsafe sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil))
    }

    // MARK: Errors

    private func check(_ code: Int32) throws(SQLiteError) {
      if code != SQLITE_OK { throw error(code) }
    }

    private func error(_ code: Int32) -> SQLiteError {
      // The error text belongs to the connection until its next call, and is copied.
      SQLiteError(code, unsafe String(cString: sqlite3_errmsg(handle)))
    }
  }
#endif
