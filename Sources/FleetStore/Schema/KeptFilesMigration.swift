extension FleetSchema {
  /// What a folder store has and no other table: files of a session that grow in no log, such as its notes, and files of the data
  /// folder, such as profiles.
  ///
  /// It only adds, so that an older instance goes on; what it writes from a log lacks the notes. Files of a session go with
  /// the session, and those of a person are found by the person.
  static let keptFiles = FleetMigration(
    number: 4, name: "kept files", isBreaking: false,
    script: """
      CREATE TABLE coach.session_file (
        session text NOT NULL REFERENCES coach.session (id) ON DELETE CASCADE,
        name text NOT NULL,
        content bytea NOT NULL,
        PRIMARY KEY (session, name));

      CREATE TABLE coach.kept_file (
        name text PRIMARY KEY,
        person text,
        byte_count bigint NOT NULL,
        digest bytea NOT NULL);
      CREATE INDEX kept_file_person ON coach.kept_file (person) WHERE person IS NOT NULL;
      CREATE TABLE coach.kept_piece (
        file text NOT NULL REFERENCES coach.kept_file (name) ON DELETE CASCADE,
        index bigint NOT NULL,
        content bytea NOT NULL,
        PRIMARY KEY (file, index));
      """)
}
