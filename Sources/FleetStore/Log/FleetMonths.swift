/// The months by which the logs of sessions are kept apart.
extension FleetStore {
  /// A month in the database.
  package struct Month: Hashable, Sendable {
    /// The month, as `202611`; `before` for what was there before there were months, and `other` for what belongs to none.
    package let name: String
    /// How many sessions began in it.
    package let sessionCount: Int
    /// How many bytes of the disk their logs have, with the indexes.
    package let byteCount: Int

    /// Creates a month.
    package init(name: String, sessionCount: Int, byteCount: Int) {
      self.name = name
      self.sessionCount = sessionCount
      self.byteCount = byteCount
    }
  }

  /// Makes the tables of this month and of the two that follow, where they are missing. It can be repeated.
  ///
  /// - Throws: `PostgresError`; rows are kept without them too.
  package func makeMonths() throws(PostgresError) {
    try readLink.use { connection throws(PostgresError) in _ = try connection.run("SELECT coach.make_months()") }
  }

  /// Deletes the attempts to sign in that failed more than a minute ago, which say where somebody was: the next one that fails does so, too.
  ///
  /// - Throws: `PostgresError`.
  package func forgetFailures() throws(PostgresError) {
    try readLink.use { connection throws(PostgresError) in
      _ = try connection.run(
        "DELETE FROM coach.sign_in_failure WHERE failed < clock_timestamp() - interval '1 minute'")
    }
  }

  /// What there is of each month, the oldest first.
  ///
  /// - Throws: `PostgresError`.
  package func months() throws(PostgresError) -> [Month] {
    try readLink.use { connection throws(PostgresError) in
      try connection.run("SELECT month, sessions, byte_count FROM coach.months()", seconds: 60)
    }.rows.map { Month(name: $0.text(0), sessionCount: Int($0.integer(1)), byteCount: Int($0.integer(2))) }
  }

  /// Deletes the sessions that began in a month, as if each had been deleted: instances delete what they have of them.
  ///
  /// - Parameter month: as `202611`.
  /// - Returns: how many there were.
  /// - Throws: `PostgresError`, `.refused("CO004")` where a session of the month is not over: nothing is deleted then.
  @discardableResult
  package func dropMonth(_ month: String) throws(PostgresError) -> Int {
    try readLink.use { connection throws(PostgresError) in
      try connection.run("SELECT coach.drop_month($1)", [.text(month)], seconds: 600)
    }.rows.first.map { Int($0.integer(0)) } ?? 0
  }
}

extension PostgresError {
  /// Whether a month was not deleted because a session of it is not over.
  package var isOpenMonth: Bool { kind == .refused(FleetSchema.monthIsOpen) }
}
