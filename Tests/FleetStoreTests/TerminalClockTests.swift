import FleetStore
import Foundation
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// Verbs of the terminal beside a fleet, on a machine whose clock is wrong by an hour: what they make holds by the time of the database,
/// as what instances make does.
@Suite(
  "Verbs of a database under a wrong clock", .serialized,
  .enabled(if: !SanitizedBuild.isRunning, "a sanitizer has to be the first library"))
struct TerminalClockTests {
  /// The library that shows a program another time of day, built in a folder.
  private func library(in folder: ScratchFolder) throws -> String {
    let checkout = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let script = try TestProcess(
      "/bin/sh", ["-c", "\"$0\" \"$1\" 2>&1; echo status=$?", checkout + "/scripts/fault-injection", folder.path])
    while let line = script.line(seconds: 60) {
      if line == "status=0" { return folder.path + "/libFaultInjection.so" }
      if line.hasPrefix("status=") { break }
    }
    throw PostgresServer.Missing(description: "scripts/fault-injection makes no library")
  }

  /// When what a verb has made is over, in seconds from now on.
  private func lifetime(_ outcome: CopiedStore.Outcome) throws -> Double {
    #expect(outcome.status == 0, "\(outcome.text)")
    let line = try #require(outcome.lines.last { $0.hasPrefix("{") }, "\(outcome.text)")
    let record = try JSONValue.parse(line)
    let text = record["expiresAt"]?.string ?? ""
    let end = try #require(WallClockTimeText(iso8601: text)?.time, "\(outcome.text)")
    return Double(end.nanoseconds - SystemWallClock.now().nanoseconds) / 1e9
  }

  @Test("Tokens, keys and links last as long as they say by the time of the database", arguments: [3_600, -3_600])
  func secrets(_ seconds: Int) throws {
    let folder = try ScratchFolder()
    let store = try CopiedStore()
    let environment = ["LD_PRELOAD": try library(in: folder), "FAULT_CLOCK": "\(seconds)"]
    let database = ["--database", store.url, "--data-dir", store.folder.path + "/none", "--format", "json"]
    let day = 86_400.0
    for (verb, lasting) in [
      (["token", "create", "--scope", "watch", "--days", "1"], day), (["token", "link"], 600),
      (["key", "create", "--person", "ann", "--days", "1"], day),
    ] {
      let left = try lifetime(store.coach(verb + database, environment: environment))
      #expect(abs(left - lasting) < 300, "\(verb): \(left) s")
    }
    // In a folder nobody knows better than the machine, so that the clock of the program is wrong indeed.
    let alone = try lifetime(
      store.coach(
        ["token", "create", "--scope", "watch", "--days", "1", "--format", "json"], environment: environment))
    #expect(abs(alone - day - Double(seconds)) < 300, "\(alone) s")
  }

  @Test("The audit has the time of the database, and what is revoked is gone", arguments: [3_600, -3_600])
  func audit(_ seconds: Int) throws {
    let folder = try ScratchFolder()
    let store = try CopiedStore()
    let environment = ["LD_PRELOAD": try library(in: folder), "FAULT_CLOCK": "\(seconds)"]
    let database = ["--database", store.url, "--data-dir", store.folder.path + "/none"]
    let made = try store.coach(
      ["token", "create", "--scope", "watch", "--format", "json"] + database, environment: environment)
    let record = try JSONValue.parse(made.lines.last ?? "")
    let id = try #require(record["tokenID"]?.string, "\(made.text)")
    let revoked = try store.coach(["token", "revoke", id] + database, environment: environment)
    #expect(revoked.status == 0, "\(revoked.text)")
    let listed = try store.coach(["token", "list", "--format", "jsonl"] + database, environment: environment)
    #expect(!listed.text.contains(id))
    let audit = FleetAudit(try store.address, name: "reader")
    defer { audit.close() }
    let lines = String(decoding: try audit.text(mostBytes: 1 << 16), as: UTF8.self).split(separator: "\n")
    let records = try lines.map { try JSONValue.parse(String($0)) }
    #expect(records.map { $0["action"]?.string } == ["tokenCreated", "tokenRevoked"], "\(lines)")
    for record in records {
      let text = record["time"]?.string ?? ""
      let time = try #require(WallClockTimeText(iso8601: text)?.time, "\(record)")
      #expect(abs(time.nanoseconds - SystemWallClock.now().nanoseconds) < 300_000_000_000, "\(record)")
    }
  }

  @Test("A copy into a database and out of it takes no time of the machine: what comes back is what was there")
  func copy() async throws {
    let folder = try ScratchFolder()
    let store = try CopiedStore()
    try await store.fill()
    let environment = ["LD_PRELOAD": try library(in: folder), "FAULT_CLOCK": "3600"]
    let back = StoredPath(dataFolder: store.folder.path + "/back")
    for (target, data) in [("database", store.data), ("folder", back)] {
      let outcome = try store.coach(
        ["store", "copy", "--into", target, "--database", store.url], data: data, environment: environment)
      #expect(outcome.status == 0, "\(target): \(outcome.text)")
    }
    for verb in [["token", "list"], ["key", "list"], ["history", "list"], ["identity", "list"]] {
      let words = verb + ["--format", "jsonl"]
      let (before, after) = (try store.coach(words), try store.coach(words, data: back))
      #expect(before.status == 0, "\(verb): \(before.text)")
      #expect(after.lines == before.lines, "\(verb)")
    }
  }
}
