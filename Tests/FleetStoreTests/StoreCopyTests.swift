@testable import CoachService
import FleetStore
import Foundation
import Glibc
import SessionStore
import Testing
import TextFormats
import WorkoutHistory
@testable import WorkoutTestSupport

/// A folder store goes into a database and comes back.
@Suite("The copy of a store", .serialized)
struct StoreCopyTests {
  @Test("A folder goes into the database and from there into a new folder: the same byte by byte, and row by row")
  func roundTrip() async throws {
    let store = try CopiedStore()
    try await store.fill()
    let before = (try CopiedStore.files(store.data), try CopiedStore.rows(store.data))
    let first = try store.record(into: "database")
    #expect(first["sessions"]?["added"]?.number?.int64 == 3)
    #expect(first["profiles"]?["added"]?.number?.int64 == 1)
    #expect(first["motion"]?["added"]?.number?.int64 == 1)
    #expect(first["audit"]?["added"]?.number?.int64 == 1)
    #expect(first["refused"]?.array?.isEmpty == true)
    #expect(try CopiedStore.files(store.data) == before.0, "the source is as it was")
    let rows = try store.dump()
    let again = try store.record(into: "database")
    #expect(again["added"]?.number?.int64 == 0)
    #expect(again["sessions"]?["there"]?.number?.int64 == 3)
    #expect(try store.dump() == rows)

    let back = StoredPath(dataFolder: store.folder.path + "/back")
    let returned = try store.record(into: "folder", data: back)
    #expect(returned["sessions"]?["added"]?.number?.int64 == 3)
    #expect(returned["refused"]?.array?.isEmpty == true)
    #expect(try CopiedStore.files(back) == before.0)
    #expect(try CopiedStore.rows(back) == before.1)
    #expect(before.0.keys.contains { $0.hasSuffix("/notes.json") })
    #expect(before.0.keys.contains { $0.hasSuffix("/labels.csv") })
    for table in ["grant_", "link", "session", "repeat", "group_", "member", "identity", "issuer"] {
      #expect(before.1.contains { $0.hasPrefix(table + " ") }, "\(table)")
    }
    let third = try store.record(into: "folder", data: back)
    #expect(third["added"]?.number?.int64 == 0)
    #expect(try CopiedStore.files(back) == before.0)
    #expect(try CopiedStore.rows(back) == before.1)
    let checks = try [store.data, back].map { data in
      try store.coach(["history", "check"], data: data).text.replacing(data.path, with: "")
    }
    #expect(checks[0] == checks[1])
    let lists = try [store.data, back].map { try store.coach(["history", "list", "--format", "jsonl"], data: $0).text }
    #expect(lists[0] == lists[1])
    #expect(try store.record(into: "database", data: back)["added"]?.number?.int64 == 0)
    #expect(try store.dump() == rows)
  }

  @Test("What comes into the folder later is added, and an audit that went on is longer there too")
  func later() async throws {
    let store = try CopiedStore()
    try await store.fill()
    _ = try store.record(into: "database")
    let more = try store.folder.write(
      "time_s,heart_rate\n" + (0...150).map { "\($0),\(120 + $0 / 9)\n" }.joined(), "more.csv")
    for command in [
      ["import", more, "--age", "31", "--start", "2026-11-20T07:00:00Z"], ["token", "create", "--scope", "send"],
    ] { #expect(try store.coach(command).status == 0) }
    let record = try store.record(into: "database")
    #expect(record["sessions"]?["added"]?.number?.int64 == 1)
    #expect(record["service"]?["added"]?.number?.int64 == 1)
    #expect(record["audit"]?["added"]?.number?.int64 == 1)
    let back = StoredPath(dataFolder: store.folder.path + "/back")
    _ = try store.record(into: "folder", data: back)
    #expect(try CopiedStore.files(back) == CopiedStore.files(store.data))
    #expect(try CopiedStore.rows(back) == CopiedStore.rows(store.data))
  }

  @Test("Sessions of somebody who was renamed are that person's in the database, and come back as they are")
  func renamed() async throws {
    let store = try CopiedStore()
    try await store.fill()
    #expect(try store.coach(["profile", "rename", "anna", "anne"]).status == 0)
    _ = try store.record(into: "database")
    #expect(try store.count("session WHERE person = 'anne'") == 2, "all that name the profile")
    #expect(try store.record(into: "database")["added"]?.number?.int64 == 0)
    #expect(try store.record(into: "folder")["added"]?.number?.int64 == 0)
    #expect(try store.coach(["profile", "rename", "anne", "anja"]).status == 0)
    let record = try store.record(into: "database", status: 65)
    #expect(record["sessions"]?["refused"]?.number?.int64 == 2)
    #expect(try store.count("session WHERE person = 'anne'") == 2)
  }

  @Test("Sessions of somebody who was renamed and whose profile is gone are no namesake's, and are called as last")
  func former() async throws {
    let store = try CopiedStore()
    let workout = try store.folder.write(
      "time_s,heart_rate\n" + (0...300).map { "\($0),\(100 + $0 / 10)\n" }.joined(), "workout.csv")
    for words in [
      ["profile", "create", "kim", "--birth-date", "1990-01-01"],
      ["import", workout, "--profile", "kim", "--start", "2026-11-18T07:00:00Z"],
      ["profile", "rename", "kim", "lee"], ["profile", "delete", "lee", "--yes"],
      ["profile", "create", "kim", "--birth-date", "1980-02-02"],
    ] { #expect(try store.coach(words).status == 0, "\(words)") }
    let record = try store.record(into: "database")
    #expect(record["profiles"]?["added"]?.number?.int64 == 2, "the new one, and what the old one was called")
    #expect(try store.count("session") == 1)
    #expect(try store.count("session WHERE person IS NOT NULL") == 0)
    let connection = try store.server.connection(store.database)
    let seen = try connection.transaction { () throws(PostgresError) in
      _ = try connection.run("SELECT coach.enter('kim')")
      return try connection.run("SELECT (SELECT count(*) FROM coach.session) + (SELECT count(*) FROM coach.log_row)")
    }
    #expect(seen.rows.first?.integer(0) == 0)
    #expect(try store.record(into: "database")["added"]?.number?.int64 == 0)
    let back = StoredPath(dataFolder: store.folder.path + "/back")
    _ = try store.record(into: "folder", data: back)
    let former = DataFolderMark.formerPeople
    let brought = try Data(contentsOf: URL(fileURLWithPath: store.data.path + "/" + former))
    #expect(try Data(contentsOf: URL(fileURLWithPath: back.path + "/" + former)) == brought)
    for (name, isTheirs) in [("lee", true), ("kim", false)] {
      let list = try store.coach(["history", "list", "--person", name, "--format", "jsonl"], data: back)
      #expect(list.lines.contains { $0.contains("20261118T070000Z") } == isTheirs, "\(name): \(list.text)")
    }
    // What the folder says of somebody else later takes the place of what was brought, and the other way it is left.
    for words in [
      ["profile", "delete", "kim", "--yes"], ["profile", "create", "kim", "--birth-date", "1970-02-02"],
    ] { #expect(try store.coach(words).status == 0, "\(words)") }
    let more = try store.record(into: "database", status: 65)
    #expect(more["profiles"]?["added"]?.number?.int64 == 1)
    #expect(more["profiles"]?["refused"]?.number?.int64 == 1, "the profile of another kim")
    #expect(try store.record(into: "database", data: back)["profiles"]?["there"]?.number?.int64 == 2)
  }

  @Test("A session that differs is refused by its name, nothing of it is overwritten, and the others are copied")
  func differing() async throws {
    let store = try CopiedStore()
    try await store.fill()
    _ = try store.record(into: "database")
    let back = StoredPath(dataFolder: store.folder.path + "/back")
    _ = try store.record(into: "folder", data: back)
    let names = try CopiedStore.sessions(store.data)
    let (changed, absent) = (names[0], names[1])
    try FileManager.default.removeItem(atPath: back.path + "/sessions/" + absent)
    let file = back + "/sessions/" + changed + "/heart_rate.csv"
    let other = Array("time,at_s,heart_rate_bpm\n".utf8)
    try FileSystem.writeAtomically(other.span, to: file)
    let outcome = try store.copy(into: "folder", data: back)
    #expect(outcome.status == 65)
    #expect(outcome.lines.contains { $0.contains(changed) && $0.contains("another heart_rate.csv") }, "\(outcome.text)")
    #expect(outcome.lines.contains { $0.hasPrefix("sessions: 1 added, 1 there already, 1 refused") }, "\(outcome.text)")
    #expect(try POSIXFile(reading: file).readAll(maximumBytes: 1 << 20) == other)
    #expect(try CopiedStore.sessions(back) == names)
    let rows = try store.dump()
    let record = try store.record(into: "database", data: back, status: 65)
    #expect(record["refused"]?.array?.first?["name"]?.string == changed)
    #expect(record["added"]?.number?.int64 == 0)
    #expect(try store.dump() == rows)
  }

  @Test("A profile, a secret and an audit that differ are refused by their names, and stay as they are on both sides")
  func differingRows() async throws {
    let store = try CopiedStore()
    try await store.fill()
    _ = try store.record(into: "database")
    let connection = try store.server.connection(store.database)
    _ = try connection.run("UPDATE coach.grant_ SET scopes = 'manage' WHERE kind = 'key'")
    _ = try connection.run("UPDATE coach.member SET shares = ''")
    let profile = store.data + "/profiles/anna.json"
    let text = String(decoding: try POSIXFile(reading: profile).readAll(maximumBytes: 1 << 20), as: UTF8.self)
    try FileSystem.writeAtomically(Array(text.replacing("1990", with: "1991").utf8).span, to: profile)
    try FileSystem.writeAtomically(Array("{}\n".utf8).span, to: store.data + "/audit.jsonl")
    let (files, rows) = (try CopiedStore.files(store.data), try store.dump())
    let outcome = try store.copy(into: "database")
    #expect(outcome.status == 65)
    for word in ["token or key ", "member of ", "profiles/anna.json: ", "audit.jsonl: "] {
      #expect(outcome.lines.contains { $0.hasPrefix("coach: " + word) }, "\(word): \(outcome.text)")
    }
    #expect(try CopiedStore.files(store.data) == files)
    #expect(try store.dump() == rows)
  }

  @Test("What is left of a copy that ended after any session is finished by the next one, and nothing is there twice")
  func cutOff() async throws {
    struct Cut: Error {}
    let store = try CopiedStore()
    try await store.fill()
    let fleet = try store.server.store(store.database, "schema")
    try fleet.open()
    let names = try CopiedStore.sessions(store.data)
    for count in 1...names.count {
      var copy = StoreCopy(store.data, try store.address, without: []) { done in
        if done.done == count { throw Cut() }
      }
      await #expect(throws: Cut.self) { try await copy.run(into: .database) }
      #expect(try store.count("session") == Int64(count))
    }
    let record = try store.record(into: "database")
    #expect(record["sessions"]?["there"]?.number?.int64 == 3)
    #expect(record["service"]?["there"]?.number?.int64 == 0)
    let whole = try store.dump()
    let back = StoredPath(dataFolder: store.folder.path + "/back")
    for count in 1...names.count {
      var copy = StoreCopy(back, try store.address, without: []) { done in
        if done.done == count { throw Cut() }
      }
      await #expect(throws: Cut.self) { try await copy.run(into: .folder) }
    }
    _ = try store.record(into: "folder", data: back)
    #expect(try CopiedStore.files(back) == CopiedStore.files(store.data))
    #expect(try CopiedStore.rows(back) == CopiedStore.rows(store.data))
    #expect(try store.dump() == whole)
  }

  @Test("A process that is killed in the middle of a session leaves nothing of it, and the next copies it")
  func killed() async throws {
    let store = try CopiedStore()
    try await store.fill()
    let fleet = try store.server.store(store.database, "schema")
    try fleet.open()
    let names = try CopiedStore.sessions(store.data)
    // Somebody is about to add the last session, so that the copy waits in its transaction.
    let other = try store.server.connection(store.database)
    try other.execute("BEGIN")
    _ = try other.run(
      "INSERT INTO coach.session VALUES ($1, 0, NULL, '', '', 0)", [.text(try #require(names.last))])
    let process = try TestProcess(
      try CopiedStore.program(),
      ["store", "copy", "--into", "database", "--database", store.url, "--data-dir", store.data.path])
    try waitForLock(store)
    process.end(SIGKILL)
    try other.execute("ROLLBACK")
    #expect(try store.count("session") == 2)
    #expect(try store.count("grant_") == 0)
    let record = try store.record(into: "database")
    #expect(record["sessions"]?["added"]?.number?.int64 == 1)
    #expect(record["sessions"]?["there"]?.number?.int64 == 2)
    let back = StoredPath(dataFolder: store.folder.path + "/back")
    // The sessions are in their places, and the rest is not.
    try other.execute("BEGIN; LOCK TABLE coach.grant_")
    let second = try TestProcess(
      try CopiedStore.program(),
      ["store", "copy", "--into", "folder", "--database", store.url, "--data-dir", back.path])
    try waitForLock(store)
    second.end(SIGKILL)
    try other.execute("ROLLBACK")
    #expect(try CopiedStore.sessions(back) == names)
    #expect(!FileSystem.exists(back + "/profiles/anna.json"))
    // What a process leaves that is killed while it writes a session, and before the index has one.
    let half = back + "/importing/" + names[0]
    try FileSystem.createFolder(half)
    try FileSystem.writeAtomically(Array("{".utf8).span, to: half + "/manifest.json")
    try FileSystem.createFolder(back + "/unfinished")
    try FileSystem.writeAtomically([UInt8]().span, to: back + "/unfinished/" + names[1])
    _ = try store.record(into: "folder", data: back)
    #expect(try CopiedStore.files(back) == CopiedStore.files(store.data))
    #expect(try CopiedStore.rows(back) == CopiedStore.rows(store.data))
    let checks = try [store.data, back].map { data in
      try store.coach(["history", "check"], data: data).text.replacing(data.path, with: "")
    }
    #expect(checks[0] == checks[1])
  }

  private func waitForLock(_ store: CopiedStore) throws {
    let connection = try store.server.connection(store.database)
    for _ in 0..<400 {
      let waiting = try connection.run(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'coach-copy' AND wait_event_type = 'Lock'")
      if waiting.rows.first?.integer(0) ?? 0 > 0 { return }
      usleep(20_000)
    }
    Issue.record("the copy waits for nobody")
  }

  @Test("A session that goes on is refused by its name on both sides, unless it is said to be left out")
  func unfinished() async throws {
    let store = try CopiedStore()
    try await store.fill()
    let open = "20261121T070000Z-running-0000000a"
    let mark = try SessionMark.make(open, in: store.data)
    try FileSystem.createFolder(SessionFolder.path(of: open, in: store.data))
    let refused = try store.copy(into: "database")
    #expect(refused.status == 65)
    #expect(
      refused.lines.contains("coach: \(open): is not over: expected its end, or --without unfinished"),
      "\(refused.text)")
    #expect(try store.count("session") == 0)
    let record = try store.record(into: "database", ["--without", "unfinished"])
    #expect(record["sessions"]?["added"]?.number?.int64 == 3)
    #expect(record["leftOut"]?.array?.first?["name"]?.string == open)
    try mark.remove()
    let connection = try store.server.connection(store.database)
    _ = try connection.run("INSERT INTO coach.session VALUES ($1, 0, 'anna', 'm', '{}', 0)", [.text(open)])
    let back = StoredPath(dataFolder: store.folder.path + "/back")
    let other = try store.copy(into: "folder", data: back)
    #expect(other.status == 65)
    #expect(other.lines == ["coach: \(open): is not over: expected its end, or --without unfinished"], "\(other.text)")
    #expect(!FileSystem.exists(back))
    _ = try store.record(into: "folder", ["--without", "unfinished"], data: back)
    #expect(try CopiedStore.sessions(back).count == 3)
    #expect(try !CopiedStore.rows(back).contains { $0.contains(open) })
  }
}
