// SPDX-License-Identifier: Apache-2.0
#if History || Tool
  internal import CSQLite

  /// The current row of a statement. A column of another type is converted as SQLite does, because
  /// corruption or another program may have changed it.
  @safe  // the statement outlives it: only `SQLiteConnection.rows` makes one
  struct SQLiteRow: ~Copyable {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { unsafe self.statement = statement }  // see above

    /// Returns the number in a column, limited so that sums cannot overflow; 0 for NULL.
    func number(_ column: Int) -> Int64 { min(max(self[column], -1 << 61), 1 << 61) }

    /// Returns the value of a column with an enumeration's code; `nil` for an invalid code.
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
      // SQLite's bytes are valid until the statement advances. The pointer first: reading it may
      // convert.
      guard let bytes = unsafe sqlite3_column_blob(statement, Int32(column)) else { return [] }
      let count = unsafe Int(sqlite3_column_bytes(statement, Int32(column)))  // as above
      return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))  // as above
    }
  }
#endif
