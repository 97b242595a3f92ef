package import SessionStore
internal import TextFormats

/// What somebody writes down about sessions that are over.
extension FleetStore {
  /// Changes what is written down about a session that is over; what is written down then, `nil` where there is no such session.
  /// Those who change the same one take turns. It can be repeated.
  ///
  /// - Throws: `PostgresError`, `.damaged` for notes that say something else than expected, or what `edit` throws.
  package func editNotes(
    of sessionID: String, _ edit: (inout SessionNotes) throws -> Void
  ) throws -> SessionNotes? {
    let edited = try changing { connection throws(PostgresError) in
      try Self.editNotes(of: sessionID, in: connection, edit)
    }
    return try edited.get()
  }

  private static func editNotes(
    of sessionID: String, in connection: PostgresConnection, _ edit: (inout SessionNotes) throws -> Void
  ) throws(PostgresError) -> Result<SessionNotes?, any Error> {
    let known = try connection.run(
      "SELECT FROM coach.session WHERE id = $1 AND ended_ns IS NOT NULL AND summary IS NOT NULL FOR UPDATE",
      [.text(sessionID)])
    guard !known.rows.isEmpty else { return .success(nil) }
    let name = PostgresValue.text(SessionFolder.notes)
    let file = try connection.run(
      "SELECT content FROM coach.session_file WHERE session = $1 AND name = $2", [.text(sessionID), name])
    let before = try notes(file.rows.first?.bytes(0), of: sessionID)
    var notes = before
    do { try edit(&notes) } catch { return .failure(error) }
    guard notes != before else { return .success(notes) }
    if let text = notes.file {
      _ = try connection.run(
        """
        INSERT INTO coach.session_file (session, name, content) VALUES ($1, $2, $3)
        ON CONFLICT (session, name) DO UPDATE SET content = EXCLUDED.content
        """, [.text(sessionID), name, .bytes(text)])
    } else {
      _ = try connection.run(
        "DELETE FROM coach.session_file WHERE session = $1 AND name = $2", [.text(sessionID), name])
    }
    _ = try connection.run(
      "UPDATE coach.session SET noted_in = pg_current_xact_id() WHERE id = $1", [.text(sessionID)])
    return .success(notes)
  }

  private static func notes(_ text: [UInt8]?, of sessionID: String) throws(PostgresError) -> SessionNotes {
    guard let text else { return SessionNotes() }
    do throws(JSONError) { return try SessionNotes(file: text) } catch {
      throw PostgresError(.damaged, "\(sessionID): its notes: \(error)")
    }
  }
}
