import Foundation
import Testing
import TextFormats
@testable import WorkoutHistory

@Suite("The program: history")
struct HistoryEndToEndTests {
  private let program: CoachProgram
  /// The identities of three sessions, the oldest first.
  private let names: [String]

  init() throws {
    program = try CoachProgram()
    for (day, activity) in [(16, "running"), (18, "cycling"), (20, "running")] {
      let outcome = try program.run(
        [
          "live", "--age", "23", "--target", "z1", "--coach", "paper-period", "--activity", activity, "--clock",
          "samples",
        ],
        input: Self.lines(day: day))
      #expect(outcome.status == 0)
    }
    names = try FileManager.default.contentsOfDirectory(atPath: program.data + "/sessions").sorted()
    #expect(names.count == 3)
  }

  /// Ten minutes that begin at half past six, with steps, 3 m a second.
  private static func lines(day: Int) -> String {
    (0...600).map { second in
      let minute = 30 + second / 60
      let time = "2026-11-\(day)T06:\(minute):\(second % 60 < 10 ? "0" : "")\(second % 60)Z"
      let latitude = 52.5 + Double(second) * 3 / 111_272
      return "{\"type\":\"heartRate\",\"time\":\"\(time)\",\"beatsPerMinute\":\(100 + second / 30)}\n"
        + (second.isMultiple(of: 5)
          ? "{\"type\":\"steps\",\"time\":\"\(time)\",\"count\":13}\n"
            + "{\"type\":\"location\",\"time\":\"\(time)\",\"latitude\":\(latitude),\"longitude\":13.4}\n" : "")
    }.joined()
  }

  private func history(_ arguments: String...) throws -> CoachProgram.Outcome {
    try program.run(["history"] + arguments)
  }

  private func jsonl(_ arguments: String...) throws -> [[String: Any]] {
    let outcome = try program.run(["history"] + arguments + ["--format", "jsonl"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    return try outcome.lines.map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test("The last days end today: a session that a wrong clock dated ahead is left out, also of fitness, and counted")
  func ahead() throws {
    let day = 86_400.0
    let style = Date.ISO8601FormatStyle()
    func imported(_ days: Double) throws {
      let rows = (0...60).map { "\($0),\(120 + Int(days) % 7 + $0 / 10)\n" }
      let file = try program.folder.write("time_s,heart_rate\n" + rows.joined(), to: "ahead.csv")
      let start = Date().addingTimeInterval(days * day).formatted(style)
      let outcome = try program.run(["import", "--age", "30", "--target", "z2", "--start", start, file])
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    try imported(-1)
    try imported(400)
    let line = "coach: 1 session begins after today and is left out\n"
    func lines(_ arguments: [String]) throws -> [Substring] {
      let outcome = try program.run(arguments + ["--format", "jsonl"])
      #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
      #expect(outcome.errors == line, "\(arguments)")
      return outcome.lines
    }
    #expect(try lines(["history", "list", "--days", "3"]).count == 1)
    #expect(try lines(["history", "find", "--days", "3"]).count == 1)
    let upload = try lines(["upload", "--days", "3", "--to", "s3://bucket/x", "--dry-run"])
    let year = Date().addingTimeInterval(400 * day).formatted(style).prefix(4)
    #expect(!upload.isEmpty)
    #expect(!upload.contains { $0.contains("/sessions/\(year)") })
    let fitness = try lines(["history", "fitness", "--days", "7"]).filter { $0.contains(#""type":"fitness""#) }
    #expect(fitness.count == 7)
    let page = program.folder.url.path + "/ahead.html"
    let report = try program.run(["report", "--days", "3", "--output", page, "--format", "json"])
    #expect(report.output.contains(#""sessions":1"#), "\(report.output)")
    #expect(try history("list", "--format", "jsonl").lines.count == 5, "without days all are listed")
    let dashboard = try program.run(["history"])
    #expect(dashboard.errors == line, "\(dashboard.errors)")
    #expect(!dashboard.output.contains("\(year)-"), "\(dashboard.output)")
    let shown = try program.run(["history", "show", "latest", "--format", "json"])
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(!shown.output.contains("\"startTime\":\"\(year)-"), "\(shown.output)")
  }

  @Test("A file in the place of the data folder is refused by whoever asks what is kept there")
  func noFolder() throws {
    let file = try program.folder.write("x", to: "plain")
    let out = program.folder.url.path + "/out"
    for arguments in [
      ["history"], ["history", "list"], ["history", "find"], ["history", "records"], ["history", "fitness"],
      ["history", "check"], ["history", "rebuild"], ["history", "backup", out], ["profile", "list"],
      ["history", "export", "--all", "--output", out], ["report", "--days", "3", "--output", out],
    ] {
      let outcome = try program.run(arguments + ["--data-dir", file])
      #expect(outcome.status == 73, "\(arguments): \(outcome.errors)")
      #expect(outcome.isOneComplaint, "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.contains("/plain: "), "\(arguments): \(outcome.errors)")
      #expect(!FileManager.default.fileExists(atPath: out), "\(arguments)")
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "x")
  }

  @Test("With few open files a rebuild and a check fail and say why, and no session loses what it has")
  func fewFiles() throws {
    let before = try history("list", "--format", "jsonl").output
    var failed = 0
    for count in 8...24 {
      for verb in ["rebuild", "check"] {
        let outcome = try program.run(["history", verb], before: "ulimit -n \(count);")
        // Where the program cannot even begin it says nothing of sessions.
        #expect(outcome.status != 1, "\(verb), \(count) files: \(outcome.output)\(outcome.errors)")
        #expect(outcome.status != 66, "\(verb), \(count) files: \(outcome.errors)")
        if outcome.status != 0 { failed += 1 }
        let list = try history("list", "--format", "jsonl")
        #expect(list.output == before, "\(verb), \(count) files")
        #expect(list.errors.isEmpty, "\(verb), \(count) files: \(list.errors)")
      }
    }
    #expect(failed > 0)
    #expect(try history("check").status == 0)
  }

  @Test("Sessions are listed newest first, with the members that are promised, by days and dates")
  func list() throws {
    let all = try jsonl("list")
    #expect(all.map { $0["sessionID"] as? String } == names.reversed())
    let outcome = try history("list", "--format", "jsonl")
    let first = try #require(outcome.lines.first)
    #expect(
      first.hasPrefix(
        "{\"version\":1,\"type\":\"session\",\"sessionID\":\"\(names[2])\",\"startTime\":\"2026-11-20T06:30:00Z\","
          + "\"activity\":\"running\",\"state\":\"complete\",\"activeSeconds\":600,\"compliance\":"))
    #expect(all.allSatisfy { ($0["averageHeartRateBPM"] as? Double).map { (109...111).contains($0) } ?? false })
    #expect(all.allSatisfy { ($0["steps"] as? Int) == 1_573 })
    #expect(try jsonl("list", "--from", "2026-11-18").count == 2)
    #expect(try jsonl("list", "--to", "2026-11-18").count == 2)
    #expect(try jsonl("list", "--from", "2026-11-17", "--to", "2026-11-19").count == 1)
    #expect(try history("list", "--person", "anna").status == 66)
    #expect(try jsonl("list", "--days", "36500").count == 3)
    let text = try history("list")
    try #require(text.lines.count == 5)
    #expect(text.lines[1].hasPrefix("  2026-11-20 06:30  running   0:10:00  110"))
    #expect(try history("list", "--from", "2030-01-01").output == "No session in this span.\n")
    for refused in [
      ["--from", "yesterday"], ["--days", "0"], ["--days", "3", "--from", "2026-11-18"],
      ["--from", "2026-11-19", "--to", "2026-11-18"],
    ] {
      let outcome = try program.run(["history", "list"] + refused)
      #expect(outcome.status == 64, "\(refused)")
      #expect(outcome.isOneComplaint, "\(refused)")
    }
    let document = try history("list", "--format", "json")
    #expect(document.output.hasPrefix("{\"version\":1,\"type\":\"sessions\",\"sessions\":[{\"version\":1,"))
  }

  @Test("A session is shown by its name, the beginning of it, or as the latest, from the index and its manifest alone")
  func show() throws {
    let latest = try history("show", "latest", "--format", "json")
    #expect(latest.status == 0)
    #expect(try history("show", names[2], "--format", "json").output == latest.output)
    let summary = try #require(JSONSerialization.jsonObject(with: Data(latest.output.utf8)) as? [String: Any])
    #expect(summary["type"] as? String == "summary")
    #expect(summary["activeSeconds"] as? Int == 600)
    #expect((summary["zones"] as? [Any])?.count == 5)
    #expect((summary["splits"] as? [Any])?.count == 2)
    let folder = program.data + "/sessions/" + names[2]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name != "manifest.json" {
      try FileManager.default.removeItem(atPath: folder + "/" + name)
    }
    #expect(try history("show", "20261120", "--format", "json").output == latest.output, "no log is read")
    let text = try history("show", "latest")
    for part in ["running  2026-11-20 06:30 (UTC)", "Time in zones", "Heart rate in bpm", "Kilometres", "Cues  "] {
      #expect(text.output.contains(part), "\(part)")
    }
    let nobody = try history("show", "2031")
    #expect(nobody.status == 66)
    #expect(nobody.isOneComplaint)
    let several = try history("show", "202611")
    #expect(several.status == 65)
    #expect(several.isOneComplaint)
    #expect(!text.output.contains("\u{1B}["), "no colour in a pipe")
  }

  @Test("What replay shows of a session is a part of what the history shows")
  func likeReplay() throws {
    let replayed = try program.run(["replay", program.data + "/sessions/" + names[1]])
    let shown = try history("show", names[1])
    let summary = try #require(replayed.output.range(of: "Session  0:10:00"))
    #expect(shown.output.contains(replayed.output[summary.lowerBound...]))
  }

  @Test("The dashboard, the hours and the weeks")
  func views() throws {
    let dashboard = try #require(try jsonl().first)
    #expect(dashboard["type"] as? String == "dashboard")
    #expect((dashboard["days"] as? [Any])?.count == 7)
    #expect((dashboard["latest"] as? [String: Any])?["sessionID"] as? String == names[2])
    #expect(try history().output.hasPrefix("Latest workout  running, 2026-11-20 06:30\n"))
    let hours = try history("hourly", "--format", "jsonl")
    #expect(
      hours.output
        == "{\"version\":1,\"type\":\"hour\",\"from\":\"2026-11-20T06:00:00Z\",\"steps\":1573,"
        + "\"averageHeartRateBPM\":\(try mean()),\"origins\":{\"live\":1}}\n")
    #expect(try history("hourly", "--date", "2026-11-19", "--format", "jsonl").output.isEmpty)
    #expect(try history("hourly", "--date", "2026-11-19").output == "Nothing was measured on Thu 19 November 2026.\n")
    #expect(try history("hourly").output.contains("1573 steps, mean heart rate 110 bpm."))
    let weeks = try jsonl("trends", "--weeks", "1000")
    #expect(weeks.first?["week"] as? String == "2026-W47")
    #expect(weeks.first?["sessions"] as? Int == 3)
    #expect((weeks.first?["origins"] as? [String: Int]) == ["live": 3])
  }

  /// The mean of the readings, as a record states it.
  private func mean() throws -> String {
    let text = try history("show", "latest", "--format", "json").output
    let start = try #require(text.range(of: "\"heartRate\":{\"mean\":")?.upperBound)
    return String(text[start...].prefix { $0 != "," })
  }

  @Test("The sampling of a session, of its folder and of a file")
  func quality() throws {
    let streams = try jsonl("quality", "latest")
    #expect(streams.map { $0["stream"] as? String } == ["heartRate", "steps", "location"])
    #expect(streams.map { $0["rows"] as? Int } == [601, 121, 121])
    #expect(streams.map { $0["expectedRows"] as? Int } == [601, 121, 121])
    let folder = program.data + "/sessions/" + names[2]
    #expect(try history("quality", folder).output == history("quality", "latest").output)
    let file = try program.folder.write(risingCSV(seconds: 60), to: "rising.csv")
    let asked = try history("quality", file, "--rate", "2", "--gap", "0.5", "--format", "jsonl")
    #expect(asked.output.contains("\"expectedRows\":121,\"askedRateHz\":2"))
    #expect(asked.output.contains("\"gapCount\":60,"))
    let nothing = try history("quality", "none.csv")
    #expect(nothing.status == 66)
    #expect(nothing.isOneComplaint)
    let scenario = try program.folder.write("{}", to: "scenario.json")
    #expect(try history("quality", scenario).status == 65)
  }

  @Test("A check finds nothing, then what is wrong, and a rebuild repairs what can be")
  func upkeep() throws {
    #expect(try history("check").output == "The index and the folders agree.\n")
    #expect(try history("check", "--format", "jsonl").output.isEmpty)
    try FileManager.default.removeItem(atPath: program.data + "/coach.sqlite")
    let check = try history("check")
    #expect(check.status == 1)
    #expect(check.lines.count == 3)
    #expect(check.errors.isEmpty)
    #expect(check.lines[0] == "\(names[0]): has a folder and is not in the index")
    let rebuild = try history("rebuild")
    #expect(rebuild.status == 0)
    #expect(rebuild.output == "3 sessions are in the index.\n")
    #expect(rebuild.errors.isEmpty)
    #expect(try history("check").status == 0)
    try FileManager.default.removeItem(atPath: program.data + "/coach.sqlite")
    let list = try history("list")
    #expect(list.status == 0)
    #expect(list.isOneComplaint)
    #expect(list.lines.count >= 4)
    #expect(list.errors.hasSuffix("the index was missing and is made anew from 3 sessions\n"))
    #expect(try history("list").errors.isEmpty)
    try Data("{".utf8).write(to: URL(fileURLWithPath: program.data + "/sessions/" + names[0] + "/manifest.json"))
    let partly = try history("rebuild", "--format", "jsonl")
    #expect(partly.status == 65)
    #expect(partly.isOneComplaint)
    #expect(partly.output == "{\"version\":1,\"type\":\"rebuilt\",\"sessions\":2,\"leftOut\":1}\n")
  }

  @Test("Nothing is deleted without --yes in a pipe, nothing unless every name is one, and with it all of it")
  func delete() throws {
    let silent = try history("delete", names[0])
    #expect(silent.status == 64)
    #expect(silent.isOneComplaint)
    let partly = try history("delete", names[0], "2031", "--yes")
    #expect(partly.status == 66)
    #expect(partly.isOneComplaint)
    #expect(try jsonl("list").count == 3)
    let outcome = try history("delete", "20261116", names[1], names[1], "--yes")
    #expect(outcome.status == 0)
    #expect(outcome.output == "\(names[0]): deleted\n\(names[1]): deleted\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: program.data + "/sessions") == [names[2]])
    #expect(try jsonl("list").map { $0["sessionID"] as? String } == [names[2]])
    #expect(try history("check").status == 0)
  }

  @Test("A deletion that was cut off is finished by the next start of any verb, which says so")
  func cutOff() throws {
    try FileManager.default.createDirectory(atPath: program.data + "/deleted", withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: program.data + "/sessions/" + names[1], toPath: program.data + "/deleted/" + names[1])
    let outcome = try program.run(["strategies"])
    #expect(outcome.status == 0)
    #expect(outcome.isOneComplaint)
    #expect(outcome.errors.contains(names[1]))
    #expect(!FileManager.default.fileExists(atPath: program.data + "/deleted"))
    #expect(try jsonl("list").count == 2)
  }

  @Test("A backup is one file for its owner, is not written over without --force, and leaves nothing when it fails")
  func backup() throws {
    let path = program.folder.url.appendingPathComponent("backup.tar.gz").path
    let outcome = try history("backup", path)
    #expect(outcome.status == 0)
    #expect(outcome.output == "\(path): 3 sessions\n")
    #expect(outcome.errors.isEmpty)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let again = try history("backup", path)
    #expect(again.status == 73)
    #expect(again.isOneComplaint)
    #expect(try history("backup", path, "--force").status == 0)
    let nowhere = try history("backup", program.folder.url.appendingPathComponent("none/backup.tar.gz").path)
    #expect(nowhere.status == 73)
    #expect(nowhere.isOneComplaint)
    let full = try program.run(["history", "backup", path + "2"], before: "ulimit -f 4;")
    #expect(full.status != 0)
    let left = try FileManager.default.contentsOfDirectory(atPath: program.folder.url.path)
    #expect(left.filter { $0.hasPrefix("backup") } == ["backup.tar.gz"])
  }

  @Test("A session whose zones cannot be is unusable data with its place, whichever verb reads it")
  func impossibleZones() throws {
    let folder = program.data + "/sessions/" + names[0]
    let manifest = folder + "/manifest.json"
    let text = try String(contentsOfFile: manifest, encoding: .utf8)
    // A model that needs what nobody said.
    let changed = text.replacingOccurrences(of: #""kind": "percentOfMaximum""#, with: #""kind": "heartRateReserve""#)
    try #require(changed != text)
    try Data(changed.utf8).write(to: URL(fileURLWithPath: manifest))
    let page = program.folder.url.appendingPathComponent("page.html").path
    for verb in [
      ["history", "show", names[0]], ["history", "export", names[0], "--as", "csv"],
      ["report", names[0], "--output", page], ["inspect", folder], ["replay", folder],
    ] {
      let outcome = try program.run(verb)
      #expect(outcome.status == 65, "\(verb)")
      #expect(outcome.isOneComplaint, "\(verb): \(outcome.errors)")
      #expect(
        outcome.errors.hasSuffix("manifest.json: the zone model heart-rate-reserve needs a resting heart rate\n"),
        "\(verb): \(outcome.errors)")
    }
    // What is typed wrongly is a usage error still.
    let other = program.data + "/sessions/" + names[1]
    #expect(try program.run(["replay", other, "--zone-model", "heart-rate-reserve"]).status == 64)
  }

  @Test("A target in the index that is none is unusable data")
  func impossibleTarget() throws {
    let database = try Database(path: StoredPath(dataFolder: program.data) + "/coach.sqlite")
    try database.execute("UPDATE target SET zone = NULL, lower_bpm = NULL, upper_bpm = NULL, other = '5:30/parsec'")
    database.close()
    let outcome = try history("show", names[0])
    #expect(outcome.status == 65, "\(outcome.errors)")
    #expect(outcome.isOneComplaint, "\(outcome.errors)")
  }

  @Test("An empty history says so in one line, and makes nothing")
  func empty() throws {
    let fresh = try CoachProgram()
    for verb in [[], ["list"]] {
      let outcome = try fresh.run(["history"] + verb)
      #expect(outcome.status == 0, "\(verb)")
      #expect(outcome.lines.count == 1, "\(verb)")
      #expect(outcome.errors.isEmpty, "\(verb)")
    }
    #expect(try fresh.run(["history", "show", "latest"]).status == 66)
    #expect(try fresh.run(["history", "trends", "--format", "jsonl"]).output.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: fresh.data))
  }

  @Test("An index that cannot be used is reported in one line with its exit code")
  func damaged() throws {
    try Data(repeating: 0x2A, count: 9_000).write(to: URL(fileURLWithPath: program.data + "/coach.sqlite"))
    for verb in [[], ["list"], ["show", "latest"], ["hourly"], ["trends"]] {
      let outcome = try program.run(["history"] + verb)
      #expect(outcome.status == 65, "\(verb)")
      #expect(outcome.isOneComplaint, "\(verb)")
    }
    #expect(try history("rebuild").status == 0)
    #expect(try jsonl("list").count == 3)
  }
}
