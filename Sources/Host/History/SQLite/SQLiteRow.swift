// SPDX-License-Identifier: Apache-2.0
#if History || Tool
  internal import CSQLite

  /// The current row of a statement. A column of another type is converted as SQLite converts it,
  /// because damage or another program may have changed the type.
  @safe  // the statement exists longer: only `SQLiteConnection.rows` makes a row
  struct SQLiteRow: ~Copyable {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { unsafe self.statement = statement }  // still valid

    /// Returns the number in a column, limited so that sums cannot overflow; 0 for NULL.
    func number(_ column: Int) -> Int64 { min(max(self[column], -1 << 61), 1 << 61) }

    /// Returns the value of an enumeration for the code in a column; `nil` if the code is invalid.
    func code<Value: RawRepresentable>(_ column: Int) -> Value?
    where Value.RawValue: FixedWidthInteger {
      Value.RawValue(exactly: number(column)).flatMap(Value.init)
    }

    func isNull(_ column: Int) -> Bool {
      unsafe sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL  // still valid
    }

    subscript(column: Int) -> Int64 {
      unsafe sqlite3_column_int64(statement, Int32(column))  // still valid
    }

    func bytes(_ column: Int) -> [UInt8] {
      // The bytes are valid until the statement advances. The pointer is read first, because
      // reading the pointer may convert the value.
      guard let bytes = unsafe sqlite3_column_blob(statement, Int32(column)) else { return [] }
      let count = unsafe Int(sqlite3_column_bytes(statement, Int32(column)))  // still valid
      return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))  // copied here
    }
  }
#endif
