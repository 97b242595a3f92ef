extension FleetSchema {
  /// What the server says when a month is to go in which a session is not over.
  static let monthIsOpen = "CO004"

  /// Logs in a table a month, so that a month goes at once: an identity begins with the time in UTC, and by it alone a session
  /// belongs to the month in which it began. Months are made ahead; what belongs to none of them, as by a clock that is wrong, is
  /// kept too, in the tables `_other`.
  ///
  /// It only adds: the same statements write and read, so that older instances go on. What was there stays where it is, as
  /// the tables `_before`, and nothing is copied. Identities are compared by their bytes, as folders are.
  static let months = FleetMigration(
    number: 6, name: "months", isBreaking: false,
    script: """
      CREATE FUNCTION coach.next_month(p_month text) RETURNS text LANGUAGE sql IMMUTABLE AS $body$
        SELECT to_char(make_date(left(p_month, 4)::integer, right(p_month, 2)::integer, 1) + interval '1 month', 'YYYYMM')
      $body$;

      -- Makes the tables of a month, YYYYMM; nothing where they are there, or where another table has what is of it already.
      CREATE FUNCTION coach.make_month(p_month text) RETURNS void LANGUAGE plpgsql AS $body$
      DECLARE
        v_table text;
      BEGIN
        IF p_month !~ '^[1-9][0-9]{3}(0[1-9]|1[0-2])$' THEN RETURN; END IF;
        IF to_regclass(format('coach.%I', 'decision_' || p_month)) IS NOT NULL THEN RETURN; END IF;
        PERFORM pg_advisory_xact_lock(6071223004);
        IF to_regclass(format('coach.%I', 'decision_' || p_month)) IS NOT NULL THEN RETURN; END IF;
        FOREACH v_table IN ARRAY ARRAY['log_row', 'decision'] LOOP
          EXECUTE format('CREATE TABLE coach.%I (LIKE coach.%I INCLUDING ALL)', v_table || '_' || p_month, v_table);
          EXECUTE format(
            'ALTER TABLE coach.%I ATTACH PARTITION coach.%I FOR VALUES FROM (%L) TO (%L)',
            v_table, v_table || '_' || p_month, p_month, coach.next_month(p_month));
        END LOOP;
      EXCEPTION WHEN duplicate_table OR invalid_object_definition OR check_violation THEN
        NULL; -- It was made meanwhile; or it overlaps with what was there before, or rows of it are among the others: they stay.
      END
      $body$;

      -- Makes this month and the two that follow.
      CREATE FUNCTION coach.make_months() RETURNS void LANGUAGE plpgsql AS $body$
      DECLARE
        v_month text := to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYYMM');
      BEGIN
        FOR i IN 1..3 LOOP
          PERFORM coach.make_month(v_month);
          v_month := coach.next_month(v_month);
        END LOOP;
      END
      $body$;

      DO $body$
      DECLARE
        v_role text := coach.person_role();
        v_table text;
        v_column text;
        v_end text;
        v_last text;
      BEGIN
        FOREACH v_table IN ARRAY ARRAY['log_row', 'decision'] LOOP
          v_column := CASE v_table WHEN 'log_row' THEN 'content' ELSE 'line' END;
          EXECUTE format('DROP POLICY of_person ON coach.%I', v_table);
          EXECUTE format('ALTER TABLE coach.%I DISABLE ROW LEVEL SECURITY', v_table);
          EXECUTE format('REVOKE ALL ON coach.%I FROM %I', v_table, v_role);
          EXECUTE format(
            'ALTER TABLE coach.%I RENAME CONSTRAINT %I TO %I', v_table, v_table || '_pkey', v_table || '_before_pkey');
          EXECUTE format('ALTER TABLE coach.%I RENAME TO %I', v_table, v_table || '_before');
          EXECUTE format('ALTER TABLE coach.%I ALTER COLUMN session TYPE text COLLATE "C"', v_table || '_before');
          EXECUTE format(
            'CREATE TABLE coach.%I (session text COLLATE "C" NOT NULL, index bigint NOT NULL, %I bytea NOT NULL,'
            ' PRIMARY KEY (session, index)) PARTITION BY RANGE (session)', v_table, v_column);
          EXECUTE format('SELECT max(session) FROM coach.%I', v_table || '_before') INTO v_last;
          IF v_last IS NULL THEN
            EXECUTE format('DROP TABLE coach.%I', v_table || '_before');
          ELSE
            v_end := coach.next_month(to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYYMM'));
            -- One of a clock that went ahead.
            IF v_last >= v_end COLLATE "C" THEN v_end := v_last || '.'; END IF;
            EXECUTE format(
              'ALTER TABLE coach.%I ATTACH PARTITION coach.%I FOR VALUES FROM (MINVALUE) TO (%L)',
              v_table, v_table || '_before', v_end);
          END IF;
          EXECUTE format('CREATE TABLE coach.%I PARTITION OF coach.%I DEFAULT', v_table || '_other', v_table);
          PERFORM coach.wall_off(
            v_table,
            format('EXISTS (SELECT FROM coach.session WHERE session.id = %I.session COLLATE "default")', v_table));
        END LOOP;
      END
      $body$;
      SELECT coach.make_months();

      -- Deletes the sessions of a month, everywhere, as if each had been deleted; how many there were.
      CREATE FUNCTION coach.drop_month(p_month text) RETURNS bigint LANGUAGE plpgsql AS $body$
      DECLARE
        v_table text;
        v_count bigint;
      BEGIN
        IF p_month !~ '^[1-9][0-9]{3}(0[1-9]|1[0-2])$' THEN
          RAISE EXCEPTION 'expected a month as YYYYMM' USING ERRCODE = '22023';
        END IF;
        PERFORM pg_advisory_xact_lock(6071223004);
        CREATE TEMPORARY TABLE gone ON COMMIT DROP AS
          SELECT id, ended_ns FROM coach.session WHERE left(id, 6) = p_month FOR UPDATE;
        IF EXISTS (SELECT FROM gone WHERE ended_ns IS NULL) THEN
          RAISE EXCEPTION 'a session of the month is not over' USING ERRCODE = '\(monthIsOpen)';
        END IF;
        INSERT INTO coach.deletion (session) SELECT id FROM gone ON CONFLICT DO NOTHING;
        DELETE FROM coach.repeat USING gone WHERE repeat.session = gone.id;
        DELETE FROM coach.grant_ USING gone WHERE grant_.session = gone.id;
        -- The trigger of a deletion looks for the rows of each session: here they go with the tables.
        PERFORM set_config('coach.month_goes', 'yes', true);
        DELETE FROM coach.session USING gone WHERE session.id = gone.id;
        GET DIAGNOSTICS v_count = ROW_COUNT;
        PERFORM set_config('coach.month_goes', '', true);
        UPDATE coach.change SET number = number + 1;
        FOREACH v_table IN ARRAY ARRAY['log_row', 'decision'] LOOP
          IF to_regclass(format('coach.%I', v_table || '_' || p_month)) IS NULL THEN
            -- Rows from before there were months, or of a clock that was wrong.
            EXECUTE format(
              'DELETE FROM coach.%I WHERE session >= %L AND session < %L', v_table, p_month, coach.next_month(p_month));
          ELSE
            EXECUTE format('DROP TABLE coach.%I', v_table || '_' || p_month);
          END IF;
        END LOOP;
        DROP TABLE gone;
        RETURN v_count;
      END
      $body$;

      CREATE OR REPLACE TRIGGER delete_all_of_session AFTER DELETE ON coach.session
        FOR EACH ROW WHEN (current_setting('coach.month_goes', true) IS DISTINCT FROM 'yes')
        EXECUTE FUNCTION coach.delete_all_of_session();

      -- What there is of each month, the oldest first: its sessions, and the bytes on the disk of its logs with their indexes.
      CREATE FUNCTION coach.months() RETURNS TABLE (month text, sessions bigint, byte_count bigint)
      LANGUAGE sql STABLE AS $body$
        SELECT month, coalesce(sum(sessions), 0)::bigint, coalesce(sum(bytes), 0)::bigint FROM (
          SELECT left(id, 6) AS month, count(*) AS sessions, 0::bigint AS bytes FROM coach.session GROUP BY 1
          UNION ALL SELECT substring(relname FROM '_([a-z0-9]+)$'), 0, pg_total_relation_size(oid) FROM pg_catalog.pg_class
            WHERE relnamespace = 'coach'::regnamespace AND relispartition AND relkind = 'r') AS parts
        GROUP BY month ORDER BY month
      $body$;
      REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA coach FROM PUBLIC;
      """)
}
