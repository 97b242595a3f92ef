extension FleetSchema {
  /// What instances show one another of live runs, for boards of people whose sessions are not all at one instance: who is watched
  /// somewhere, and how the watched runs stand. Both are worth nothing after some seconds, so that they are in no log and no backup, and
  /// a crash of the server empties them.
  ///
  /// It only adds: of an older instance nobody sees the runs elsewhere, as before.
  static let glances = FleetMigration(
    number: 10, name: "glances", isBreaking: false,
    script: """
      CREATE UNLOGGED TABLE coach.watched (
        person text PRIMARY KEY,
        until timestamptz NOT NULL) WITH (fillfactor = 50);
      CREATE UNLOGGED TABLE coach.glance (
        session text PRIMARY KEY REFERENCES coach.session (id) ON DELETE CASCADE,
        person text NOT NULL,
        content bytea NOT NULL,
        seen timestamptz NOT NULL) WITH (fillfactor = 50);
      CREATE INDEX glance_of_person ON coach.glance (person);

      -- One statement a turn of an instance: who is watched there, and how its own runs stand that somebody watches. It gives who is
      -- watched anywhere (no session), and the runs of those who are watched there.
      CREATE FUNCTION coach.exchange_glances(
        p_watching text[], p_sessions text[], p_people text[], p_contents bytea[])
      RETURNS TABLE (of_person text, of_session text, is_seen_as bytea, age_ns bigint) LANGUAGE plpgsql AS $body$
      DECLARE
        v_now timestamptz;
      BEGIN
        PERFORM set_config('synchronous_commit', 'off', true);
        -- One turn at a time, so that nobody waits in a circle.
        PERFORM pg_advisory_xact_lock(6071223005);
        v_now := clock_timestamp();
        DELETE FROM coach.watched WHERE watched.until < v_now;
        DELETE FROM coach.glance WHERE glance.seen < v_now - interval '10 s';
        INSERT INTO coach.watched AS known SELECT DISTINCT given.person, v_now + interval '10 s'
          FROM unnest(p_watching) AS given (person)
          ON CONFLICT (person) DO UPDATE SET until = excluded.until WHERE known.until < v_now + interval '7 s';
        INSERT INTO coach.glance (session, person, content, seen)
          SELECT given.session, given.person, given.content, v_now
          FROM unnest(p_sessions, p_people, p_contents) AS given (session, person, content)
          WHERE EXISTS (
            SELECT FROM coach.session WHERE session.id = given.session AND session.ended_ns IS NULL
              AND session.person = given.person)
          ON CONFLICT (session) DO UPDATE SET content = excluded.content, seen = excluded.seen;
        RETURN QUERY SELECT watched.person, NULL::text, NULL::bytea, 0::bigint FROM coach.watched
          UNION ALL SELECT glance.person, glance.session, glance.content,
            (extract(epoch FROM v_now - glance.seen) * 1000000000)::bigint
          FROM coach.glance JOIN coach.session ON session.id = glance.session
          WHERE glance.person = ANY (p_watching) AND session.ended_ns IS NULL;
      END
      $body$;
      REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA coach FROM PUBLIC;
      SELECT coach.wall_off('watched', 'person = coach.person_of_request()');
      SELECT coach.wall_off('glance', 'person = coach.person_of_request()');
      """)
}
