extension FleetSchema {
  /// What the server says when the role of the wall is missing and cannot be made by who brings the schema up to date.
  static let missingRole = "CO003"

  /// A second wall between people, beside the checks of the service: what is read for a person is read as a role that has no rows
  /// but those of the person whom the transaction names, whatever the query asks for. Without a name it has none.
  ///
  /// The role is called like the owner of the schema, with `_person` behind it, since roles belong to all databases of a server.
  /// It only adds: the owner of the tables reads them as before, and so do older instances.
  static let walls = FleetMigration(
    number: 5, name: "walls between people", isBreaking: false,
    script: """
      CREATE FUNCTION coach.person_role() RETURNS text LANGUAGE sql STABLE AS $body$
        SELECT pg_get_userbyid(nspowner) || '_person' FROM pg_catalog.pg_namespace WHERE nspname = 'coach'
      $body$;
      CREATE FUNCTION coach.person_of_request() RETURNS text LANGUAGE sql STABLE AS $body$
        SELECT nullif(current_setting('coach.person', true), '')
      $body$;
      -- Until the end of the transaction: nothing of it stays in a connection, which others may use after it.
      CREATE FUNCTION coach.enter(p_person text) RETURNS void LANGUAGE plpgsql AS $body$
      BEGIN
        PERFORM set_config('coach.person', p_person, true);
        PERFORM set_config('role', coach.person_role(), true);
      END
      $body$;
      -- Lets the role of the wall read a table, and of it only the rows for which a condition holds.
      CREATE FUNCTION coach.wall_off(p_table text, p_condition text) RETURNS void LANGUAGE plpgsql AS $body$
      BEGIN
        EXECUTE format('ALTER TABLE coach.%I ENABLE ROW LEVEL SECURITY', p_table);
        EXECUTE format('GRANT SELECT ON coach.%I TO %I', p_table, coach.person_role());
        EXECUTE format(
          'CREATE POLICY of_person ON coach.%I FOR SELECT TO %I USING (%s)', p_table, coach.person_role(), p_condition);
      END
      $body$;

      DO $body$
      DECLARE
        v_role text := coach.person_role();
        v_table text;
        v_kind text := CASE WHEN current_setting('server_version_num')::integer < 160000 THEN 'MEMBER' ELSE 'SET' END;
      BEGIN
        BEGIN
          IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = v_role) THEN
            BEGIN
              EXECUTE format('CREATE ROLE %I NOLOGIN', v_role);
            EXCEPTION WHEN duplicate_object OR unique_violation THEN
              NULL; -- for another database of the server, at the same time
            END;
          END IF;
          IF NOT pg_has_role(current_user, v_role, v_kind) THEN
            EXECUTE format('GRANT %I TO %I', v_role, current_user);
          END IF;
        EXCEPTION WHEN insufficient_privilege THEN
          RAISE EXCEPTION 'the role is missing' USING ERRCODE = '\(missingRole)';
        END;

        REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA coach FROM PUBLIC;
        EXECUTE format('GRANT USAGE ON SCHEMA coach TO %I', v_role);
        EXECUTE format('GRANT EXECUTE ON FUNCTION coach.person_of_request() TO %I', v_role);
        EXECUTE format('GRANT SELECT ON coach.lease TO %I', v_role);
        FOREACH v_table IN ARRAY ARRAY['session', 'grant_', 'link', 'identity', 'member', 'kept_file'] LOOP
          PERFORM coach.wall_off(v_table, 'person = coach.person_of_request()');
        END LOOP;
        FOREACH v_table IN ARRAY ARRAY['log_row', 'decision', 'session_file', 'repeat'] LOOP
          PERFORM coach.wall_off(
            v_table, format('EXISTS (SELECT FROM coach.session WHERE session.id = %I.session)', v_table));
        END LOOP;
        PERFORM coach.wall_off(
          'group_', 'person = coach.person_of_request()'
          ' OR EXISTS (SELECT FROM coach.member WHERE member.group_ = group_.id)');
        PERFORM coach.wall_off(
          'kept_piece', 'EXISTS (SELECT FROM coach.kept_file WHERE kept_file.name = kept_piece.file)');
        PERFORM coach.wall_off(
          'identity_sign_in', 'EXISTS (SELECT FROM coach.grant_ WHERE grant_.id = identity_sign_in.grant_)');
      END
      $body$;
      """)
}
