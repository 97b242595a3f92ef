extension FleetSchema {
  /// What was deleted beside sessions, by what identifies it for good and says nothing else: profiles by their identities, secrets, identities
  /// and groups by theirs, places in groups and recordings of motion by hashes. A database that comes back as of an earlier time deletes
  /// it again, and nothing of whoever is called the same since. What comes back by itself, as a profile that an old folder
  /// brings, says so.
  ///
  /// It only adds: triggers write it, whatever instance deletes.
  static let forgotten = FleetMigration(
    number: 13, name: "what is forgotten", isBreaking: false,
    script: """
      CREATE TABLE coach.forgotten (
        kind text NOT NULL,
        id text NOT NULL,
        is_back boolean NOT NULL DEFAULT false,
        PRIMARY KEY (kind, id));

      CREATE FUNCTION coach.forget_again(p_kind text, p_id text) RETURNS void LANGUAGE sql AS $body$
        INSERT INTO coach.forgotten AS known (kind, id) SELECT p_kind, p_id WHERE p_id IS NOT NULL
          ON CONFLICT (kind, id) DO UPDATE SET is_back = false WHERE known.is_back
      $body$;
      -- The identity in the text of a profile; none in one from before profiles had one.
      CREATE FUNCTION coach.profile_id(p_text bytea) RETURNS text LANGUAGE sql IMMUTABLE AS $body$
        SELECT substring(encode(p_text, 'escape') FROM '"id" *: *"([0-9a-f]{32})"')
      $body$;
      CREATE FUNCTION coach.member_id(p_group text, p_person text, p_joined_ns bigint) RETURNS text
      LANGUAGE sql IMMUTABLE AS $body$
        SELECT encode(sha256(convert_to(p_group || ' ' || p_person || ' ' || p_joined_ns, 'UTF8')), 'hex')
      $body$;
      CREATE FUNCTION coach.file_id(p_name text, p_digest bytea) RETURNS text LANGUAGE sql IMMUTABLE AS $body$
        SELECT encode(sha256(convert_to(p_name, 'UTF8') || p_digest), 'hex')
      $body$;

      CREATE FUNCTION coach.note_forgotten() RETURNS trigger LANGUAGE plpgsql AS $body$
      BEGIN
        PERFORM coach.forget_again(TG_ARGV[0], OLD.id);
        RETURN NULL;
      END
      $body$;
      -- One that is over lets nobody in, whatever comes back.
      CREATE TRIGGER note_forgotten AFTER DELETE ON coach.grant_ FOR EACH ROW
        WHEN (OLD.expires_ns > extract(epoch FROM clock_timestamp()) * 1000000000)
        EXECUTE FUNCTION coach.note_forgotten('grant');
      CREATE TRIGGER note_forgotten AFTER DELETE ON coach.identity
        FOR EACH ROW EXECUTE FUNCTION coach.note_forgotten('identity');
      CREATE TRIGGER note_forgotten AFTER DELETE ON coach.group_
        FOR EACH ROW EXECUTE FUNCTION coach.note_forgotten('group');

      CREATE FUNCTION coach.note_forgotten_member() RETURNS trigger LANGUAGE plpgsql AS $body$
      BEGIN
        PERFORM coach.forget_again('member', coach.member_id(OLD.group_, OLD.person, OLD.joined_ns));
        RETURN NULL;
      END
      $body$;
      CREATE TRIGGER note_forgotten AFTER DELETE ON coach.member
        FOR EACH ROW EXECUTE FUNCTION coach.note_forgotten_member();

      -- Before, while its pieces are there. What is nobody's, such as models, is not forgotten.
      CREATE FUNCTION coach.note_forgotten_file() RETURNS trigger LANGUAGE plpgsql AS $body$
      BEGIN
        IF starts_with(OLD.name, 'profiles/') THEN
          PERFORM coach.forget_again('profile', (
            SELECT coach.profile_id(string_agg(content, ''::bytea ORDER BY index)) FROM coach.kept_piece
              WHERE file = OLD.name));
        ELSE
          PERFORM coach.forget_again('file', coach.file_id(OLD.name, OLD.digest));
        END IF;
        RETURN OLD;
      END
      $body$;
      CREATE TRIGGER note_forgotten BEFORE DELETE ON coach.kept_file FOR EACH ROW
        WHEN (OLD.person IS NOT NULL) EXECUTE FUNCTION coach.note_forgotten_file();

      CREATE FUNCTION coach.note_back() RETURNS trigger LANGUAGE plpgsql AS $body$
      BEGIN
        IF TG_TABLE_NAME = 'kept_piece' THEN
          UPDATE coach.forgotten SET is_back = true
            WHERE kind = 'profile' AND id = coach.profile_id(NEW.content) AND NOT is_back;
        ELSE
          UPDATE coach.forgotten SET is_back = true
            WHERE kind = 'file' AND id = coach.file_id(NEW.name, NEW.digest) AND NOT is_back;
        END IF;
        RETURN NULL;
      END
      $body$;
      CREATE TRIGGER note_back AFTER INSERT ON coach.kept_piece FOR EACH ROW
        WHEN (starts_with(NEW.file, 'profiles/') AND NEW.index = 1) EXECUTE FUNCTION coach.note_back();
      CREATE TRIGGER note_back AFTER INSERT ON coach.kept_file FOR EACH ROW
        WHEN (NEW.person IS NOT NULL AND NOT starts_with(NEW.name, 'profiles/')) EXECUTE FUNCTION coach.note_back();
      REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA coach FROM PUBLIC;
      """)
}
