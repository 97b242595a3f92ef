extension FleetSchema {
  /// What the service keeps beside the sessions, as `service.sqlite` has it: secrets by their hashes, requests to begin, groups,
  /// and who is who at a provider. Columns stand in the order of those tables, because the same statements write both.
  ///
  /// `change` counts what was changed of the secrets, and the sessions that were deleted, so that instances see at once that they
  /// have to look. Its row is locked until a change is committed: who reads a number sees all changes up to it.
  static let service = FleetMigration(
    number: 3, name: "service", isBreaking: false,
    script: """
      CREATE TABLE coach.grant_ (
        id text PRIMARY KEY, kind text NOT NULL, digest bytea NOT NULL UNIQUE, scopes text NOT NULL, person text,
        session text, group_ text, request text, created_ns bigint NOT NULL, expires_ns bigint NOT NULL);
      CREATE INDEX grant_of_session ON coach.grant_ (session) WHERE session IS NOT NULL;
      CREATE TABLE coach.link (digest bytea PRIMARY KEY, person text, expires_ns bigint NOT NULL);
      CREATE TABLE coach.repeat (
        maker text NOT NULL, key text NOT NULL, body bytea NOT NULL, session text NOT NULL, created_ns bigint NOT NULL,
        PRIMARY KEY (maker, key));
      CREATE INDEX repeat_of_session ON coach.repeat (session);
      CREATE TABLE coach.group_ (
        id text PRIMARY KEY, name text NOT NULL, maker text NOT NULL, person text, created_ns bigint NOT NULL);
      CREATE TABLE coach.member (
        group_ text NOT NULL REFERENCES coach.group_ (id) ON DELETE CASCADE, person text NOT NULL, shares text NOT NULL,
        joined_ns bigint NOT NULL, PRIMARY KEY (group_, person));
      CREATE INDEX member_person ON coach.member (person);
      CREATE TABLE coach.address (url text NOT NULL);
      CREATE TABLE coach.issuer (url text NOT NULL);
      CREATE TABLE coach.identity (
        id text PRIMARY KEY, issuer text NOT NULL, claim text NOT NULL, value text NOT NULL, person text,
        created_ns bigint NOT NULL, UNIQUE (issuer, claim, value));
      CREATE TABLE coach.identity_sign_in (grant_ text PRIMARY KEY, identity text NOT NULL);

      CREATE TABLE coach.change (number bigint NOT NULL);
      INSERT INTO coach.change VALUES (1);
      CREATE FUNCTION coach.note_change() RETURNS trigger LANGUAGE plpgsql AS $body$
      BEGIN
        UPDATE coach.change SET number = number + 1;
        RETURN NULL;
      END
      $body$;
      CREATE TRIGGER note_change AFTER INSERT OR UPDATE OR DELETE ON coach.grant_
        FOR EACH STATEMENT EXECUTE FUNCTION coach.note_change();

      -- What was deleted, so that instances delete what they have of it: an identity, and nothing else.
      CREATE TABLE coach.deletion (
        session text PRIMARY KEY, deleted_in xid8 NOT NULL DEFAULT pg_current_xact_id());
      CREATE INDEX deletion_order ON coach.deletion (deleted_in);
      CREATE FUNCTION coach.delete_all_of_session() RETURNS trigger LANGUAGE plpgsql AS $body$
      BEGIN
        DELETE FROM coach.log_row WHERE session = OLD.id;
        DELETE FROM coach.decision WHERE session = OLD.id;
        DELETE FROM coach.repeat WHERE session = OLD.id;
        DELETE FROM coach.grant_ WHERE session = OLD.id;
        INSERT INTO coach.deletion (session) VALUES (OLD.id) ON CONFLICT DO NOTHING;
        UPDATE coach.change SET number = number + 1;
        RETURN OLD;
      END
      $body$;
      CREATE TRIGGER delete_all_of_session AFTER DELETE ON coach.session
        FOR EACH ROW EXECUTE FUNCTION coach.delete_all_of_session();
      """)
}
