@testable import CoachService
import FleetStore
import Foundation
import SessionStore
import Testing
import TextFormats
import WorkoutHistory
import WorkoutSession
@testable import WorkoutTestSupport

/// What is added for a person who is being deleted at the same time, at whatever instance.
@Suite("What is added beside the deletion of a person", .serialized)
struct PersonDeletionTests {
  /// An instance of a fleet without a service in front.
  private struct Instance {
    let server: PostgresServer
    let database: String
    let fleet: ServiceFleet
    let store: ServiceStore

    init() throws {
      server = try PostgresServer.shared.get()
      database = try server.database()
      let address = try PostgresAddress(server.url(database))
      fleet = ServiceFleet(address, url: "http://one.test")
      try fleet.store.open()
      try fleet.store.keepLeases()
      store = ServiceStore(address, name: "one")
    }

    /// Keeps a new profile; its identity.
    func makeProfile(_ name: String) throws -> ProfileID {
      var profile = StoredProfile(id: ProfileID.drawn(), name: name)
      profile.birthDate = CivilDate(year: 1990, month: 5, day: 17)
      #expect(try fleet.store.createProfile(profile.json(), at: ProfileFileName.path(of: name), of: name))
      return try #require(profile.id)
    }

    func removeProfile(_ name: String) throws { try fleet.store.removeProfile(at: ProfileFileName.path(of: name)) }

    /// A session of a person whose shard is held here.
    func session(_ number: Int, person: String = "ann", maker: String = "m") throws -> (BegunSession, SharedHold) {
      let id = try BegunSession.test(heldBy: fleet.store, number).id
      let session = BegunSession(
        id: id, person: person, maker: maker, request: "{}", createdAt: WallClockTime(nanoseconds: 1))
      return (session, try #require(fleet.store.hold(of: id)))
    }

    func count(_ condition: String) throws -> Int64? {
      try server.connection(database).run("SELECT count(*) FROM \(condition)").rows.first?.integer(0)
    }
  }

  private static func time(_ seconds: Int64) -> WallClockTime { WallClockTime(nanoseconds: seconds * 1_000_000_000) }

  private static func content(_ id: String) -> SessionFolderContent {
    let files = [SessionFolderContent.File(SessionFolder.summary, Array("{\"sessionID\": \"\(id)\"}".utf8))]
    return SessionFolderContent(sessionID: id, files: files)
  }

  @Test("A session begins for the person of a profile, and neither for nobody nor for whoever has the name next")
  func begin() async throws {
    let one = try Instance()
    let ann = try one.makeProfile("ann")
    let (first, hold) = try one.session(0)
    #expect(try await one.store.begin(first, key: nil, liveLimit: 3, under: hold, as: ann) == .new)
    try await one.store.end(first.id, clock: nil, at: Self.time(5), under: hold)
    try one.removeProfile("ann")
    let (second, secondHold) = try one.session(1)
    #expect(try await one.store.begin(second, key: ("k", [1]), liveLimit: 3, under: secondHold, as: ann) == .gone)
    let next = try one.makeProfile("ann")
    #expect(try await one.store.begin(second, key: ("k", [1]), liveLimit: 3, under: secondHold, as: ann) == .gone)
    #expect(try await one.store.session(second.id) == nil)
    #expect(try await one.store.beginning(of: "k", body: [1], by: "m") == nil)
    #expect(try await one.store.begin(second, key: ("k", [1]), liveLimit: 3, under: secondHold, as: next) == .new)
  }

  @Test("A person with a session that began before the deletion stays whole, and goes when it is over")
  func live() async throws {
    let one = try Instance()
    let ann = try one.makeProfile("ann")
    let (session, hold) = try one.session(0)
    #expect(try await one.store.begin(session, key: nil, liveLimit: 3, under: hold, as: ann) == .new)
    let made = IssuedSecret.token([.send], person: "ann", session: nil, group: nil, days: 1, now: Self.time(1))
    try await one.store.add(made.grant)
    #expect(try one.fleet.forget(person: "ann", sessions: [], others: []) == .isLive)
    #expect(try one.count("coach.kept_file") == 1)
    #expect(try await one.store.grants().count == 1)
    #expect(try await one.store.session(session.id) == session)
    try await one.store.end(session.id, clock: nil, at: Self.time(5), under: hold)
    // Nor by a secret that does not hold any more, or is somebody else's by now.
    let renamed = Caller(.token, id: made.grant.caller.id, scopes: [.manage], person: "anna")
    let revoked = Caller(.token, id: "x", scopes: [.manage], person: "ann")
    for caller in [renamed, revoked] {
      #expect(throws: ServiceProblem.self) {
        try one.fleet.forget(person: "ann", sessions: [], others: [], by: caller)
      }
    }
    #expect(try one.count("coach.kept_file") == 1)
    #expect(try one.fleet.forget(person: "ann", sessions: [], others: [], by: made.grant.caller) == .gone)
    #expect(try one.fleet.forget(person: "ann", sessions: [], others: []) == .unknown)
    for table in ["kept_file", "grant_", "session"] { #expect(try one.count("coach.\(table)") == 0, "\(table)") }
  }

  @Test("An import that is adding a session is waited for, and its session goes with the person, or is nobody's")
  func importing() async throws {
    let id = "20240101T070000Z-running-00000001"
    for erases in [true, false] {
      let one = try Instance()
      _ = try one.makeProfile("ann")
      // What an import does in its transaction.
      let adding = try one.server.connection(one.database)
      try adding.execute("BEGIN")
      #expect(try FleetStore.heldProfile(at: ProfileFileName.path(of: "ann"), in: adding) != nil)
      _ = try adding.run(
        """
        INSERT INTO coach.session (id, shard, person, maker, request, created_ns, summary, ended_ns)
        VALUES ($1, 0, 'ann', '', '', 1, '', 1)
        """, [.text(id)])
      let fleet = one.fleet
      // It holds up nobody who changes the profile.
      let changed = try fleet.store.changeProfile(at: ProfileFileName.path(of: "ann")) { (text: $0, value: 1) }
      #expect(changed == 1)
      // On a thread of its own: those of tasks may all be held up by tests that wait, as this one does.
      let (ends, ended) = AsyncStream<Result<Void, any Error>>.makeStream()
      Thread.detachNewThread {
        ended.yield(
          Result {
            if erases {
              #expect(try fleet.forget(person: "ann", sessions: [], others: []) == .gone)
            } else {
              try fleet.store.removeProfile(at: ProfileFileName.path(of: "ann"))
            }
          })
        ended.finish()
      }
      try waitUntil("the deletion waits for the import") {
        try one.count("pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'") == 1
      }
      try adding.execute("COMMIT")
      for await end in ends { try end.get() }
      #expect(try one.count("coach.kept_file") == 0)
      #expect(try one.count("coach.session") == (erases ? 0 : 1))
      #expect(try one.count("coach.session WHERE person IS NOT NULL") == 0)
    }
  }

  @Test("An import adds nothing for a person who was deleted since it began, nor to whoever has the name next")
  func importingLate() throws {
    let one = try Instance()
    let ann = try one.makeProfile("ann")
    let turn = PersonImport(one.fleet.address, name: "import", person: "ann") { text in
      text.flatMap { try? StoredProfile(json: $0.span, name: "ann").id } == ann
    }
    defer { turn.close() }
    try turn.begin()
    let id = "20240101T070000Z-running-00000001"
    #expect(try turn.add(Self.content(id), start: Self.time(1)).name == id)
    #expect(try one.fleet.forget(person: "ann", sessions: [], others: []) == .gone)
    let late = Self.content("20240101T080000Z-running-00000001")
    #expect(throws: PersonImport.PersonGone.self) { try turn.add(late, start: Self.time(1)) }
    _ = try one.makeProfile("ann")
    #expect(throws: PersonImport.PersonGone.self) { try turn.add(late, start: Self.time(1)) }
    #expect(try one.count("coach.session") == 0)
    #expect(try one.count("coach.log_row") == 0)
  }

  @Test("With a secret that was revoked meanwhile nothing is made", arguments: StoreKind.allCases)
  func revoked(_ kind: StoreKind) async throws {
    let folder = try ScratchFolder()
    let one = kind == .shared ? try Instance() : nil
    let store = one?.store ?? ServiceStore(dataFolder: StoredPath(dataFolder: folder.path + "/data"))
    @Sendable func token(_ person: String?) -> IssuedSecret {
      IssuedSecret.token([.manage], person: person, session: nil, group: nil, days: 1, now: Self.time(1))
    }
    let (ann, owner) = (token("ann").grant, token(nil).grant)
    for grant in [ann, owner] { try await store.add(grant) }
    try await store.add(
      RunnerGroup(id: "g", name: "g", maker: "m", person: nil, createdAt: Self.time(1)), by: owner.caller)
    let member = GroupMember(person: "ann", shares: [.heartRate])
    #expect(try await store.join("g", member, by: ann.caller, at: Self.time(2)))
    #expect(try await store.leave("g", "ann"))
    let identity = MappedIdentity(id: "i1", issuer: "https://id", claim: "sub", value: "1", person: "ann")
    try await store.add(identity, at: Self.time(1))
    try await store.addLink(digest: [1], person: "ann", until: Self.time(20))
    try await store.forgetAuthority(of: "ann")
    for grant in [token("ann").grant, token(nil).grant] {
      let problem = await #expect(throws: ServiceProblem.self) { try await store.add(grant, by: ann.caller) }
      #expect(problem?.code == .unauthorized)
    }
    await #expect(throws: ServiceProblem.self) { try await store.join("g", member, by: ann.caller, at: Self.time(2)) }
    await #expect(throws: ServiceProblem.self) {
      try await store.add(
        RunnerGroup(id: "h", name: "h", maker: ann.caller.id, person: "ann", createdAt: Self.time(1)), by: ann.caller)
    }
    #expect(try await store.signIn(link: [1], now: Self.time(2)) { token($0) } == nil)
    #expect(try await !store.signIn(token("ann").grant, as: identity))
    let id = "20261120T070000Z-running-00000001"
    let session = BegunSession(
      id: id, person: "ann", maker: ann.caller.id, request: "{}", createdAt: Self.time(1))
    let hold = one?.fleet.store.hold(of: id)
    #expect(try await store.begin(session, key: nil, liveLimit: 3, under: hold, isOfSecret: true) == .revoked)
    #expect(try await store.grants().map(\.caller.id) == [owner.caller.id])
    #expect(try await store.groups().map(\.members) == [[]])
    #expect(try await store.openSessions().isEmpty)
    // Those of the owner are made.
    try await store.add(token("bob").grant, by: owner.caller)
    try await store.addLink(digest: [2], person: "bob", until: Self.time(20))
    #expect(try await store.signIn(link: [2], now: Self.time(2)) { token($0) }?.grant.caller.person == "bob")
    #expect(try await store.grants().count == 3)
  }

  @Test("A sign-in is that of the identity as it is by now")
  func identity() async throws {
    let store = try Instance().store
    let identity = MappedIdentity(id: "i1", issuer: "https://id", claim: "sub", value: "1", person: "ann")
    try await store.add(identity, at: Self.time(1))
    let made = IssuedSecret.token([.watch], person: "ann", session: nil, group: nil, days: 1, now: Self.time(1))
    #expect(try await store.signIn(made.grant, as: identity))
    #expect(try await store.grants() == [made.grant])
    let other = MappedIdentity(id: "i1", issuer: "https://id", claim: "sub", value: "1", person: "bob")
    let late = IssuedSecret.token([.watch], person: "bob", session: nil, group: nil, days: 1, now: Self.time(1))
    #expect(try await !store.signIn(late.grant, as: other))
    #expect(try await store.grants() == [made.grant])
  }
}
