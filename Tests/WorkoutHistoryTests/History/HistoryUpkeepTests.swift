import Glibc
@testable import SessionStore
import Synchronization
import Testing
@testable import TextFormats
@testable import WorkoutHistory
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("The upkeep of the history")
struct HistoryUpkeepTests {
  private func shown(_ findings: [HistoryFinding]) -> [String] {
    findings.map { "\($0.kind.rawValue) \($0.subject)" }
  }

  @Test("An index that was deleted, damaged or out of date is made anew and equals the old one")
  func rebuild() async throws {
    let recorded = try RecordedHistory()
    for seed in UInt64(0)..<70 {
      try await recorded.record(seed: seed, person: seed.isMultiple(of: 3) ? "anna" : nil)
    }
    await recorded.history.close()
    let before = try recorded.dump()
    #expect(before.filter { $0.hasPrefix("session ") }.count == 70)
    let index = History.path(in: recorded.folder.path)

    func rebuilt(_ what: String) async throws {
      let last = Mutex<WorkProgress?>(nil)
      let (sessions, findings) = try await recorded.history.rebuild { progress in last.withLock { $0 = progress } }
      await recorded.history.close()
      #expect(sessions == 70, "\(what)")
      #expect(findings.isEmpty, "\(what)")
      #expect(last.withLock { $0 } == WorkProgress(done: 70, total: 70), "\(what)")
      #expect(try recorded.dump() == before, "\(what)")
    }
    try await rebuilt("whole")
    try FileSystem.remove(index)
    try await rebuilt("deleted")
    let file = try POSIXFile(writing: index, .truncate)
    try file.write(Array(repeating: 0x2A, count: 9_000).span)
    try file.close()
    try await rebuilt("damaged")
    let database = try Database(path: index)
    try database.execute("DELETE FROM moment; UPDATE session SET steps = 12; DELETE FROM session WHERE id LIKE '%1'")
    database.close()
    try await rebuilt("out of date")
  }

  @Test(
    "An index in which somebody has changed the tables is damaged, and made anew",
    arguments: [
      "DROP TABLE detail", "ALTER TABLE session DROP COLUMN steps", "CREATE TABLE more (a)", "DROP INDEX hour_by_time",
      "PRAGMA user_version=-1", "PRAGMA user_version=0",
      "CREATE TRIGGER all_gone AFTER INSERT ON session BEGIN DELETE FROM session; END",
      "ALTER TABLE session RENAME TO kept; CREATE VIEW session AS SELECT * FROM kept",
    ])
  func changedTables(script: String) async throws {
    let recorded = try RecordedHistory()
    for seed in UInt64(0)..<3 { try await recorded.record(seed: seed, person: "anna") }
    await recorded.history.close()
    let before = try recorded.dump()
    let database = try Database(path: History.path(in: recorded.folder.path))
    try database.execute(script)
    database.close()
    let findings = try await recorded.history.check { _ in }
    #expect(findings.contains { $0.kind == .damagedIndex }, "\(findings)")
    await recorded.history.close()
    let (sessions, problems) = try await recorded.history.rebuild { _ in }
    #expect(sessions == 3)
    #expect(problems.isEmpty)
    #expect(try await recorded.history.check { _ in }.isEmpty)
    await recorded.history.close()
    #expect(try recorded.dump() == before)
  }

  @Test(
    "A session of the index that no folder can have as its name goes with the next rebuild",
    arguments: ["../../outside", "..", "a/b", ""])
  func impossibleName(name: String) async throws {
    let recorded = try RecordedHistory()
    let session = try await recorded.record(seed: 1, person: "anna")
    await recorded.history.close()
    let before = try recorded.dump()
    let database = try Database(path: History.path(in: recorded.folder.path))
    try database.execute("CREATE TABLE copy AS SELECT * FROM session")
    try database.run("UPDATE copy SET id = ?", .text(name))
    try database.execute("INSERT INTO session SELECT * FROM copy; DROP TABLE copy")
    database.close()
    #expect(try await shown(recorded.history.check { _ in }) == ["withoutFolder \(name)"])
    let (sessions, problems) = try await recorded.history.rebuild { _ in }
    #expect(sessions == 1)
    #expect(problems.isEmpty)
    #expect(try await recorded.history.sessions(History.Filter()).map(\.sessionID) == [session])
    await recorded.history.close()
    #expect(try recorded.dump() == before)
  }

  @Test("Numbers in the index that no session can have are read as the nearest that one can")
  func impossibleNumbers() async throws {
    let recorded = try RecordedHistory()
    try await recorded.record(seed: 1, person: "anna")
    await recorded.history.close()
    let index = History.path(in: recorded.folder.path)
    for value in [Int64.max, Int64.min] {
      let database = try Database(path: index)
      for column in ["utc_offset_s", "elapsed_ns", "active_ns", "no_data_ns", "steps"] {
        try database.run("UPDATE session SET \(column) = ?", .integer(value))
      }
      try database.run("UPDATE session SET distance_m = ?, mean_bpm = ?", .real(1e308), .real(-1e308))
      try database.run("UPDATE hour SET steps = ?, heart_rate_count = ?", .integer(value), .integer(value))
      database.close()
      let entry = try #require(try await recorded.history.sessions(History.Filter()).first)
      #expect(entry.utcOffsetSeconds == (value > 0 ? 86_400 : -86_400))
      #expect(entry.steps == (value > 0 ? 1_000_000_000_000 : 0))
      #expect(entry.active >= .zero)
      #expect((entry.active + entry.active).nanoseconds < Int64.max)
      #expect(entry.distanceMeters == 1e15)
      #expect(entry.meanHeartRate == -1e15)
      #expect(!entry.startText.isEmpty)
      let all = WallClockTime(nanoseconds: 0)..<WallClockTime(nanoseconds: .max)
      let hours = try await recorded.history.hours(in: all, person: nil)
      #expect(hours.allSatisfy { (0...1_000_000_000_000).contains($0.steps ?? 0) })
      #expect(try await recorded.history.totals(in: all, person: nil).sessions == 1)
      await recorded.history.close()
    }
  }

  @Test("Several who find the index damaged at once make it anew together, and none fails")
  func rebuiltAtOnce() async throws {
    let recorded = try RecordedHistory()
    for seed in UInt64(0)..<6 { try await recorded.record(seed: seed, person: nil) }
    await recorded.history.close()
    let before = try recorded.dump()
    let data = recorded.folder.path
    for round in 0..<8 {
      for ending in ["-wal", "-shm"] { try FileSystem.removeIfPresent(History.path(in: data) + ending) }
      let file = try POSIXFile(writing: History.path(in: data), .truncate)
      try file.write(Array(repeating: 0x2A, count: 9_000).span)
      try file.close()
      await withTaskGroup(of: Void.self) { group in
        for worker in 0..<4 {
          group.addTask {
            let history = History(dataFolder: data)
            do {
              let (sessions, findings) = try await history.rebuild { _ in }
              #expect(sessions == 6, "round \(round), worker \(worker)")
              #expect(findings.isEmpty, "round \(round), worker \(worker)")
            } catch {
              Issue.record("round \(round), worker \(worker): \(error)")
            }
            await history.close()
          }
        }
      }
      #expect(try recorded.dump() == before, "round \(round)")
    }
  }

  @Test("A check finds nothing in a good folder, and names everything that is wrong")
  func check() async throws {
    let recorded = try RecordedHistory()
    var names: [String] = []
    for seed in UInt64(0)..<6 { names.append(try await recorded.record(seed: seed)) }
    #expect(try await recorded.history.check { _ in } == [])

    func append(_ text: String, to name: String) throws {
      let file = try POSIXFile(writing: name, .append)
      try file.write(Array(text.utf8).span)
      try file.close()
    }
    let sessions = recorded.folder.path + "/sessions/"
    try FileSystem.rename(sessions + names[0], to: recorded.folder.path + "/elsewhere")
    try append("2026-11-20T07", to: sessions + names[1] + "/heart_rate.csv")
    try append("x", to: sessions + names[2] + "/manifest.json")
    try append(" ", to: sessions + names[3] + "/summary.json")
    try FileSystem.createFolder(sessions + "notes")
    let database = try Database(path: History.path(in: recorded.folder.path))
    try database.run("DELETE FROM session WHERE id = ?", .text(names[4]))
    database.close()
    _ = try SessionMark.make(names[5], in: recorded.folder.path)
    let findings = try await recorded.history.check { _ in }
    #expect(
      Set(shown(findings)) == [
        "withoutFolder \(names[0])", "tornLine \(names[1])", "unreadable \(names[2])", "outOfDate \(names[3])",
        "foreign notes", "notInIndex \(names[4])", "unfinished \(names[5])",
      ])
    #expect(findings.first { $0.kind == .tornLine }?.detail == "heart_rate.csv")
    await recorded.history.close()
  }

  @Test("A log that cannot be opened is a finding, and the others are looked for all the same")
  func closedLogs() async throws {
    let recorded = try RecordedHistory()
    let names = [
      try await recorded.record(seed: 1), try await recorded.record(seed: 2), try await recorded.record(seed: 3),
    ]
    // Root reads everything, and nobody else can give a file away.
    func close(_ path: String) throws {
      if geteuid() == 0 {
        try #require(unsafe chown(path, 65_534, 65_534) == 0)
      } else {
        try #require(unsafe chmod(path, 0) == 0)
      }
    }
    let log = recorded.path(names[0]) + "/heart_rate.csv"
    let journal = recorded.path(names[1]) + "/decisions.jsonl"
    try close(log)
    try close(journal)
    try FileSystem.remove(recorded.path(names[2]) + "/manifest.json")
    let findings = try await recorded.history.check { _ in }
    // Sessions are looked at by their names; decisions are of no replay.
    let isRoot = geteuid() == 0
    let expected = [
      names[0]: ["unreadable \(names[0])"] + (isRoot ? ["foreign \(log)"] : []),
      names[1]: [isRoot ? "foreign \(journal)" : "unreadable \(names[1])"],
      names[2]: ["unreadable \(names[2])"],
    ]
    #expect(shown(findings) == names.sorted().flatMap { expected[$0] ?? [] })
    #expect(findings.first { $0.subject == names[0] }?.detail.contains(log) == true)
    await recorded.history.close()
  }

  @Test(
    "What belongs to another user beside the sessions is a finding, and the others are looked for all the same",
    .enabled(if: geteuid() == 0, "only root can give a file away"))
  func foreignBesideSessions() async throws {
    let recorded = try RecordedHistory()
    let name = try await recorded.record(seed: 1)
    let other = try await recorded.record(seed: 2)
    try FileSystem.remove(recorded.path(other) + "/manifest.json")
    for folder in ["unfinished", "importing", "deleted"] {
      try FileSystem.createFolder(recorded.folder.path + "/" + folder)
    }
    let data = recorded.folder.path
    try write("", to: data + "/unfinished/\(name)")
    for folder in ["importing", "deleted"] { try FileSystem.createFolder(data + "/\(folder)/\(name)") }
    for folder in ["unfinished", "importing", "deleted"] {
      try #require(unsafe chown(data + "/\(folder)/\(name)", 65_534, 65_534) == 0)
    }
    let findings = try await recorded.history.check { _ in }
    #expect(
      Set(shown(findings)) == [
        "foreign unfinished/\(name)", "foreign importing/\(name)", "foreign deleted/\(name)", "unreadable \(other)",
      ])
    #expect(findings.filter { $0.kind == .foreign }.allSatisfy { $0.detail == "it belongs to another user" })
    await recorded.history.close()
  }

  @Test("A session whose manifest is gone is unreadable, also where only its logs say that it was one")
  func missingManifest() async throws {
    let recorded = try RecordedHistory()
    let name = try await recorded.record(seed: 1)
    let other = try await recorded.record(seed: 2)
    let manifest = recorded.path(name) + "/manifest.json"
    try FileSystem.remove(manifest)
    let findings = try await recorded.history.check { _ in }
    #expect(shown(findings) == ["unreadable \(name)"])
    #expect(findings.first?.detail == "no manifest.json")
    // An index that never knew it.
    _ = try await recorded.history.rebuild { _ in }
    #expect(try await recorded.history.sessions(History.Filter()).map(\.sessionID) == [other])
    #expect(try await shown(recorded.history.check { _ in }) == ["unreadable \(name)"])
    await recorded.history.close()
  }

  @Test("A check writes nothing, also not what a journal holds of a session whose process is gone")
  func onlyLooks() async throws {
    let recorded = try RecordedHistory()
    try await recorded.record(seed: 1)
    let name = try await recorded.record(seed: 2, isClosed: false)
    let log = recorded.path(name) + "/" + SessionFolder.log(of: .heartRate)
    let kept = try text(of: log)
    try write(String(kept.prefix(30)), to: log)
    try FileSystem.remove(recorded.path(name) + "/" + SessionFolder.summary)
    var findings: [HistoryFinding] = []
    // Other tests begin processes, which hold a lock of this one for a moment between their fork and their exec.
    for _ in 0..<400 where findings.isEmpty { findings = try await recorded.history.check { _ in } }
    #expect(shown(findings) == ["unfinished \(name)"])
    #expect(try text(of: log) == String(kept.prefix(30)))
    // The next start has all of it.
    _ = try await recorded.recover()
    #expect(try text(of: log) == kept)
    await recorded.history.close()
  }

  @Test("A check looks into the labelled recordings of motion: what is damaged, and what coach did not write")
  func motion() async throws {
    let recorded = try RecordedHistory()
    let data = StoredPath(dataFolder: recorded.folder.path)
    func keep(_ label: String, _ person: String, second: Double) throws -> StoredPath {
      var take = MotionTake(seconds: 2, getReadySeconds: 0)
      for index in 0..<250 {
        let motion = MotionReading(
          acceleration: Axes(x: 0, y: 0, z: Double(index % 7) / 8), rotationRate: nil, magneticField: nil)
        _ = take.take(
          LiveSample(.motion(motion), at: .session(SessionTime(nanoseconds: Int64(index) * 10_000_000)), source: nil))
      }
      return try MotionFolder.keep(
        take.csv(label: label, person: person), of: person, label, at: .morning(second), replacing: [], in: data)
    }
    for second in 0..<2 { _ = try keep("slow walking", "ann lee", second: Double(second)) }
    let damaged = try keep("running", "ben", second: 0)
    #expect(try await recorded.history.check { _ in } == [])

    var bytes = try POSIXFile(reading: damaged).readAll(maximumBytes: 1 << 20)
    let middle = bytes.count / 2
    bytes.replaceSubrange(middle..<middle + 40, with: repeatElement(UInt8(ascii: "x"), count: 40))
    try FileSystem.writeAtomically(bytes.span, to: damaged)
    try write("mine", to: data + "/motion/ben/notes.txt")
    try write("mine", to: data + "/motion/notes")
    let name = String(try #require(damaged.path.split(separator: "/").last))
    #expect(
      Set(shown(try await recorded.history.check { _ in })) == [
        "unreadable motion/ben/\(name)", "foreign motion/ben/notes.txt", "foreign motion/notes",
      ])
    await recorded.history.close()
  }

  @Test("A check finds a change of any value of any table")
  func everyValue() async throws {
    let recorded = try RecordedHistory()
    let name = try await recorded.record(seed: 12)
    let database = try Database(path: History.path(in: recorded.folder.path))
    for table in SessionRows.Table.allCases {
      let columns = try database.query("SELECT name, type FROM pragma_table_info('\(table.rawValue)')") {
        ($0.text(0), $0.text(1))
      }
      for (column, type) in columns where ![table.key, table.order].contains(column) {
        let other = type == "TEXT" ? "'changed'" : type == "BLOB" ? "x'00'" : "coalesce(\(column), 0) + 1"
        try database.execute("UPDATE \(table.rawValue) SET \(column) = \(other)")
        let hasRows = try database.query("SELECT count(*) FROM \(table.rawValue)") { $0.int(0) } != [0]
        let findings = try await recorded.history.check { _ in }
        #expect(shown(findings) == (hasRows ? ["outOfDate \(name)"] : []), "\(table.rawValue).\(column)")
        try await recorded.history.add(name)
      }
    }
    #expect(try await recorded.history.check { _ in } == [])
    database.close()
    await recorded.history.close()
  }

  @Test("A rebuild leaves out what cannot be read, and says so")
  func unreadable() async throws {
    let recorded = try RecordedHistory()
    let good = try await recorded.record(seed: 1)
    let bad = try await recorded.record(seed: 2)
    _ = try recorded.folder.write("{}", "sessions/\(bad)/manifest.json")
    let (sessions, findings) = try await recorded.history.rebuild { _ in }
    #expect(sessions == 1)
    #expect(shown(findings) == ["unreadable \(bad)"])
    #expect(try await recorded.history.sessions(History.Filter()).map(\.sessionID) == [good])
    await recorded.history.close()
  }

  @Test(
    "Rows that are gone from a raw log are found by what the end of the session says, also by an index of what is left",
    arguments: ["the last one", "some in the middle", "all of them", "the log"])
  func missingRows(what: String) async throws {
    let recorded = try RecordedHistory()
    let lines = (0..<60).map { #"{"type":"heartRate","atSeconds":\#($0),"beatsPerMinute":120,"rrMilliseconds":[500]}"# }
    let name = try await recorded.record(lines, .runner(), digits: 1)
    let other = try await recorded.record(seed: 7)
    #expect(try await recorded.history.check { _ in } == [])
    let log = recorded.path(name) + "/heart_rate.csv"
    var rows = try text(of: log).split(separator: "\n")
    switch what {
    case "the last one": rows.removeLast()
    case "some in the middle": rows.removeSubrange(20..<30)
    case "all of them": rows.removeLast(60)
    default: rows = []
    }
    try write(rows.map { $0 + "\n" }.joined(), to: log)
    if rows.isEmpty { try FileSystem.remove(log) }
    #expect(try await shown(recorded.history.check { _ in }).contains("missingRows \(name)"))
    _ = try await recorded.history.rebuild { _ in }
    let findings = try await recorded.history.check { _ in }
    #expect(shown(findings) == ["missingRows \(name)"])
    #expect(findings.first?.detail == "heart_rate.csv: \(max(0, rows.count - 1)) rows, and 60 when the session ended")
    #expect(!findings.contains { $0.subject == other })
    await recorded.history.close()
  }

  @Test("A summary that is not what the logs come to is found, also by an index that was made of it")
  func wrongSummary() async throws {
    let recorded = try RecordedHistory()
    let lines = (0..<120).map {
      #"{"type":"heartRate","atSeconds":\#($0),"beatsPerMinute":\#(115 + $0 % 20)}"# + "\n"
        + #"{"type":"steps","atSeconds":\#($0),"count":2}"#
    }
    let name = try await recorded.record(lines, .runner("z2", "moment:every=20"), digits: 1)
    let path = recorded.path(name) + "/summary.json"
    let written = try text(of: path)
    for (member, value) in [
      ("activeSeconds", "5"), ("zone2", "1000"), ("steps", "1"), ("maximum", "201"), ("compliance", "1"),
      ("accepted", "4"),
    ] {
      let line = try #require(written.split(separator: "\n").first { $0.contains("\"\(member)\":") })
      let end = line.hasSuffix(",") ? "," : ""
      let other = "\(line.prefix { $0 == " " })\"\(member)\": \(value)\(end)"
      try write(written.replacing(line, with: other, maxReplacements: 1), to: path)
      _ = try await recorded.history.rebuild { _ in }
      let findings = try await recorded.history.check { _ in }
      #expect(shown(findings) == ["wrongSummary \(name)"], "\(member)")
      #expect(findings.first?.detail.contains(member) == true, "\(member): \(findings)")
    }
    // Another version of the program may have counted otherwise.
    let manifest = recorded.path(name) + "/manifest.json"
    let version = "\"\(Program.version)\""
    try write(text(of: manifest).replacing(version, with: "\"0.0.9\""), to: manifest)
    _ = try await recorded.history.rebuild { _ in }
    #expect(try await recorded.history.check { _ in } == [])
    await recorded.history.close()
  }

  @Test("Summaries of all kinds of sessions say what their logs come to", arguments: 0..<4)
  func rightSummaries(block: Int) async throws {
    let recorded = try RecordedHistory()
    for seed in UInt64(block * 25)..<UInt64(block * 25 + 25) { try await recorded.record(seed: seed) }
    #expect(try await recorded.history.check { _ in } == [], "block \(block)")
    await recorded.history.close()
  }
}
