internal import SessionStore

extension FleetSchema {
  /// What somebody writes down about a session at an instance: it stands among the files of the session, as that of a copied session
  /// does, and the session says in which transaction it was changed last, so that the others see it with their next look.
  ///
  /// It only adds: an older instance goes on, and has the notes as they were when it took the session into its history.
  static let notes = FleetMigration(
    number: 7, name: "notes", isBreaking: false,
    script: """
      ALTER TABLE coach.session ADD COLUMN noted_in xid8;
      CREATE INDEX session_of_notes ON coach.session (noted_in) WHERE noted_in IS NOT NULL;
      UPDATE coach.session SET noted_in = pg_current_xact_id()
        WHERE id IN (SELECT session FROM coach.session_file WHERE name = '\(SessionFolder.notes)');
      """)
}
