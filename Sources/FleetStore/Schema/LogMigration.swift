extension FleetSchema {
  /// Live sessions and their logs.
  ///
  /// A row of the log is what a session added to its files at once, as `SessionFileChunks`; a decision is a row of its own, with
  /// the number that its readers know it by. Both are written by `append_log` alone, which is one statement and so one
  /// transaction: it holds the leases of its shards with the fences of whoever asks, and writes nothing for the others.
  static let logs = FleetMigration(
    number: 2, name: "logs", isBreaking: false,
    script: """
      CREATE TABLE coach.session (
        id text PRIMARY KEY,
        shard smallint NOT NULL REFERENCES coach.lease,
        person text,
        maker text NOT NULL,
        request text NOT NULL,
        created_ns bigint NOT NULL,
        summary bytea,
        ended_ns bigint,
        ended_in xid8);
      CREATE INDEX session_of_shard ON coach.session (shard) WHERE ended_ns IS NULL;
      CREATE INDEX session_of_maker ON coach.session (maker) WHERE ended_ns IS NULL;
      CREATE INDEX session_of_end ON coach.session (ended_in) WHERE ended_ns IS NOT NULL;
      CREATE INDEX session_of_person ON coach.session (person, created_ns);

      CREATE TABLE coach.log_row (
        session text NOT NULL,
        index bigint NOT NULL,
        content bytea NOT NULL,
        PRIMARY KEY (session, index));
      CREATE TABLE coach.decision (
        session text NOT NULL,
        index bigint NOT NULL,
        line bytea NOT NULL,
        PRIMARY KEY (session, index));

      -- The transaction in which a session ended, so that who has seen all that ended before a moment can ask for the rest.
      CREATE FUNCTION coach.note_end() RETURNS trigger LANGUAGE plpgsql AS $body$
      BEGIN
        IF NEW.ended_ns IS NULL THEN
          NEW.ended_in := NULL;
        ELSE
          NEW.ended_in := coalesce(NEW.ended_in, pg_current_xact_id());
        END IF;
        RETURN NEW;
      END
      $body$;
      CREATE TRIGGER note_end BEFORE INSERT OR UPDATE OF ended_ns ON coach.session
        FOR EACH ROW EXECUTE FUNCTION coach.note_end();

      -- p_shards and p_fences: what whoever asks holds. The others have an element a row, and the shard of its session.
      CREATE FUNCTION coach.append_log(
        p_shards bigint[], p_fences bigint[],
        p_row_shards bigint[], p_row_sessions text[], p_row_indexes bigint[], p_row_contents bytea[],
        p_line_shards bigint[], p_line_sessions text[], p_line_indexes bigint[], p_lines bytea[],
        p_over_shards bigint[], p_over_sessions text[], p_summaries bytea[])
      RETURNS TABLE (held_shard bigint) LANGUAGE plpgsql AS $body$
      DECLARE
        v_held bigint[];
        v_given bigint;
        v_new bigint;
      BEGIN
        -- Whatever the database is set to: what is answered is on its disk.
        PERFORM set_config('synchronous_commit', 'on', true);
        SELECT coalesce(array_agg(locked.shard::bigint), '{}') INTO v_held FROM (
          SELECT lease.shard FROM coach.lease
          JOIN unnest(p_shards, p_fences) AS mine (shard, fence)
            ON lease.shard = mine.shard AND lease.fence = mine.fence
          ORDER BY lease.shard FOR SHARE OF lease) AS locked;

        SELECT count(*) INTO v_given FROM unnest(p_row_shards) AS given (shard) WHERE given.shard = ANY (v_held);
        INSERT INTO coach.log_row
          SELECT given.session, given.index, given.content
          FROM unnest(p_row_shards, p_row_sessions, p_row_indexes, p_row_contents)
            AS given (shard, session, index, content)
          WHERE given.shard = ANY (v_held) AND EXISTS (
            SELECT FROM coach.session WHERE session.id = given.session AND session.shard = given.shard)
          ON CONFLICT DO NOTHING;
        GET DIAGNOSTICS v_new = ROW_COUNT;
        IF v_new < v_given AND EXISTS (
          SELECT FROM unnest(p_row_shards, p_row_sessions, p_row_indexes, p_row_contents)
            AS given (shard, session, index, content)
          JOIN coach.log_row AS known USING (session, index)
          WHERE given.shard = ANY (v_held) AND known.content <> given.content)
        THEN
          RAISE EXCEPTION 'another row has that number' USING ERRCODE = 'CO002';
        END IF;

        SELECT count(*) INTO v_given FROM unnest(p_line_shards) AS given (shard) WHERE given.shard = ANY (v_held);
        INSERT INTO coach.decision
          SELECT given.session, given.index, given.line
          FROM unnest(p_line_shards, p_line_sessions, p_line_indexes, p_lines) AS given (shard, session, index, line)
          WHERE given.shard = ANY (v_held) AND EXISTS (
            SELECT FROM coach.session WHERE session.id = given.session AND session.shard = given.shard)
          ON CONFLICT DO NOTHING;
        GET DIAGNOSTICS v_new = ROW_COUNT;
        IF v_new < v_given AND EXISTS (
          SELECT FROM unnest(p_line_shards, p_line_sessions, p_line_indexes, p_lines)
            AS given (shard, session, index, line)
          JOIN coach.decision AS known USING (session, index)
          WHERE given.shard = ANY (v_held) AND known.line <> given.line)
        THEN
          RAISE EXCEPTION 'another decision has that number' USING ERRCODE = 'CO002';
        END IF;

        UPDATE coach.session
          SET ended_ns = (extract(epoch FROM clock_timestamp()) * 1000000000)::bigint, summary = given.summary
          FROM unnest(p_over_shards, p_over_sessions, p_summaries) AS given (shard, session, summary)
          WHERE given.shard = ANY (v_held) AND session.id = given.session AND session.shard = given.shard;
        RETURN QUERY SELECT unnest(v_held);
      END
      $body$;
      """)
}
