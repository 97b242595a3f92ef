extension FleetSchema {
  /// The audit of all instances: lines that are only ever added. A line is known by who wrote it and its number there, so that a batch
  /// whose answer was lost is written again as it is.
  ///
  /// It only adds: an older instance goes on with a file of its own.
  static let audit = FleetMigration(
    number: 9, name: "audit", isBreaking: false,
    script: """
      CREATE TABLE coach.audit (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        writer text NOT NULL,
        index bigint NOT NULL,
        line bytea NOT NULL,
        UNIQUE (writer, index));
      CREATE FUNCTION coach.keep_audit() RETURNS trigger LANGUAGE plpgsql AS $body$
      BEGIN
        RAISE EXCEPTION 'the audit is only ever added to' USING ERRCODE = '\(auditIsKept)';
      END
      $body$;
      CREATE TRIGGER keep_audit BEFORE UPDATE OR DELETE ON coach.audit
        FOR EACH ROW EXECUTE FUNCTION coach.keep_audit();
      CREATE TRIGGER keep_all_of_audit BEFORE TRUNCATE ON coach.audit
        FOR EACH STATEMENT EXECUTE FUNCTION coach.keep_audit();
      REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA coach FROM PUBLIC;
      """)

  /// What the server says when a line of the audit is to be changed or deleted.
  static let auditIsKept = "CO005"
}
