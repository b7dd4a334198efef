// SPDX-License-Identifier: Apache-2.0
#if History || Tool
  internal import CSQLite

  /// A call of SQLite's that failed.
  struct SQLiteError: Error {
    /// The primary result code (sqlite.org, "Result and Error Codes").
    let code: Int32
    let message: String

    /// Creates the error of a code, which may be an extended one, with SQLite's own words for it
    /// unless there are better ones.
    init(_ code: Int32, _ message: String? = nil) {
      self.code = code & 0xFF
      // The text is static, and copied.
      self.message = unsafe message ?? String(cString: sqlite3_errstr(code))
    }
  }
#endif
