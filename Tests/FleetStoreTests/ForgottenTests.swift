import FleetStore
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// What a database says of what was deleted from it, for whoever brings it back as of an earlier time.
@Suite("What is forgotten")
struct ForgottenTests {
  private struct Forgetting {
    let store: FleetStore
    let connection: PostgresConnection

    init() throws {
      let server = try PostgresServer.shared.get()
      let database = try server.database()
      store = try server.store(database, "one")
      try store.open()
      connection = try server.connection(database)
    }

    func run(_ sql: String) throws { _ = try connection.run(sql) }

    /// What is forgotten, as `kind id`, and what of it is back.
    func forgotten() throws -> [String] {
      try connection.run("SELECT kind || ' ' || id || CASE WHEN is_back THEN ' back' ELSE '' END FROM coach.forgotten")
        .rows.map { $0.text(0) }.sorted()
    }

    func create(_ id: String, named name: String) throws -> Bool {
      let text = #"{"version":2,"type":"profile","id":"\#(id)","name":"\#(name)"}"# + "\n"
      return try store.createProfile(Array(text.utf8), at: "profiles/\(name).json", of: name)
    }
  }

  private static let (ann, namesake) = (String(repeating: "a", count: 32), String(repeating: "b", count: 32))

  @Test("A profile is forgotten by its identity, not by its name, and one that is brought again is back")
  func profiles() throws {
    let forgetting = try Forgetting()
    #expect(try forgetting.create(Self.ann, named: "ann"))
    #expect(try forgetting.forgotten() == [])
    try forgetting.store.removeProfile(at: "profiles/ann.json")
    #expect(try forgetting.create(Self.namesake, named: "ann"))
    #expect(try forgetting.forgotten() == ["profile \(Self.ann)"])
    try forgetting.run("DELETE FROM coach.kept_file WHERE person = 'ann'")
    #expect(try forgetting.forgotten() == ["profile \(Self.ann)", "profile \(Self.namesake)"])
    #expect(try forgetting.create(Self.ann, named: "ann"))
    #expect(try forgetting.forgotten() == ["profile \(Self.ann) back", "profile \(Self.namesake)"])
    // A change is no deletion.
    _ = try forgetting.store.changeProfile(at: "profiles/ann.json") { ($0 + [UInt8(ascii: "\n")], 1) }
    try forgetting.store.removeProfile(at: "profiles/ann.json")
    #expect(try forgetting.forgotten() == ["profile \(Self.ann)", "profile \(Self.namesake)"])
  }

  @Test("Secrets that hold, identities, groups, places in them and recordings are forgotten, by what says no name")
  func others() throws {
    let forgetting = try Forgetting()
    try forgetting.run(
      """
      INSERT INTO coach.grant_ VALUES ('over', 'token', '\\x01', 'send', 'ann', NULL, NULL, NULL, 1, 2),
        ('holds', 'token', '\\x02', 'send', 'ann', NULL, NULL, NULL, 1, 9000000000000000000)
      """)
    try forgetting.run("INSERT INTO coach.identity VALUES ('i1', 'i', 'sub', '1', 'ann', 1)")
    try forgetting.run("INSERT INTO coach.group_ VALUES ('g1', 'n', 'm', 'bob', 1), ('g2', 'n', 'm', 'ann', 1)")
    try forgetting.run("INSERT INTO coach.member VALUES ('g1', 'ann', '', 7)")
    try forgetting.run(
      "INSERT INTO coach.kept_file VALUES ('motion/x', 'ann', 1, '\\x01'), ('models/x', NULL, 1, '\\x01')")
    for table in ["grant_", "identity", "group_", "member", "kept_file"] {
      try forgetting.run("DELETE FROM coach.\(table)" + (table == "group_" ? " WHERE id = 'g2'" : ""))
    }
    let forgotten = try forgetting.forgotten()
    let named = forgotten.filter { !$0.hasPrefix("member ") && !$0.hasPrefix("file ") }
    #expect(named == ["grant holds", "group g2", "identity i1"])
    #expect(forgotten.count == 5, "\(forgotten)")
    #expect(!forgotten.contains { $0.contains("ann") }, "no name stands there")
    try forgetting.run("INSERT INTO coach.kept_file VALUES ('motion/x', 'ann', 1, '\\x01')")
    #expect(try forgetting.forgotten().filter { $0.hasSuffix(" back") }.count == 1)
  }

  @Test("Whom the list of former people names no longer is forgotten")
  func formerPeople() throws {
    let forgetting = try Forgetting()
    func list(_ ids: [String]) -> [UInt8] {
      let people = ids.map { #"{"name":"n","keys":["\#($0)"]}"# }.joined(separator: ",")
      return Array((#"{"version":1,"type":"formerPeople","people":["# + people + "]}\n").utf8)
    }
    try forgetting.run("INSERT INTO coach.kept_file VALUES ('former-people.json', NULL, 1, '\\x01')")
    _ = try forgetting.connection.run(
      "INSERT INTO coach.kept_piece VALUES ('former-people.json', 1, $1)", [.bytes(list([Self.ann, Self.namesake]))])
    try forgetting.store.changeFormerPeople { _ in list([Self.namesake]) }
    #expect(try forgetting.forgotten() == ["profile \(Self.ann)"])
    try forgetting.store.changeFormerPeople { _ in nil }
    #expect(try forgetting.forgotten() == ["profile \(Self.ann)", "profile \(Self.namesake)"])
  }
}
