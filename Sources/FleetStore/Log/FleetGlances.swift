/// What instances show one another of live runs that somebody watches.
extension FleetStore {
  /// How a run stands.
  package struct Glance: Hashable, Sendable {
    /// Which one.
    package let session: String
    /// Whose it is.
    package let person: String
    /// How it stands, as the instance that has it says.
    package let content: [UInt8]
    /// How long ago that was said, in nanoseconds by the clock of the database.
    package let age: Int64

    /// Creates one.
    package init(session: String, person: String, content: [UInt8], age: Int64 = 0) {
      self.session = session
      self.person = person
      self.content = content
      self.age = age
    }
  }

  /// What an instance is given.
  package struct Sights: Hashable, Sendable {
    /// Who is watched, at whatever instance.
    package var watched: Set<String>
    /// The runs of those who are watched here.
    package var runs: [Glance]

    /// Creates some; none at all when nothing is said.
    package init(watched: Set<String> = [], runs: [Glance] = []) {
      self.watched = watched
      self.runs = runs
    }
  }

  /// Says who is watched here and how runs stand that are here, and asks for the same of all instances. What is not said again within
  /// ten seconds is forgotten. It can be repeated.
  ///
  /// - Throws: `PostgresError`.
  package func exchange(watching people: Set<String>, showing glances: [Glance]) throws(PostgresError) -> Sights {
    let values: [PostgresValue] = [
      .texts(people.sorted()), .texts(glances.map(\.session)), .texts(glances.map(\.person)),
      .blobs(glances.map(\.content)),
    ]
    let rows = try readLink.use { connection throws(PostgresError) in
      try connection.run(
        "SELECT of_person, of_session, is_seen_as, age_ns FROM coach.exchange_glances($1, $2, $3, $4)", values,
        seconds: 3)
    }.rows
    var sights = Sights()
    for row in rows {
      if let session = row.optionalText(1) {
        sights.runs.append(
          Glance(session: session, person: row.text(0), content: row.bytes(2), age: row.integer(3)))
      } else {
        sights.watched.insert(row.text(0))
      }
    }
    return sights
  }
}
