// SPDX-License-Identifier: Apache-2.0
#if History || Tool
  internal import CSQLite

  struct SQLiteError: Error {
    /// SQLite's primary result code (sqlite.org, "Result and Error Codes").
    let code: Int32
    let message: String

    /// Creates the error for a code, which may be an extended code. The default message is SQLite's
    /// message for the code.
    init(_ code: Int32, _ message: String? = nil) {
      self.code = code & 0xFF
      // SQLite owns the error text, which is copied.
      self.message = unsafe message ?? String(cString: sqlite3_errstr(code))
    }
  }
#endif
