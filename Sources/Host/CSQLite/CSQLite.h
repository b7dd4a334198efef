// SPDX-License-Identifier: Apache-2.0
//
// SQLite's interface, with a function for the part that Swift does not import.
#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

// Swift does not import SQLITE_TRANSIENT, which is a pointer made from -1.
static inline int otolith_sqlite_bind_copy(
    sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

#endif
