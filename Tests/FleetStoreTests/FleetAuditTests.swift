@testable import CoachService
import FleetStore
import Foundation
import SessionStore
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// The audit of all instances, in the database.
@Suite("The audit of several instances", .serialized)
struct FleetAuditTests {
  private func lines(_ fleet: FleetServiceHarness) throws -> [String] {
    let audit = FleetAudit(try PostgresAddress(fleet.server.url(fleet.database)), name: "reader")
    defer { audit.close() }
    return String(decoding: try audit.text(mostBytes: 1 << 20), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test("What is done at any instance is in one audit, without a secret or a name, and in no file of an instance")
  func everywhere() async throws {
    let fleet = try await FleetServiceHarness(PostgresServer.shared.get())
    let owner = try await fleet.token()
    let body = #"{"name":"annabella","birthDate":"1990-05-17"}"#
    let person = await fleet.send(0, "POST", "/v1/people", owner, body: body)
    #expect(person.status == 201)
    let made = await fleet.send(1, "POST", "/v1/tokens", owner, body: #"{"scopes":["watch"],"person":"annabella"}"#)
    #expect(made.status == 201, "\(made.text)")
    let (id, secret) = (
      try #require(made.json?["tokenID"]?.string, "\(made.text)"), try #require(made.json?["token"]?.string)
    )
    #expect(await fleet.send(0, "DELETE", "/v1/tokens/\(id)", owner).status == 204)
    await fleet.close()
    let records = try lines(fleet).map { try JSONValue.parse($0) }
    let actions = records.compactMap { $0["action"]?.string }
    #expect(Set(actions) == ["personChanged", "tokenCreated", "tokenRevoked"])
    #expect(records.count == 3)
    #expect(records.allSatisfy { $0["type"]?.string == "audit" })
    #expect(records.allSatisfy { $0["by"]?.string == owner.grant.caller.id })
    let created = try #require(records.first { $0["action"]?.string == "tokenCreated" })
    #expect(created["subject"]?.string == id)
    let text = try lines(fleet).joined()
    for word in [secret, owner.secret, "annabella", "1990"] { #expect(!text.contains(word)) }
    for service in fleet.services {
      #expect(!FileSystem.exists(service.settings.dataFolder + "/" + AuditLog.fileName))
    }
  }

  @Test("Lines are only ever added, and those whose answer was lost are added once")
  func appendOnly() throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    try server.store(database, "instance").open()
    let address = try PostgresAddress(server.url(database))
    let (one, other) = (FleetAudit(address, name: "one"), FleetAudit(address, name: "other"))
    let lines = ["a\n", "b\n"].map { Array($0.utf8) }
    try one.append(lines, from: 1)
    try one.append(lines, from: 1)
    try other.append([Array("c\n".utf8)], from: 1)
    try one.append([Array("b\n".utf8), Array("d\n".utf8)], from: 2)
    #expect(String(decoding: try one.text(mostBytes: 100), as: UTF8.self) == "a\nb\nc\nd\n")
    let error = #expect(throws: PostgresError.self) { try one.text(mostBytes: 7) }
    #expect(error?.kind == .damaged)
    let connection = try server.connection(database)
    for statement in [
      "UPDATE coach.audit SET line = ''", "DELETE FROM coach.audit WHERE number = 1", "TRUNCATE coach.audit",
    ] {
      let error = #expect(throws: PostgresError.self) { _ = try connection.run(statement) }
      #expect(error?.kind == .refused("CO005"), "\(statement)")
    }
    #expect(String(decoding: try other.text(mostBytes: 100), as: UTF8.self) == "a\nb\nc\nd\n")
  }

  @Test("What is noted while the database is away is there when it is back, in its order")
  func away() async throws {
    let server = try PostgresServer(["fsync=on"])
    let database = try server.database()
    try server.store(database, "instance").open()
    let address = try PostgresAddress(server.url(database))
    let queue = AuditQueue(FleetAudit(address, name: "queue"))
    try server.stop()
    for number in 0..<1_200 { queue.append(Array("\(number)\n".utf8)) }
    try server.start()
    let reader = FleetAudit(address, name: "reader")
    let expected = (0..<1_200).map { "\($0)\n" }.joined()
    var found = ""
    for _ in 0..<200 where found != expected {
      found = String(decoding: try reader.text(mostBytes: 1 << 20), as: UTF8.self)
      try await Task.sleep(nanoseconds: 50_000_000)
    }
    #expect(found == expected)
    await queue.close()
  }

  @Test("Verbs add to the audit of the database, and one prints it; that of a folder too")
  func verbs() throws {
    let store = try CopiedStore()
    let words = ["token", "create", "--scope", "watch"]
    #expect(try store.coach(words + ["--database", store.url]).status == 0)
    #expect(try store.coach(words).status == 0)
    for place in [["--database", store.url], []] {
      let printed = try store.coach(["store", "audit"] + place)
      #expect(printed.status == 0, "\(printed.text)")
      #expect(printed.lines.count == 1)
      #expect(try JSONValue.parse(printed.text)["action"]?.string == "tokenCreated")
    }
  }

  @Test("A copy into a folder has what folders brought and what instances added, and brings nothing twice")
  func copies() throws {
    let store = try CopiedStore()
    let words = ["token", "create", "--scope", "watch"]
    #expect(try store.coach(words).status == 0)
    let own = try CopiedStore.files(store.data)[AuditLog.fileName]
    let shared = words + ["--database", store.url, "--data-dir", store.folder.path + "/none"]
    #expect(try store.coach(shared).status == 0)
    #expect(try store.record(into: "database")["audit"]?["added"]?.number?.int64 == 1)
    #expect(try store.coach(shared).status == 0)
    let back = StoredPath(dataFolder: store.folder.path + "/back")
    #expect(try store.record(into: "folder", data: back)["audit"]?["added"]?.number?.int64 == 1)
    let all = try #require(try CopiedStore.files(back)[AuditLog.fileName])
    #expect(all.starts(with: try #require(own)))
    #expect(all.count { $0 == UInt8(ascii: "\n") } == 3)
    for data in [back, store.data] {
      let again = try store.record(into: "database", data: data)
      #expect(again["audit"]?["there"]?.number?.int64 == 1)
    }
    #expect(try store.count("audit") == 2)
    // What comes into that folder later is added behind all of it.
    #expect(try store.coach(words, data: back).status == 0)
    #expect(try store.record(into: "database", data: back)["audit"]?["added"]?.number?.int64 == 1)
    #expect(try store.count("audit") == 3)
    let last = StoredPath(dataFolder: store.folder.path + "/last")
    #expect(try store.record(into: "folder", data: last)["audit"]?["added"]?.number?.int64 == 1)
    #expect(try CopiedStore.files(last)[AuditLog.fileName] == CopiedStore.files(back)[AuditLog.fileName])
    let printed = try store.coach(["store", "audit", "--database", store.url], takesFolder: false)
    let kept = String(decoding: try CopiedStore.files(last)[AuditLog.fileName] ?? [], as: UTF8.self)
    #expect(printed.status == 0, "\(printed.text)")
    #expect(printed.lines == kept.split(separator: "\n").map(String.init), "\(printed.text)")
  }

  @Test("What folders have brought is only ever added to, as the lines of instances are")
  func broughtIsKept() throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    try server.store(database, "instance").open()
    let copies = FleetCopies(try PostgresAddress(server.url(database)), name: "copies")
    let connection = try server.connection(database)
    let name = AuditLog.fileName
    // Where there is none, everything may go.
    #expect(try copies.keep([9], as: "profiles/ann.json", of: "ann", replacing: nil) == .added)
    try connection.execute("TRUNCATE coach.kept_file, coach.kept_piece")
    #expect(try copies.keep(Array("a\n".utf8), as: name, of: nil, replacing: nil) == .added)
    #expect(try copies.keep([9], as: "profiles/ann.json", of: "ann", replacing: nil) == .added)
    for statement in [
      "UPDATE coach.kept_piece SET content = ''", "DELETE FROM coach.kept_piece", "DELETE FROM coach.kept_file",
      "UPDATE coach.kept_file SET byte_count = 0", "UPDATE coach.kept_file SET person = 'ann'",
      "UPDATE coach.kept_file SET name = 'other' WHERE name = '\(name)'", "TRUNCATE coach.kept_file CASCADE",
      "TRUNCATE coach.kept_piece",
    ] {
      let error = #expect(throws: PostgresError.self, "\(statement)") { try connection.execute(statement) }
      #expect(error?.kind == .refused("CO005"), "\(statement)")
    }
    let first = try #require(try copies.keptFiles().first { $0.name == name })
    let all = Array("a\nb\n".utf8)
    #expect(try copies.extend(first, to: all) == .added)
    #expect(try copies.extend(first, to: all) == .there, "another copy has added it")
    let second = try #require(try copies.keptFiles().first { $0.name == name })
    #expect(second.byteCount == 4)
    #expect(try copies.content(of: second, mostBytes: 100) == all)
    // Files of people go as before.
    _ = try connection.run("DELETE FROM coach.kept_file WHERE person = 'ann'")
    #expect(try copies.keptFiles() == [second])
  }

  @Test("During the upgrade the older instance goes on beside one with an audit in the database")
  func upgrade() throws {
    let server = try PostgresServer.shared.get()
    let database = try server.database()
    let old = try server.store(database, "old", migrations: Array(FleetSchema.migrations.prefix(8)))
    try old.open()
    try old.keepLeases()
    #expect(try server.store(database, "new").open().first == "audit")
    let hold = try old.begin(.test(heldBy: old))
    #expect(try old.append(.rows(hold, ["a"])) == [])
    #expect(try old.keepLeases() == [])
  }
}
