@testable import CoachService
import FleetStore
import Foundation
import SessionStore
import Testing
import TextFormats
import WorkoutHistory
import WorkoutSession
@testable import WorkoutTestSupport

/// What the service keeps beside the sessions, in a file and in a database that instances share: the same is asked of both.
@Suite("Both stores of the service")
struct SharedTablesTests {
  /// A store with a second one beside it, as another process or instance has it.
  private struct Stores {
    let one: ServiceStore
    let other: ServiceStore
    let folder: ScratchFolder
    let fleet: FleetStore?
    let database: String?

    init(_ kind: StoreKind) throws {
      folder = try ScratchFolder()
      switch kind {
      case .embedded:
        let data = StoredPath(dataFolder: folder.path + "/data")
        (one, other, fleet) = (ServiceStore(dataFolder: data), ServiceStore(dataFolder: data), nil)
        database = nil
      case .shared:
        let server = try PostgresServer.shared.get()
        let database = try server.database()
        let fleet = try server.store(database, "instance")
        try fleet.open()
        try fleet.keepLeases()
        self.fleet = fleet
        self.database = database
        let address = try PostgresAddress(server.url(database))
        (one, other) = (ServiceStore(address, name: "one"), ServiceStore(address, name: "other"))
      }
    }

    /// When a session ended, as the store has it.
    func endedAt(_ id: String) throws -> Int64? {
      if let database {
        let rows = try PostgresServer.shared.get().connection(database)
          .run("SELECT ended_ns FROM coach.session WHERE id = $1", [.text(id)]).rows
        return rows.first?.integer(0)
      }
      let file = try Database(path: StoredPath(dataFolder: folder.path + "/data") + "/" + ServiceStore.fileName)
      defer { file.close() }
      return try file.query("SELECT ended_ns FROM session WHERE id = ?", [.text(id)]) { $0.int64(0) }.first
    }

    func session(
      _ number: Int, person: String?, maker: String = "m", request: String = "{}"
    ) -> (BegunSession, SharedHold?) {
      let id = "20261120T070000Z-running-0000000\(number)"
      return (
        BegunSession(id: id, person: person, maker: maker, request: request, createdAt: time(number)),
        fleet?.hold(of: id)
      )
    }
  }

  private static func time(_ seconds: Int) -> WallClockTime {
    WallClockTime(nanoseconds: Int64(seconds) * 1_000_000_000)
  }

  private func token(_ person: String? = nil, session: String? = nil) -> IssuedSecret {
    IssuedSecret.token([.send, .watch], person: person, session: session, group: nil, days: 1, now: Self.time(10))
  }

  @Test(
    "A secret that one keeps the other reads, and what one revokes the other does not have",
    arguments: StoreKind.allCases)
  func grants(_ kind: StoreKind) async throws {
    let stores = try Stores(kind)
    let (ann, bob) = (token("ann"), token())
    try await stores.one.add(ann.grant)
    let version = try await stores.other.dataVersion()
    try await stores.one.add(bob.grant)
    #expect(try await stores.other.dataVersion() != version)
    let reading = try #require(try await stores.other.readGrants(unless: version))
    #expect(Set(reading.grants.map(\.caller.id)) == [ann.grant.caller.id, bob.grant.caller.id])
    #expect(reading.grants.first { $0.caller.person == "ann" }?.digest == ann.grant.digest)
    #expect(try await stores.other.readGrants(unless: reading.version) == nil)
    try await stores.one.revoke(ann.grant.caller.id, .token)
    #expect(
      try await stores.other.readGrants(unless: reading.version)?.grants.map(\.caller.id) == [bob.grant.caller.id])
    await #expect(throws: ServiceStoreError.missing(ann.grant.caller.id)) {
      try await stores.one.revoke(ann.grant.caller.id, .token)
    }
    try await stores.one.extend(bob.grant.caller.id, until: Self.time(20))
    #expect(try await stores.other.grants().map(\.expiresAt) == [Self.time(20)])
    try await stores.one.removeExpired(before: Self.time(21))
    #expect(try await stores.other.grants().isEmpty)
  }

  @Test("A link signs in once, whoever is asked", arguments: StoreKind.allCases)
  func links(_ kind: StoreKind) async throws {
    let stores = try Stores(kind)
    try await stores.one.addLink(digest: [1, 0, 255], person: "ann", until: Self.time(20))
    try await stores.one.addLink(digest: [2], person: nil, until: Self.time(20))
    #expect(try await stores.other.takeLink(digest: [2], now: Self.time(21)) == (nil, false))
    #expect(try await stores.other.takeLink(digest: [1, 0, 255], now: Self.time(19)) == ("ann", true))
    #expect(try await stores.one.takeLink(digest: [1, 0, 255], now: Self.time(19)) == (nil, false))
    #expect(try await stores.one.takeLink(digest: [2], now: Self.time(19)) == (nil, true))
  }

  @Test("A request to begin is known by its name, and three of a person are live", arguments: StoreKind.allCases)
  func beginnings(_ kind: StoreKind) async throws {
    let stores = try Stores(kind)
    let (row, hold) = stores.session(1, person: "ann")
    #expect(try await stores.one.begin(row, key: ("k", [1]), liveLimit: 2, under: hold) == .new)
    let (second, secondHold) = stores.session(2, person: "ann")
    let again = try await stores.other.begin(second, key: ("k", [1]), liveLimit: 2, under: secondHold)
    #expect(again == .repeated(row.id))
    #expect(try await stores.other.begin(second, key: ("k", [2]), liveLimit: 2, under: secondHold) == .different)
    #expect(try await stores.other.beginning(of: "k", body: [1], by: "m") == .repeated(row.id))
    #expect(try await stores.other.beginning(of: "k", body: [1], by: "else") == nil)
    #expect(try await stores.other.begin(second, key: nil, liveLimit: 2, under: secondHold) == .new)
    let (third, thirdHold) = stores.session(3, person: "ann")
    #expect(try await stores.one.begin(third, key: nil, liveLimit: 2, under: thirdHold) == .tooMany)
    let (nobodys, nobodysHold) = stores.session(4, person: nil)
    #expect(try await stores.one.begin(nobodys, key: nil, liveLimit: 1, under: nobodysHold) == .new)
    #expect(try await stores.other.openSessions().map(\.id) == [row.id, second.id, nobodys.id])
    #expect(try await stores.other.session(row.id) == row)
    #expect(try await stores.other.newestOpenSession(by: "m")?.id == nobodys.id)
    #expect(try await stores.other.openSessions(of: "ann") == [row, second])
    try await stores.one.end(row.id, clock: nil, at: Self.time(30), under: hold)
    #expect(try await stores.other.openSessions().map(\.id) == [second.id, nobodys.id])
    #expect(try await stores.other.session(row.id)?.request == "")
    #expect(try await stores.one.begin(third, key: nil, liveLimit: 2, under: thirdHold) == .new)
    try await stores.one.forgetBeginning(of: third.id, under: thirdHold)
    #expect(try await stores.other.session(third.id) == nil)
  }

  @Test(
    "The live sessions of somebody whose profile goes are nobody's; those that are over stay",
    arguments: StoreKind.allCases)
  func orphans(_ kind: StoreKind) async throws {
    let stores = try Stores(kind)
    let (over, overHold) = stores.session(1, person: "ann")
    let (live, liveHold) = stores.session(2, person: "ann")
    let (bobs, bobsHold) = stores.session(3, person: "bob")
    for (row, hold) in [(over, overHold), (live, liveHold), (bobs, bobsHold)] {
      #expect(try await stores.one.begin(row, key: nil, liveLimit: 3, under: hold) == .new)
    }
    try await stores.one.end(over.id, clock: nil, at: Self.time(30), under: overHold)
    try await stores.one.forgetAuthority(of: "ann")
    #expect(try await stores.other.session(over.id)?.person == "ann")
    #expect(try await stores.other.session(live.id)?.person == nil)
    #expect(try await stores.other.session(live.id)?.request == live.request)
    #expect(try await stores.other.openSessions(of: "ann") == [])
    let owners = try await stores.other.ownersOfOpenSessions().sorted { $0.id < $1.id }
    #expect(owners.map(\.id) == [live.id, bobs.id])
    #expect(owners.map(\.person) == [nil, "bob"])
    try await stores.one.disown(bobs.id)
    try await stores.one.disown(over.id)
    #expect(try await stores.other.session(bobs.id)?.person == nil)
    #expect(try await stores.other.session(over.id)?.person == "ann")
  }

  @Test(
    "A secret goes with its person to another name, and begins nothing under the old one", arguments: StoreKind.allCases
  )
  func renamedMakers(_ kind: StoreKind) async throws {
    let stores = try Stores(kind)
    let made = IssuedSecret.key("ann", request: #"{"target":"z2"}"#, days: 1, now: Self.time(10))
    try await stores.one.add(made.grant)
    let (before, hold) = stores.session(1, person: "ann", maker: made.grant.caller.id)
    #expect(try await stores.one.begin(before, key: nil, liveLimit: 3, under: hold) == .new)
    try await stores.other.rename("ann", to: "anna")
    try await stores.other.rename("ann", to: "anna")
    #expect(try await stores.one.grants().map(\.caller.person) == ["anna"])
    #expect(try await stores.one.session(before.id)?.person == "anna")
    // An instance that has not read the secrets since.
    for person in ["ann", nil] {
      let (late, lateHold) = stores.session(2, person: person, maker: made.grant.caller.id)
      #expect(try await stores.one.begin(late, key: ("k", [1]), liveLimit: 3, under: lateHold) == .renamed)
    }
    #expect(try await stores.one.openSessions().map(\.id) == [before.id])
    let (again, againHold) = stores.session(2, person: "anna", maker: made.grant.caller.id)
    #expect(try await stores.one.begin(again, key: ("k", [1]), liveLimit: 3, under: againHold) == .new)
  }

  @Test("Groups with their members, and another name of somebody", arguments: StoreKind.allCases)
  func groups(_ kind: StoreKind) async throws {
    let stores = try Stores(kind)
    let group = RunnerGroup(id: "g", name: "Läufer", maker: "m", person: nil, createdAt: Self.time(1))
    try await stores.one.add(group)
    #expect(try await stores.one.join("g", GroupMember(person: "ann", shares: [.heartRate]), at: Self.time(2)))
    #expect(try await !stores.other.join("g", GroupMember(person: "ann", shares: [.position]), at: Self.time(3)))
    #expect(try await stores.other.join("g", GroupMember(person: "bob", shares: []), at: Self.time(3)))
    #expect(try await stores.one.group("g")?.members.map(\.person) == ["ann", "bob"])
    #expect(try await stores.one.group("g")?.members.first?.shares == [.position])
    await #expect(throws: ServiceStore.GroupRefusal.missing) {
      try await stores.one.join("none", GroupMember(person: "ann", shares: []), at: Self.time(3))
    }
    try await stores.one.rename("ann", to: "bob")
    #expect(try await stores.other.group("g")?.members.map(\.person) == ["bob"])
    #expect(try await stores.other.group("g")?.members.first?.shares == [.position])
    #expect(try await stores.one.leave("g", "bob"))
    #expect(try await !stores.other.leave("g", "bob"))
    for number in 1..<RunnerGroup.groupsPerMaker {
      try await stores.one.add(
        RunnerGroup(id: "g\(number)", name: "g", maker: "m", person: nil, createdAt: Self.time(1)))
    }
    await #expect(throws: ServiceStore.GroupRefusal.self) {
      try await stores.other.add(RunnerGroup(id: "more", name: "g", maker: "m", person: nil, createdAt: Self.time(1)))
    }
    try await stores.one.remove(group: "g")
    #expect(try await stores.other.group("g") == nil)
  }

  @Test("Who is who at a provider, and who was signed in by it is signed out", arguments: StoreKind.allCases)
  func identities(_ kind: StoreKind) async throws {
    let stores = try Stores(kind)
    let made = token("ann")
    let first = MappedIdentity(id: "i1", issuer: "https://id", claim: "sub", value: "1", person: "ann")
    try await stores.one.add(first, at: Self.time(1))
    try await stores.one.note(signIn: made.grant.caller.id, by: "i1")
    try await stores.one.add(made.grant)
    #expect(try await stores.other.identities(of: "https://id") == [first])
    #expect(try await stores.other.identities(of: "https://else") == [])
    let second = MappedIdentity(id: "i2", issuer: "https://id", claim: "sub", value: "1", person: nil)
    try await stores.other.add(second, at: Self.time(2))
    #expect(try await stores.one.identities() == [second])
    #expect(try await stores.one.grants().isEmpty)
    try await stores.one.removeIdentity("i2")
    await #expect(throws: ServiceStoreError.missing("i2")) { try await stores.one.removeIdentity("i2") }
    try await stores.one.note(issuer: "https://id")
    try await stores.one.noteURL("https://coach")
    #expect(try await stores.other.issuer() == "https://id")
    #expect(try await stores.other.url() == "https://coach")
  }

  @Test("Of a person who is deleted no sign-in stays in a folder, and those of others do")
  func signIns() async throws {
    let folder = try ScratchFolder()
    let data = StoredPath(dataFolder: folder.path + "/data")
    let store = ServiceStore(dataFolder: data)
    for (id, person) in [("i1", "ann"), ("i2", "bob")] {
      try await store.add(
        MappedIdentity(id: id, issuer: "https://id", claim: "sub", value: id, person: person), at: Self.time(1))
      let (made, revoked) = (token(person).grant, token(person).grant)
      try await store.add(made)
      for grant in [made, revoked] { try await store.note(signIn: grant.caller.id, by: id) }
    }
    await store.close()
    try ServiceStore.forget(.person(named: "ann"), in: data)
    let database = try Database(path: data + "/" + ServiceStore.fileName)
    defer { database.close() }
    let left = try database.query("SELECT identity FROM identity_sign_in") { (row) throws(DatabaseError) in
      row.optionalText(0)
    }
    #expect(left == ["i2", "i2"])
  }

  @Test(
    "Of what a session was asked for its end keeps the clock alone, and the first end is the one that counts",
    arguments: StoreKind.allCases)
  func ends(_ kind: StoreKind) async throws {
    let stores = try Stores(kind)
    let clocks: [SessionClock?] = [.samples, .wall, .automatic, nil]
    for (number, clock) in clocks.enumerated() {
      let request = #"{"profile":{"weightKg":61},"target":"z2"}"#
      let (row, hold) = stores.session(number + 1, person: "ann", request: request)
      #expect(try await stores.one.begin(row, key: nil, liveLimit: 3, under: hold) == .new)
      for seconds in [30, 60] { try await stores.one.end(row.id, clock: clock, at: Self.time(seconds), under: hold) }
      let kept = try #require(try await stores.other.session(row.id))
      #expect(kept.clock == clock)
      #expect(kept.request == (clock.map { #"{"clock":"\#($0.rawValue)"}"# } ?? ""))
      #expect(try stores.endedAt(row.id) == Self.time(30).nanoseconds)
    }
  }

  @Test("A hold that is over begins, ends and forgets nothing")
  func late() async throws {
    let stores = try Stores(.shared)
    let (row, hold) = stores.session(1, person: "ann")
    #expect(try await stores.one.begin(row, key: nil, liveLimit: 3, under: hold) == .new)
    let held = try #require(hold)
    let old = SharedHold(sessionID: row.id, fence: held.fence - 1)
    try await stores.one.end(row.id, clock: nil, at: Self.time(5), under: old)
    try await stores.one.forgetBeginning(of: row.id, under: old)
    #expect(try await stores.other.openSessions() == [row])
    let (second, _) = stores.session(2, person: "ann")
    let lost = SharedHold(sessionID: second.id, fence: 99)
    await #expect(throws: SharedSessionProblem.heldElsewhere(second.id)) {
      try await stores.one.begin(second, key: ("k", [1]), liveLimit: 3, under: lost)
    }
    // Nothing of it stays: the same request begins a session elsewhere.
    #expect(try await stores.other.beginning(of: "k", body: [1], by: "m") == nil)
    #expect(try await stores.other.session(second.id) == nil)
  }

  @Test("An end, and what could not be begun, wait for who is taking the shard, and then nothing is written")
  func whileTaken() async throws {
    let stores = try Stores(.shared)
    let (first, firstHold) = stores.session(1, person: "ann")
    let (second, secondHold) = stores.session(2, person: "ann")
    #expect(try await stores.one.begin(first, key: nil, liveLimit: 3, under: firstHold) == .new)
    #expect(try await stores.one.begin(second, key: nil, liveLimit: 3, under: secondHold) == .new)
    let connection = try PostgresServer.shared.get().connection(try #require(stores.database))
    try connection.execute("BEGIN; UPDATE coach.lease SET fence = fence + 1")
    async let ended: Void = stores.one.end(first.id, clock: nil, at: Self.time(30), under: firstHold)
    async let forgotten: Void = stores.other.forgetBeginning(of: second.id, under: secondHold)
    let watching = try PostgresServer.shared.get().connection(try #require(stores.database))
    let waiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    let deadline = ContinuousClock.now + .seconds(30)
    while try watching.run(waiting).rows.count < 2, ContinuousClock.now < deadline {
      try await Task.sleep(nanoseconds: 10_000_000)
    }
    #expect(try watching.run(waiting).rows.count == 2)
    try connection.execute("COMMIT")
    _ = try await (ended, forgotten)
    #expect(try await stores.other.openSessions() == [first, second])
  }

  @Test("Deleting a person reaches every table that has a person")
  func erased() async throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    let fleet = ServiceFleet(try PostgresAddress(server.url(database)), url: "http://one.test")
    try fleet.store.open()
    try fleet.store.keepLeases()
    let store = ServiceStore(try PostgresAddress(server.url(database)), name: "one")
    let session = try BegunSession.test(heldBy: fleet.store)
    let hold = try #require(fleet.store.hold(of: session.id))
    let person = try #require(session.person)
    #expect(try await store.begin(session, key: ("k", [1]), liveLimit: 3, under: hold) == .new)
    _ = try fleet.store.append(.rows(hold, ["a"]).deciding(hold, ["{}"]))
    let (signedIn, revoked) = (token(person).grant, token(person).grant)
    try await store.add(signedIn)
    try await store.add(token(nil, session: session.id).grant)
    try await store.addLink(digest: [1], person: person, until: Self.time(1))
    try await store.add(RunnerGroup(id: "own", name: "n", maker: "m", person: person, createdAt: Self.time(1)))
    try await store.add(RunnerGroup(id: "other", name: "n", maker: "m", person: "bob", createdAt: Self.time(1)))
    _ = try await store.join("other", GroupMember(person: person, shares: []), at: Self.time(1))
    try await store.add(
      MappedIdentity(id: "i1", issuer: "https://id", claim: "sub", value: "1", person: person), at: Self.time(1))
    for grant in [signedIn, revoked] { try await store.note(signIn: grant.caller.id, by: "i1") }
    let copies = FleetCopies(try PostgresAddress(server.url(database)), name: "test")
    #expect(try copies.keep([1, 2], as: "profiles/\(person).json", of: person, replacing: nil) == .added)
    let connection = try server.connection(database)
    _ = try connection.run("INSERT INTO coach.watched VALUES ('\(person)', now() + interval '1 hour')")
    _ = try connection.run("INSERT INTO coach.glance VALUES ('\(session.id)', '\(person)', '', now())")
    try fleet.forget(.person(named: person))
    // A table with a person that is made later is found here too.
    let columns = try connection.run(
      "SELECT table_name FROM information_schema.columns WHERE table_schema = 'coach' AND column_name = 'person'"
    ).rows.map { $0.text(0) }
    #expect(
      Set(columns)
        == ["session", "grant_", "link", "group_", "member", "identity", "kept_file", "watched", "glance"])
    for table in columns {
      let left = try connection.run("SELECT count(*) FROM coach.\(table) WHERE person = '\(person)'").rows
      #expect(left.first?.integer(0) == 0, "\(table)")
    }
    for table in ["log_row", "decision", "repeat", "grant_", "identity_sign_in", "kept_piece"] {
      #expect(try connection.run("SELECT count(*) FROM coach.\(table)").rows.first?.integer(0) == 0, "\(table)")
    }
    #expect(try fleet.store.history(since: 0).deleted == [session.id])
  }

  @Test("Statements for the file are written for the database with its tables and numbers")
  func translation() {
    #expect(
      SharedTables.translation(of: "DELETE FROM repeat WHERE session IN (SELECT id FROM session WHERE person = ?)")
        == "DELETE FROM coach.repeat WHERE session IN (SELECT id FROM coach.session WHERE person = $1)")
    #expect(
      SharedTables.translation(of: "INSERT INTO link VALUES (?, ?, ?)")
        == "INSERT INTO coach.link VALUES ($1, $2, $3)")
    #expect(
      SharedTables.translation(of: "UPDATE grant_ SET expires_ns = ? WHERE id = ?")
        == "UPDATE coach.grant_ SET expires_ns = $1 WHERE id = $2")
    #expect(
      SharedTables.translation(of: "SELECT count(*) FROM group_ WHERE person IS NOT DISTINCT FROM ?")
        == "SELECT count(*) FROM coach.group_ WHERE person IS NOT DISTINCT FROM $1")
  }
}
