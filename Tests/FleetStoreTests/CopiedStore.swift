@testable import CoachService
import FleetStore
import Foundation
import Glibc
import LiveCoaching
import SessionStore
import Testing
import TextFormats
import WorkoutHistory
@testable import WorkoutTestSupport

/// A folder store with something of everything, made by the program and by a service, and what is compared of two of them.
struct CopiedStore {
  /// What came of a run of the program.
  struct Outcome {
    let status: Int
    /// The lines of both streams.
    let lines: [String]

    var text: String { lines.joined(separator: "\n") }
  }

  let folder: ScratchFolder
  let server: PostgresServer
  let database: String

  /// The folder of the data.
  var data: StoredPath { StoredPath(dataFolder: folder.path + "/data") }
  /// The database, as a command line names it.
  var url: String { server.url(database) }
  var address: PostgresAddress { get throws { try PostgresAddress(url) } }

  /// An empty store.
  init() throws {
    server = try PostgresServer.shared.get()
    database = try server.database()
    folder = try ScratchFolder()
  }

  /// Where the program is.
  static func program() throws -> String {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("coach").path
  }

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - takesFolder: whether it is a verb that has to do with a data folder.
  ///   - input: the file that is its standard input.
  ///   - more: what its environment has beside the usual.
  func coach(
    _ arguments: [String], data: StoredPath? = nil, takesFolder: Bool = true, input: String = "/dev/null",
    environment more: [String: String] = [:], seconds: Double = 60
  ) throws -> Outcome {
    let hasFolder = !takesFolder || arguments.contains("--data-dir")
    let words = hasFolder ? arguments : arguments + ["--data-dir", (data ?? self.data).path]
    let process = try TestProcess(
      "/bin/sh", ["-c", "\"$0\" \"$@\" 2>&1 <\"$INPUT\"; echo status=$?", try Self.program()] + words,
      environment: ["LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": folder.path, "INPUT": input].merging(more) { $1 })
    var lines: [String] = []
    while let line = process.line(seconds: seconds) {
      if line.hasPrefix("status=") { return Outcome(status: Int(line.dropFirst(7)) ?? -1, lines: lines) }
      lines.append(line)
    }
    throw PostgresServer.Missing(description: "coach does not end: \(lines)")
  }

  /// Copies by the program.
  func copy(
    into target: String, _ more: [String] = [], data: StoredPath? = nil, database: String? = nil
  ) throws -> Outcome {
    try coach(["store", "copy", "--into", target, "--database", database ?? url] + more, data: data)
  }

  /// The record of a copy.
  func record(
    into target: String, _ more: [String] = [], data: StoredPath? = nil, status: Int = 0
  ) throws -> JSONValue {
    let outcome = try copy(into: target, more + ["--format", "json"], data: data)
    #expect(outcome.status == status, "\(outcome.text)")
    return try JSONValue.parse(try #require(outcome.lines.last { $0.hasPrefix("{") }, "\(outcome.text)"))
  }

  // MARK: - Content

  /// Sessions of an import and of a service, a profile with labels, notes and motion, secrets, a group, an identity, an audit.
  func fill() async throws {
    let workout = try folder.write(
      "time_s,heart_rate\n" + (0...300).map { "\($0),\(100 + $0 / 10)\n" }.joined(), "workout.csv")
    let other = try folder.write(
      "time_s,heart_rate\n" + (0...2_000).map { "\($0),\(90 + $0 / 70)\n" }.joined(), "other.csv")
    let commands: [[String]] = [
      ["profile", "create", "anna", "--birth-date", "1990-05-01"],
      ["import", workout, "--profile", "anna", "--start", "2026-11-18T07:00:00Z"],
      ["import", other, "--age", "30", "--start", "2026-11-19T07:00:00Z"],
      ["history", "note", "20261118T070000Z", "windy"], ["history", "tag", "20261118T070000Z", "long"],
      ["history", "label", "20261118T070000Z", "0:30", "1:00", "walking"],
      ["token", "create", "--scope", "send,watch", "--person", "anna"], ["key", "create", "--person", "anna"],
      ["token", "link"], ["identity", "add", "--claim", "sub=1", "--owner", "--oidc-issuer", "https://id.example.org"],
    ]
    for command in commands {
      let outcome = try coach(command)
      try #require(outcome.status == 0, "\(command): \(outcome.text)")
    }
    let motion = data + "/motion/anna"
    try FileSystem.createFolder(motion)
    try FileSystem.writeAtomically(Array("not read here\n".utf8).span, to: motion + "/walking-20261118T070000Z.csv")
    try await serve()
  }

  /// A session that a service holds until it ends, one that ends before it begins, and a group.
  private func serve() async throws {
    var settings = ServiceSettings(dataFolder: data)
    settings.program = "/nonexistent"
    let service = Service(settings, url: "http://127.0.0.1:9000")
    try await service.open()
    await service.waitForSessions()
    let token = IssuedSecret.token(
      Set(Scope.allCases), person: "anna", session: nil, group: nil, days: 1, now: SystemWallClock.now())
    try await service.store.add(token.grant)
    try await service.store.note(issuer: "https://id.example.org")
    try await service.access.refresh(always: true)
    func send(_ method: String, _ path: String, _ body: String, _ type: String = "application/json") async
      -> HTTPResponse
    {
      let head = HTTPHead(
        method: method, path: path, query: [],
        headers: [
          HTTPField("Host", "127.0.0.1:9000"), HTTPField("Authorization", "Bearer \(token.secret)"),
          HTTPField("Idempotency-Key", "\(path)"), HTTPField("Content-Type", type),
          HTTPField("Content-Length", "\(body.utf8.count)"),
        ], address: "127.0.0.1", byteCount: 200)
      guard case .taken(let taken) = service.handler.admit(head) else { return HTTPResponse(500) }
      return await taken.answer(HTTPRequest(head, body: Array(body.utf8)))
    }
    let order = #"{"profile":{"ageYears":23},"target":"z2","strategy":{"kind":"moment","every":20},"clock":"samples"}"#
    let id = try #require(await send("POST", "/v1/sessions", order).json?["sessionID"]?.string)
    let taken = await send(
      "POST", "/v1/sessions/\(id)/samples", FleetServiceHarness.heartRates(0..<90), FleetServiceHarness.lines)
    #expect(taken.status == 200, "\(taken.text)")
    let stop = #"{"type":"command","id":"stop","command":"stop"}"#
    #expect(await send("POST", "/v1/sessions/\(id)/commands", stop).status == 200)
    let group = await send("POST", "/v1/groups", #"{"name":"monday"}"#)
    let groupID = try #require(group.json?["groupID"]?.string, "\(group.text)")
    let joined = await send("PUT", "/v1/groups/\(groupID)/members/anna", #"{"shares":["heartRate"]}"#)
    #expect(joined.status < 300, "\(joined.text)")
    await service.close()
  }

  /// Puts a link somewhere.
  static func link(_ target: String, at path: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
  }

  /// Puts a pipe somewhere.
  static func pipe(at path: String) throws {
    let made = unsafe mkfifo(path, 0o600)
    try #require(made == 0)
  }

  // MARK: - Comparison

  /// The bytes of all files of a store that do not follow from others, by their paths.
  static func files(_ data: StoredPath) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for folder in ["sessions", "profiles", "motion"]
    where FileManager.default.fileExists(atPath: data.path + "/" + folder) {
      for name in try FileManager.default.subpathsOfDirectory(atPath: data.path + "/" + folder) {
        let path = data.path + "/" + folder + "/" + name
        var isFolder: ObjCBool = false
        _ = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        files[folder + "/" + name] = isFolder.boolValue ? [] : Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      }
    }
    for name in [".coach", "audit.jsonl"] where FileManager.default.fileExists(atPath: data.path + "/" + name) {
      files[name] = Array(try Data(contentsOf: URL(fileURLWithPath: data.path + "/" + name)))
    }
    return files
  }

  /// The rows of all tables of the service, sorted.
  static func rows(_ data: StoredPath) throws -> [String] {
    let database = try Database(path: data + "/service.sqlite")
    defer { database.close() }
    let tables = try database.query("SELECT name FROM sqlite_schema WHERE type = 'table'") { $0.text(0) }
    return try tables.flatMap { table in
      let columns = try database.query("SELECT name FROM pragma_table_info('\(table)')") { $0.text(0) }
      let row = columns.map { "quote(\($0))" }.joined(separator: " || '|' || ")
      return try database.query("SELECT \(row) FROM \(table)") { table + " " + $0.text(0) }
    }.sorted()
  }

  /// The names of the sessions of a store, sorted.
  static func sessions(_ data: StoredPath) throws -> [String] {
    try FileSystem.listIfPresent(data + "/" + SessionFolder.sessions)
  }

  /// How many rows a table of the database has.
  func count(_ table: String) throws -> Int64 {
    try server.connection(database).run("SELECT count(*) FROM coach.\(table)").rows.first?.integer(0) ?? -1
  }

  /// Every row of every table of the database that a copy writes, as text.
  func dump() throws -> [String] {
    let connection = try server.connection(database)
    let tables = [
      "session", "log_row", "decision", "session_file", "kept_file", "kept_piece", "grant_", "link", "repeat", "group_",
      "member", "identity", "identity_sign_in", "address", "issuer",
    ]
    return try tables.flatMap { table in
      try connection.run("SELECT md5(row::text) FROM coach.\(table) AS row ORDER BY 1").rows.map {
        table + " " + $0.text(0)
      }
    }
  }
}
