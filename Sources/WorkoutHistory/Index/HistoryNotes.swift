package import SessionStore
internal import TextFormats

extension HistoryWorker {
  /// Changes what is written down about a session that is over; what is written down then.
  ///
  /// - Throws: `SessionInUse` while a process records it, ``SessionGone``, `RecordingError` or `FileError` when the file cannot be read or
  ///   written, or what `edit` throws.
  func editNotes(
    of sessionID: String, _ edit: @Sendable (inout SessionNotes) throws -> Void
  ) throws -> SessionNotes {
    try holding(sessionID) { folder in
      var notes = try SessionNotes.read(in: folder)
      let before = notes
      try edit(&notes)
      let (after, isChanged) = (notes, notes != before)
      // What is there already may be missing in the index alone.
      guard try isChanged || !indexHas(after, of: sessionID) else { return after }
      try annotate(sessionID) {
        if isChanged { try after.write(to: folder) }
      } agree: {
        try self.writer.wait { try $0.keep(after, of: sessionID) }
      }
      return after
    }
  }

  /// Whether the index says the same, or does not know the session.
  private func indexHas(_ notes: SessionNotes, of sessionID: String) throws -> Bool {
    let known = try rows(of: sessionID).rows
    guard !known.isEmpty else { return true }
    return known.filter { [.note, .tag].contains($0.table) } == SessionRows.rows(of: notes, sessionID: sessionID)
  }
}

extension IndexWriter {
  /// Takes what is written down about a session into the index, when that knows the session. The folder is held meanwhile, so
  /// that nobody writes something else down.
  fileprivate func keep(_ notes: SessionNotes, of sessionID: String) throws {
    let database = try database()
    try database.transaction(.changing) {
      let known = try database.query("SELECT 1 FROM session WHERE id = ?", .text(sessionID)) { $0.int(0) }
      guard !known.isEmpty else { return }
      for table in [SessionRows.Table.note, .tag] {
        try database.run("DELETE FROM \(table.rawValue) WHERE session = ?", .text(sessionID))
      }
      for row in SessionRows.rows(of: notes, sessionID: sessionID) { try row.insert(into: database) }
    }
  }
}

extension History {
  /// Changes what is written down about a session that is over; what is written down then. No raw log is changed.
  ///
  /// - Throws: `SessionInUse` while a process records it, ``SessionGone``, `RecordingError` or `FileError` when the file cannot be read or
  ///   written, or what `edit` throws.
  package func editNotes(
    of sessionID: String, _ edit: @Sendable (inout SessionNotes) throws -> Void
  ) async throws -> SessionNotes {
    try await change { try $0.editNotes(of: sessionID, edit) }
  }
}
