extension FleetSchema {
  /// Profiles that instances use: files of the data folder, as a copy keeps them, and a number that says whether one has changed.
  ///
  /// The row of the number is locked until a change is committed: who reads a number sees all changes up to it. It only adds: an
  /// older instance goes on without the profiles, as before.
  static let profiles = FleetMigration(
    number: 8, name: "profiles", isBreaking: false,
    script: """
      CREATE TABLE coach.profile_change (number bigint NOT NULL);
      INSERT INTO coach.profile_change VALUES (1);
      CREATE FUNCTION coach.note_profile() RETURNS trigger LANGUAGE plpgsql AS $body$
      BEGIN
        UPDATE coach.profile_change SET number = number + 1;
        RETURN NULL;
      END
      $body$;
      CREATE TRIGGER note_profile AFTER INSERT OR UPDATE ON coach.kept_file
        FOR EACH ROW WHEN (starts_with(NEW.name, 'profiles/')) EXECUTE FUNCTION coach.note_profile();
      CREATE TRIGGER note_profile_that_goes AFTER DELETE ON coach.kept_file
        FOR EACH ROW WHEN (starts_with(OLD.name, 'profiles/')) EXECUTE FUNCTION coach.note_profile();
      REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA coach FROM PUBLIC;
      """)
}
