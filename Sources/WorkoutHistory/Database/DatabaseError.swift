private import CSQLite

/// Why a database cannot be used. Values that were bound never stand in it.
package struct DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file.
  package let path: String
  /// What was tried, such as `cannot open`.
  package let action: String
  /// The extended result code of SQLite.
  package let code: Int32
  /// The words of SQLite for it, or our own.
  package let reason: String

  /// The code for a database that is not ours to read.
  package static let foreignDatabase = SQLITE_MISMATCH

  /// The code for a database that would have to be changed where nothing can be written.
  package static let unwritableDatabase = SQLITE_READONLY

  /// The code for a database whose content is not what coach writes; it can be made anew from the sessions.
  static let damagedDatabase = SQLITE_CORRUPT

  /// Creates an error; without `reason` the words are those of SQLite for the code.
  package init(_ path: String, _ action: String, code: Int32, reason: String? = nil) {
    self.path = path
    self.action = action
    self.code = code
    let words = unsafe sqlite3_errstr(code).map { unsafe String(cString: $0) }
    self.reason = reason ?? words ?? "error \(code)"
  }

  /// What is held by another process.
  static func busy(_ path: String, _ reason: String) -> DatabaseError {
    DatabaseError(path, "cannot use", code: SQLITE_BUSY, reason: reason)
  }

  /// Whether another process held the database for longer than was waited.
  package var isBusy: Bool { [SQLITE_BUSY, SQLITE_LOCKED].contains(code & 0xFF) }

  /// Whether the file is no database, or a damaged one, as one with a value that is longer than coach makes any; it can be made anew from
  /// the sessions.
  package var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_TOOBIG].contains(code & 0xFF) }

  /// Whether a statement does not fit the tables that are there.
  var isOfTables: Bool { code & 0xFF == SQLITE_ERROR }

  /// Whether it may be that the file, or one beside it, cannot be created or written.
  var isOfWriting: Bool { [SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_IOERR].contains(code & 0xFF) }

  /// Whether it may be that the disk has no room for the file, or for one beside it.
  var mayBeOfSpace: Bool { [SQLITE_FULL, SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xFF) }

  /// The same of a disk that is known to be full, of which SQLite has the words of many other things.
  var onFullDisk: DatabaseError { DatabaseError(path, action, code: SQLITE_FULL, reason: "no space left on the disk") }

  /// 65 for a file that is no database of ours, 69 when another process holds it, 73 when it cannot be opened, 74 for
  /// the rest.
  package var exitCode: Int32 {
    if isBusy { return 69 }
    if isDamage || code == Self.foreignDatabase { return 65 }
    return [SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH].contains(code & 0xFF) ? 73 : 74
  }

  /// `coach.sqlite: cannot open: file is not a database`.
  package var description: String { "\(path): \(action): \(reason)" }
}
