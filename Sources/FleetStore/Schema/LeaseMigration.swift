extension FleetSchema {
  /// Leases of the shards, and who takes part. Every time is of the database's clock.
  ///
  /// `keep_leases` is one statement for whoever asks, so that a program which stops in the middle of it holds nothing: it
  /// extends the leases of an instance, gives back what is more than its share, takes what is free or has expired, and says
  /// what the instance has then.
  static let leases = FleetMigration(
    number: 1, name: "leases", isBreaking: true,
    script: """
      CREATE TABLE coach.lease (
        shard smallint PRIMARY KEY CHECK (shard BETWEEN 0 AND 63),
        holder text,
        url text,
        fence bigint NOT NULL DEFAULT 0,
        expires timestamptz NOT NULL DEFAULT '-infinity',
        CHECK ((holder IS NULL) = (url IS NULL))) WITH (fillfactor = 10);
      INSERT INTO coach.lease (shard) SELECT generate_series(0, 63);

      CREATE TABLE coach.instance (
        holder text PRIMARY KEY,
        url text NOT NULL,
        expires timestamptz NOT NULL);

      CREATE FUNCTION coach.keep_leases(p_holder text, p_url text, p_seconds double precision, p_known bigint)
      RETURNS TABLE (held_shard bigint, held_fence bigint) LANGUAGE plpgsql AS $body$
      DECLARE
        v_now timestamptz;
        v_length interval := make_interval(secs => p_seconds);
        v_share integer;
        v_own integer;
      BEGIN
        PERFORM pg_advisory_xact_lock(6071223002);
        v_now := clock_timestamp();
        IF EXISTS (SELECT FROM coach.migration WHERE is_breaking AND number > p_known) THEN
          RAISE EXCEPTION 'the schema is newer' USING ERRCODE = 'CO001';
        END IF;
        DELETE FROM coach.instance WHERE instance.expires < v_now - interval '1 hour';
        INSERT INTO coach.instance VALUES (p_holder, p_url, v_now + v_length)
          ON CONFLICT (holder) DO UPDATE SET url = excluded.url, expires = excluded.expires;
        SELECT ceil(64.0 / count(*)) INTO v_share FROM coach.instance WHERE instance.expires > v_now;

        -- Always in the order of the shards, as appends lock them, so that nobody waits in a circle.
        PERFORM FROM coach.lease WHERE holder = p_holder ORDER BY shard FOR UPDATE;
        UPDATE coach.lease SET url = p_url, expires = clock_timestamp() + v_length WHERE holder = p_holder;
        WITH surplus AS MATERIALIZED (
          SELECT shard FROM coach.lease WHERE holder = p_holder ORDER BY shard OFFSET v_share)
        UPDATE coach.lease SET holder = NULL, url = NULL, expires = clock_timestamp()
          FROM surplus WHERE lease.shard = surplus.shard;

        -- A connection of a holder that expired long ago, and still has a lock, belongs to a program that stopped.
        PERFORM pg_terminate_backend(activity.pid) FROM pg_stat_activity AS activity
          WHERE activity.pid <> pg_backend_pid() AND activity.datname = current_database()
            AND activity.usename = current_user
            AND activity.application_name IN (
              SELECT 'coach ' || holder FROM coach.lease
              WHERE holder <> p_holder AND expires < v_now - v_length);

        SELECT count(*) INTO v_own FROM coach.lease WHERE holder = p_holder;
        WITH free AS MATERIALIZED (
          SELECT shard FROM coach.lease
          WHERE holder IS DISTINCT FROM p_holder AND (holder IS NULL OR expires <= v_now)
          ORDER BY shard LIMIT greatest(0, v_share - v_own) FOR UPDATE SKIP LOCKED)
        UPDATE coach.lease
          SET holder = p_holder, url = p_url, fence = fence + 1, expires = clock_timestamp() + v_length
          FROM free WHERE lease.shard = free.shard;
        RETURN QUERY SELECT shard::bigint, fence FROM coach.lease WHERE holder = p_holder ORDER BY shard;
      END
      $body$;

      CREATE FUNCTION coach.leave(p_holder text) RETURNS void LANGUAGE plpgsql AS $body$
      BEGIN
        PERFORM pg_advisory_xact_lock(6071223002);
        PERFORM FROM coach.lease WHERE holder = p_holder ORDER BY shard FOR UPDATE;
        UPDATE coach.lease SET holder = NULL, url = NULL, expires = clock_timestamp() WHERE holder = p_holder;
        DELETE FROM coach.instance WHERE holder = p_holder;
      END
      $body$;
      """)
}
