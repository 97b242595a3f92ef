#include <sqlite3.h>

/// `SQLITE_TRANSIENT` is a cast of a number to a function, which Swift does not see: SQLite copies what is bound.
static inline int coach_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
  return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

/// An empty blob is not the same as none.
static inline int coach_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  if (count == 0) return sqlite3_bind_zeroblob(statement, index, 0);
  return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/// Takes a variable number of arguments, which Swift does not call: while it is on, `VACUUM` makes an empty database of any.
static inline int coach_set_reset(sqlite3 *database, int isOn) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_RESET_DATABASE, isOn, (int *)0);
}
