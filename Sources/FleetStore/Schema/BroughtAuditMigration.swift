internal import TextFormats

extension FleetSchema {
  /// The audit that folders have brought, which is a file beside those of people: as the lines of instances it is only ever added to.
  /// More of it comes as further pieces, and its size only grows.
  ///
  /// It only adds: a copy by an older program, which put another row in its place, is refused.
  static let broughtAudit = FleetMigration(
    number: 11, name: "audit of folders", isBreaking: false,
    script: """
      CREATE FUNCTION coach.keep_brought_audit() RETURNS trigger LANGUAGE plpgsql AS $body$
      BEGIN
        IF TG_OP = 'UPDATE' THEN
          IF NEW.name = OLD.name AND NEW.person IS NOT DISTINCT FROM OLD.person AND NEW.byte_count >= OLD.byte_count THEN
            RETURN NEW;
          END IF;
        ELSIF TG_OP = 'TRUNCATE' THEN
          IF NOT EXISTS (SELECT FROM coach.kept_file WHERE name = '\(auditFile)') THEN
            RETURN NULL;
          END IF;
        END IF;
        RAISE EXCEPTION 'the audit is only ever added to' USING ERRCODE = '\(auditIsKept)';
      END
      $body$;
      CREATE TRIGGER keep_audit BEFORE UPDATE OR DELETE ON coach.kept_file
        FOR EACH ROW WHEN (OLD.name = '\(auditFile)') EXECUTE FUNCTION coach.keep_brought_audit();
      CREATE TRIGGER keep_pieces_of_audit BEFORE UPDATE OR DELETE ON coach.kept_piece
        FOR EACH ROW WHEN (OLD.file = '\(auditFile)') EXECUTE FUNCTION coach.keep_audit();
      CREATE TRIGGER keep_all_of_audit BEFORE TRUNCATE ON coach.kept_file
        FOR EACH STATEMENT EXECUTE FUNCTION coach.keep_brought_audit();
      CREATE TRIGGER keep_all_pieces_of_audit BEFORE TRUNCATE ON coach.kept_piece
        FOR EACH STATEMENT EXECUTE FUNCTION coach.keep_brought_audit();
      REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA coach FROM PUBLIC;
      """)

  /// What the audit of a folder is called there.
  private static let auditFile = "audit.jsonl"
}
