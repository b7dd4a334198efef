// SPDX-License-Identifier: Apache-2.0
//
// SQLite's interface, and what Swift does not see of it.
#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

// SQLITE_TRANSIENT is a pointer made of -1.
static inline int otolith_sqlite_bind_copy(
    sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

#endif
