// SPDX-License-Identifier: Apache-2.0
#if History || Tool
  internal import CSQLite

  struct SQLiteError: Error {
    /// The primary result code (sqlite.org, "Result and Error Codes").
    let code: Int32
    let message: String

    /// Creates the error for a code, which may be an extended one, with SQLite's message for it by
    /// default.
    init(_ code: Int32, _ message: String? = nil) {
      self.code = code & 0xFF
      // SQLite copies the text, so it need not outlive the call.
      self.message = unsafe message ?? String(cString: sqlite3_errstr(code))
    }
  }
#endif
