@testable import CoachService
import FleetStore
import Foundation
import SessionStore
import SessionUpload
import Testing
import TextFormats
import WorkoutHistory
@testable import WorkoutTestSupport

/// What a copy of a store cannot carry, and what somebody has put there to lead it astray.
@Suite("What the copy of a store refuses", .serialized)
struct StoreCopyObstacleTests {
  @Test("Links, pipes and files of others are neither followed nor copied, and each is named")
  func foreign() async throws {
    let store = try CopiedStore()
    try await store.fill()
    let id = try #require(CopiedStore.sessions(store.data).first)
    let secret = try store.folder.write("outside", "secret")
    let folder = store.data.path + "/sessions/" + id
    let planted = [
      "sessions/\(id)/beside.csv", "sessions/\(id)/inner", "profiles/bob.json", "stray.txt", "motion/anna/pipe.csv",
      "sessions/notes.txt",
    ]
    try CopiedStore.link(secret, at: folder + "/beside.csv")
    try FileSystem.createFolder(folder + "/inner")
    try CopiedStore.link(secret, at: store.data.path + "/profiles/bob.json")
    try CopiedStore.pipe(at: store.data.path + "/motion/anna/pipe.csv")
    for name in ["/stray.txt", "/sessions/notes.txt"] {
      try FileSystem.writeAtomically(Array("mine\n".utf8).span, to: store.data.path + name)
    }
    let refused = try store.copy(into: "database")
    #expect(refused.status == 65)
    for name in planted {
      #expect(
        refused.lines.contains { $0.hasPrefix("coach: \(name): is nothing that coach") }, "\(name): \(refused.text)")
    }
    #expect(try store.count("session") == 0)
    let record = try store.record(into: "database", ["--without", "foreign"])
    #expect(record["sessions"]?["added"]?.number?.int64 == 3)
    #expect(record["leftOut"]?.array?.count == planted.count)
    for table in ["kept_piece WHERE content = 'outside'", "session_file WHERE content = 'outside'"] {
      #expect(try store.count(table) == 0)
    }
    let back = StoredPath(dataFolder: store.folder.path + "/back")
    _ = try store.record(into: "folder", data: back)
    for name in planted { #expect(!FileSystem.exists(back + "/" + name), "\(name)") }
  }

  @Test(
    "A link under the name of a session's file has the session refused, whatever is left out", arguments: [false, true])
  func plantedLog(_ isPipe: Bool) async throws {
    let store = try CopiedStore()
    try await store.fill()
    let id = try #require(CopiedStore.sessions(store.data).first)
    let log = store.data.path + "/sessions/" + id + "/heart_rate.csv"
    try FileManager.default.removeItem(atPath: log)
    if isPipe {
      try CopiedStore.pipe(at: log)
    } else {
      try CopiedStore.link(try store.folder.write("time,at_s,heart_rate_bpm\n", "elsewhere.csv"), at: log)
    }
    let record = try store.record(
      into: "database", ["--without", "unfinished,deleted,uploads,foreign"], status: 65)
    #expect(record["sessions"]?["added"]?.number?.int64 == 2)
    #expect(record["refused"]?.array?.first?["name"]?.string == id)
    #expect(try store.count("session") == 2)
    let exported = try store.coach(["history", "export", "--all", "--output", store.folder.path + "/out"])
    #expect(exported.status == 65)
    #expect(exported.lines.contains { $0.contains(id) && $0.contains("heart_rate.csv") }, "\(exported.text)")
    #expect(exported.lines.last == "\(store.folder.path)/out: 2 sessions")
  }

  @Test("A session with more bytes than are read at once is refused by its name, and the others are copied")
  func large() async throws {
    let store = try CopiedStore()
    try await store.fill()
    let id = try #require(CopiedStore.sessions(store.data).first)
    let log = try POSIXFile(writing: store.data + "/sessions/\(id)/motion.csv", .exclusive)
    try log.truncate(to: SessionFolderContent.mostBytes)
    try log.close()
    let outcome = try store.copy(into: "database")
    #expect(outcome.status == 65)
    #expect(outcome.lines.contains { $0.hasPrefix("coach: \(id): ") && $0.contains("too large") }, "\(outcome.text)")
    #expect(outcome.lines.contains { $0.hasPrefix("sessions: 2 added, 0 there already, 1 refused") }, "\(outcome.text)")
  }

  @Test("What was deleted in the database does not come back, and a folder that has it still is said so")
  func deleted() async throws {
    let store = try CopiedStore()
    try await store.fill()
    let id = try #require(CopiedStore.sessions(store.data).last)
    #expect(try store.coach(["token", "create", "--scope", "watch", "--session", id]).status == 0)
    _ = try store.record(into: "database")
    #expect(try store.count("grant_ WHERE session = '\(id)'") == 1)
    #expect(try store.count("repeat WHERE session = '\(id)'") == 1, "the one that a service began")
    let connection = try store.server.connection(store.database)
    _ = try connection.run("DELETE FROM coach.session WHERE id = $1", [.text(id)])
    for table in ["log_row", "decision", "session_file"] {
      #expect(try store.count("\(table) WHERE session = '\(id)'") == 0, "\(table)")
    }
    for target in ["database", "folder"] {
      let refused = try store.copy(into: target)
      #expect(refused.status == 65)
      #expect(refused.text.contains("coach: \(id): was deleted in the database"), "\(refused.text)")
      let record = try store.record(into: target, ["--without", "deleted"])
      #expect(record["leftOut"]?.array?.first?["what"]?.string == "deleted")
      #expect(record["sessions"]?["there"]?.number?.int64 == 2)
    }
    for table in ["grant_", "repeat"] {
      #expect(try store.count("\(table) WHERE session = '\(id)'") == 0, "\(table)")
    }
    #expect(try store.count("session") == 2)
    // A deletion that another process is at.
    let left = "20261121T070000Z-running-0000000b"
    try FileSystem.createFolder(store.data + "/deleted/" + left)
    guard case .held(let held) = try HeldFolder.take(store.data + "/deleted/" + left, waitingMilliseconds: 0) else {
      Issue.record("nobody holds it")
      return
    }
    let refused = try store.copy(into: "database", ["--without", "unfinished"])
    #expect(refused.status == 65)
    #expect(refused.text.contains("coach: \(left): its deletion is not finished"), "\(refused.text)")
    held.release()
  }

  @Test("Files that are to be sent to object storage are refused, unless they are said to be left out")
  func uploads() async throws {
    let store = try CopiedStore()
    try await store.fill()
    let pending = try PendingUploads(dataFolder: store.data)
    let id = try #require(CopiedStore.sessions(store.data).first)
    let destination = try #require(UploadDestination("s3://bucket/runs"))
    let objects = try UploadObject.all(ofSession: id, in: store.data, to: destination).objects
    try pending.add(objects, to: PendingUploads.Place(.amazon, destination))
    pending.close()
    let refused = try store.copy(into: "database")
    #expect(refused.status == 65)
    #expect(refused.lines.contains { $0.hasPrefix("coach: uploads.sqlite: ") }, "\(refused.text)")
    #expect(try store.record(into: "database", ["--without", "uploads"])["sessions"]?["added"]?.number?.int64 == 3)
  }

  @Test("Names and bytes of a database that somebody has changed lead nowhere")
  func hostile() async throws {
    let store = try CopiedStore()
    try await store.fill()
    _ = try store.record(into: "database")
    let connection = try store.server.connection(store.database)
    let names = try CopiedStore.sessions(store.data)
    _ = try connection.run(
      "INSERT INTO coach.session (id, shard, maker, request, created_ns, summary, ended_ns)"
        + " VALUES ('../../planted', 0, '', '', 0, '{}', 1)")
    _ = try connection.run("INSERT INTO coach.session_file VALUES ($1, '../planted', 'x')", [.text(names[0])])
    _ = try connection.run(
      "UPDATE coach.log_row SET content = '\\x10ffffffffffffff7f0100000000' WHERE session = $1 AND index = 2",
      [.text(names[1])])
    for name in ["../planted", "profiles/../planted.json", "sessions/planted", "motion/a/../../x-1.csv"] {
      _ = try connection.run(
        "INSERT INTO coach.kept_file VALUES ($1, NULL, 0, decode(repeat('00', 32), 'hex'))", [.text(name)])
    }
    _ = try connection.run("UPDATE coach.kept_piece SET content = 'other' WHERE file = 'profiles/anna.json'")
    let back = StoredPath(dataFolder: store.folder.path + "/back")
    let record = try store.record(into: "folder", data: back, status: 65)
    #expect(record["sessions"]?["added"]?.number?.int64 == 1)
    #expect(record["sessions"]?["refused"]?.number?.int64 == 3)
    let refused = Set(record["refused"]?.array?.compactMap { $0["name"]?.string } ?? [])
    #expect(
      refused.isSuperset(of: ["../../planted", names[0], names[1], "../planted", "sessions/planted"]), "\(refused)")
    #expect(refused.contains("profiles/anna.json"))
    #expect(try !FileManager.default.subpathsOfDirectory(atPath: store.folder.path).contains { $0.contains("planted") })
  }

  @Test("The data of a person goes from what was copied too")
  func erased() async throws {
    let store = try CopiedStore()
    try await store.fill()
    _ = try store.record(into: "database")
    #expect(try store.count("kept_file WHERE person = 'anna'") == 2)
    try ServiceStore.forget(.person(named: "anna"), inDatabase: try store.address, name: "test")
    #expect(try store.count("kept_file WHERE person = 'anna'") == 0)
    #expect(try store.count("kept_piece") == 1, "the audit, which has no name in it")
    for table in ["grant_", "member", "session"] {
      #expect(try store.count("\(table) WHERE person = 'anna'") == 0, "\(table)")
    }
  }

  @Test("Options that are wrong, a database that cannot be asked and a folder that is none are said in one line")
  func wrong() throws {
    let store = try CopiedStore()
    let url = store.url
    let cases: [(arguments: [String], status: Int, words: String)] = [
      (["--database", url], 64, "expected --into database or --into folder"),
      (["--into", "cloud", "--database", url], 64, "expected one of database, folder"),
      (["--into", "database"], 64, "expected --database"),
      (["--into", "database", "--database", url, "--without", "everything"], 64, "unfinished"),
      (["--into", "folder", "--database", "postgresql://coach:geheim@localhost/x"], 64, "expected it in PGPASSFILE"),
      (["--into", "database", "--database", url], 66, "no such folder"),
      (["--into", "folder", "--database", "postgresql://coach@127.0.0.1:1/x"], 69, "postgresql://127.0.0.1:1/x: "),
      (["--into", "folder", "--database", url, "more"], 64, "more"),
    ]
    for (arguments, status, words) in cases {
      let outcome = try store.coach(["store", "copy"] + arguments)
      #expect(outcome.status == status, "\(arguments): \(outcome.text)")
      #expect(outcome.lines.count == 1, "\(arguments): \(outcome.text)")
      #expect(outcome.text.contains(words), "\(arguments): \(outcome.text)")
      #expect(!outcome.text.contains("geheim"))
      #expect(!FileSystem.exists(store.data), "\(arguments)")
    }
  }

  @Test("A newer schema is refused, and an older one is brought up to date")
  func schema() async throws {
    let store = try CopiedStore()
    try await store.fill()
    let connection = try store.server.connection(store.database)
    _ = try FleetSchema.make(in: connection, Array(FleetSchema.migrations.dropLast()))
    #expect(try store.record(into: "database")["sessions"]?["added"]?.number?.int64 == 3)
    let number = FleetSchema.migrations.count + 1
    let newer = FleetMigration(number: number, name: "an addition", isBreaking: false, script: "SELECT 1")
    _ = try FleetSchema.make(in: connection, FleetSchema.migrations + [newer])
    for target in ["database", "folder"] {
      let outcome = try store.copy(into: target)
      #expect(outcome.status == 65)
      #expect(outcome.text.contains("step \(number) (an addition)"), "\(outcome.text)")
    }
  }

  @Test("The cache of an instance is no store")
  func cache() throws {
    let store = try CopiedStore()
    let mark = try CacheFolderMark.take(store.data)
    for target in ["database", "folder"] {
      let outcome = try store.copy(into: target)
      #expect(outcome.status == 73)
      #expect(outcome.text.contains("is the cache of an instance of several"), "\(outcome.text)")
    }
    mark.release()
  }
}
