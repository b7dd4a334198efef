// SPDX-License-Identifier: Apache-2.0
#if History || Tool
  internal import CSQLite

  /// The row at which a statement stands, while it is read. A column that holds something else than
  /// is asked for is converted as SQLite does: rot or another program may have made any of it.
  @safe  // the statement that it points to outlives it: only `SQLiteConnection.rows` makes one
  struct SQLiteRow: ~Copyable {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { unsafe self.statement = statement }  // see above

    /// The number in a column, within what can be added and taken away; 0 for NULL.
    func number(_ column: Int) -> Int64 { min(max(self[column], -1 << 61), 1 << 61) }

    /// The value of a column whose numbers are codes; `nil` where it is none.
    func code<Value: RawRepresentable>(_ column: Int) -> Value?
    where Value.RawValue: FixedWidthInteger {
      Value.RawValue(exactly: number(column)).flatMap(Value.init)
    }

    func isNull(_ column: Int) -> Bool {
      unsafe sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL  // see above
    }

    subscript(column: Int) -> Int64 {
      unsafe sqlite3_column_int64(statement, Int32(column))  // see above
    }

    func bytes(_ column: Int) -> [UInt8] {
      // SQLite's bytes stay until the statement moves on. The pointer first: it may convert.
      guard let bytes = unsafe sqlite3_column_blob(statement, Int32(column)) else { return [] }
      let count = unsafe Int(sqlite3_column_bytes(statement, Int32(column)))  // as above
      return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))  // as above
    }
  }
#endif
