extension FleetSchema {
  /// The attempts to sign in of the last minute that failed, by a hash of the address, so that their limit is that of all instances. They
  /// are worth nothing after a minute, so that they are in no log and no backup, and a crash of the server empties them.
  ///
  /// It only adds: an older instance goes on counting by itself.
  static let failures = FleetMigration(
    number: 12, name: "failures to sign in", isBreaking: false,
    script: """
      CREATE UNLOGGED TABLE coach.sign_in_failure (
        address bytea NOT NULL,
        failed timestamptz NOT NULL DEFAULT clock_timestamp());
      CREATE INDEX sign_in_failure_of_address ON coach.sign_in_failure (address, failed);
      CREATE INDEX sign_in_failure_order ON coach.sign_in_failure (failed);
      """)
}
