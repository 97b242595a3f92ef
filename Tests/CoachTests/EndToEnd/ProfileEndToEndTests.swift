import Foundation
import CoachService
import Testing
@testable import TextFormats
@testable import WorkoutHistory
import WorkoutSession
@testable import WorkoutTestSupport

/// Ten minutes of heart rates and a step count, as a live stream and as a CSV, that begin at seven o'clock of a day.
private enum TenMinutes {
  static func lines(_ day: String) -> String {
    rows(day).map { #"{"type":"heartRate","time":"\#($0)","beatsPerMinute":\#($1)}"# + "\n" }.joined()
  }

  static func csv(_ day: String) -> String { "time,heart_rate\n" + rows(day).map { "\($0),\($1)\n" }.joined() }

  private static func rows(_ day: String) -> [(String, Int)] {
    (0...600).map { second in
      func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      return ("\(day)T07:\(two(second / 60)):\(two(second % 60))Z", 100 + second / 20)
    }
  }
}

@Suite("The program: profiles")
struct ProfileEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  private func coach(_ arguments: String..., input: String? = nil) throws -> CoachProgram.Outcome {
    try program.run(arguments, input: input)
  }

  private func json(_ outcome: CoachProgram.Outcome) throws -> [String: Any] {
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try #require(JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
  }

  private func manifest(_ session: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: program.data + "/sessions/\(session)/manifest.json"))
    return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  private func sessions() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: program.data + "/sessions").sorted()
  }

  /// Whether a text stands in any file of the data folder or in the name of one.
  private func isAnywhere(_ text: String) throws -> Bool {
    let files = try #require(FileManager.default.enumerator(atPath: program.data))
    for case let path as String in files {
      if path.contains(text) { return true }
      guard let bytes = FileManager.default.contents(atPath: program.data + "/" + path) else { continue }
      if bytes.range(of: Data(text.utf8)) != nil { return true }
    }
    return false
  }

  @Test("A person is kept with dated values, and a value of the same date is corrected")
  func createAndSet() throws {
    let created = try json(
      coach(
        "profile", "create", "anna", "--birth-date", "1990-05-17", "--sex", "female", "--weight-kg", "61.5", "--date",
        "2024-01-01", "--format", "json"))
    #expect(created["type"] as? String == "profile")
    #expect(created["version"] as? Int == 1)
    let id = try #require(created["id"] as? String)
    #expect(id.utf8.count == 32)
    for value in ["55", "52"] {
      let outcome = try coach(
        "profile", "set", "anna", "--resting-heart-rate", value, "--date", "2026-11-01", "--measured")
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    _ = try coach("profile", "set", "anna", "--max-heart-rate", "187", "--estimated", "--method", "tanaka")
    let shown = try json(coach("profile", "show", "anna", "--format", "json"))
    let resting = try #require(shown["restingHeartRateBPM"] as? [[String: Any]])
    try #require(resting.count == 1)
    #expect(resting[0]["value"] as? Int == 52)
    #expect(resting[0]["origin"] as? String == "measured")
    let maximum = try #require((shown["inForce"] as? [String: Any])?["maximumHeartRateBPM"] as? [String: Any])
    #expect(maximum["origin"] as? String == "estimated")
    #expect(maximum["method"] as? String == "tanaka")
    #expect(shown["id"] as? String == id)
    #expect(
      try coach("profile", "set", "anna", "--remove", "resting-heart-rate", "--date", "2026-11-01").status == 0)
    #expect(try json(coach("profile", "show", "anna", "--format", "json"))["restingHeartRateBPM"] == nil)
    let text = try coach("profile", "show", "anna").output
    #expect(text.hasPrefix("anna\nborn 1990-05-17 ("))
    #expect(text.contains("61.5 kg  weight"))
    let list = try coach("profile", "list", "--format", "jsonl")
    try #require(list.lines.count == 1)
    #expect(list.lines[0].hasPrefix(#"{"version":1,"type":"profile","id":"\#(id)""#))
    let attributes = try FileManager.default.attributesOfItem(atPath: program.data + "/profiles/anna.json")
    #expect((attributes[.posixPermissions] as? Int) == 0o600)
  }

  @Test(
    "What is missing or not possible is one line, and nothing is kept",
    arguments: [
      (["create", "anna"], 64, "birth date: mandatory unless a measured maximum heart rate is known"),
      (["create", "anna", "--max-heart-rate", "190", "--estimated"], 64, "--birth-date, or --max-heart-rate"),
      (["create", "anna", "--study", "--max-heart-rate", "190"], 64, "birth date: mandatory for a study"),
      (["create", "anna", "--study", "--birth-date", "2015-01-01"], 65, "an age of 18 or more, and it is"),
      (["create", "anna", "--birth-date", "2199-01-01"], 64, "a day that has passed"),
      (["create", "anna", "--birth-date", "1990-05-17", "--weight-kg", "0"], 64, "--weight-kg"),
      (["create", "anna", "--birth-date", "1990-05-17", "--minimum-age", "20"], 64, "--study beside it"),
      (["create", "anna", "--birth-date", "1990-05-17", "--measured"], 64, "a value beside them"),
      (
        ["create", "anna", "--max-heart-rate", "150", "--resting-heart-rate", "150"], 64,
        "resting heart rate 150 is not below the maximum heart rate 150"
      ),
      (
        ["create", "anna", "--max-heart-rate", "190", "--date", "2199-01-01"], 64,
        "maximum heart rate of 2199-01-01: expected a day that has come"
      ),
      (["create", "an/na", "--birth-date", "1990-05-17"], 64, "up to 40 letters"),
      (["show", "nobody"], 66, "nobody: no such profile"),
      (["set", "nobody", "--weight-kg", "60"], 66, "nobody: no such profile"),
      (["rename", "nobody", "anna"], 66, "nobody: no such profile"),
      (["rename", "nobody"], 64, "NAME NEW-NAME"),
      (["export", "nobody", "--output", "/tmp/never"], 66, "nobody: no such profile"),
      (["delete", "nobody", "--yes"], 66, "nobody: no such profile"),
      (["delete", "nobody", "--all-data", "--yes"], 66, "nobody: no such profile"),
    ])
  func refused(arguments: [String], status: Int32, words: String) throws {
    let outcome = try program.run(["profile"] + arguments)
    #expect(outcome.status == status, "\(outcome.status) \(outcome.errors)")
    #expect(outcome.isOneComplaint, "\(outcome.status) \(outcome.errors)")
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    #expect(outcome.output.isEmpty, "\(outcome.errors)")
    #expect(try coach("profile", "list", "--format", "jsonl").output.isEmpty)
  }

  @Test("Live, import, replay and zones take the age and the values of the day of the session")
  func dayOfTheSession() throws {
    _ = try coach("profile", "create", "anna", "--birth-date", "1990-05-17")
    for (value, date) in [("190", "2020-01-01"), ("184", "2025-01-01")] {
      _ = try coach("profile", "set", "anna", "--max-heart-rate", value, "--date", date)
    }
    func maximum(_ session: String) throws -> Int? {
      (try manifest(session)["zones"] as? [String: Any])?["maximumHeartRate"] as? Int
    }
    let live = try coach(
      "live", "--profile", "anna", "--target", "z2", "--format", "jsonl", "--activity", "running",
      input: TenMinutes.lines("2022-03-01"))
    #expect(live.status == 0, "\(live.errors)")
    #expect(live.errors.isEmpty, "\(live.errors)")
    let file = try program.folder.write(TenMinutes.csv("2025-03-01"), to: "new.csv")
    #expect(try coach("import", file, "--profile", "anna", "--target", "z2").errors.isEmpty)
    let old = try program.folder.write(TenMinutes.csv("2018-03-01"), to: "old.csv")
    let older = try program.folder.write(TenMinutes.csv("2017-03-01"), to: "older.csv")
    let imported = try coach("import", old, older, "--profile", "anna", "--target", "z2")
    #expect(imported.errorLines.count == 1, "reported once: \(imported.errors)")
    #expect(imported.isOneComplaint, "reported once: \(imported.errors)")
    #expect(imported.errors.contains("maximum heart rate: no value of the day of the session or before"))
    let names = try sessions()
    #expect(try names.map { try maximum($0) } == [190, 190, 190, 184])
    #expect(
      try names.map { (try manifest($0)["profile"] as? [String: Any])?["ageYears"] as? Int } == [26, 27, 31, 34])
    let provenance = try #require(try manifest(names[1])["provenance"] as? [String: [String: Any]])
    #expect(provenance["maximumHeartRateBPM"]?["isLater"] as? Bool == true)
    #expect(provenance["maximumHeartRateBPM"]?["date"] as? String == "2020-01-01")
    // The decisions of a live run are those of its manifest.
    let replayed = try coach("replay", program.data + "/sessions/" + names[2], "--format", "jsonl")
    // The last two are the end, whose reason differs, and the summary.
    #expect(replayed.lines.count == live.lines.count)
    #expect(replayed.lines.dropLast(2) == live.lines.dropLast(2))
    let byProfile = try coach("replay", file, "--profile", "anna", "--target", "z2", "--format", "jsonl")
    let byValue = try coach("replay", file, "--max-heart-rate", "184", "--target", "z2", "--format", "jsonl")
    #expect(byProfile.output == byValue.output)
    #expect(byProfile.errors.isEmpty)
    for (day, expected) in [("2024-12-31", 190), ("2025-01-01", 184)] {
      let zones = try json(coach("zones", "--profile", "anna", "--on", day, "--format", "json"))
      #expect(zones["maximumHeartRate"] as? Int == expected)
      #expect(zones["maximumHeartRateSource"] as? String == "measured")
    }
    // What the profile says later changes nothing of what is there.
    _ = try coach("profile", "set", "anna", "--max-heart-rate", "200", "--date", "2018-01-01")
    #expect(try names.map { try maximum($0) } == [190, 190, 190, 184])
    #expect(try coach("history", "check").status == 0)
  }

  @Test("A newer estimate goes before an older measurement, and both before the formula")
  func maximum() throws {
    _ = try coach("profile", "create", "anna", "--birth-date", "1990-05-17", "--formula", "tanaka")
    func source() throws -> String? {
      try json(coach("zones", "--profile", "anna", "--format", "json"))["maximumHeartRateSource"] as? String
    }
    #expect(try source() == "tanaka")
    _ = try coach("profile", "set", "anna", "--max-heart-rate", "190", "--date", "2020-01-01")
    #expect(try source() == "measured")
    _ = try coach("profile", "set", "anna", "--max-heart-rate", "185", "--date", "2024-01-01", "--estimated")
    #expect(try source() == "estimated")
    let said = try coach("zones", "--profile", "anna", "--max-heart-rate", "188", "--format", "json")
    #expect(try json(said)["maximumHeartRateSource"] as? String == "measured")
  }

  @Test("What live sessions by adaptive learn of a runner is kept in the profile, shown, begun with, and forgotten")
  func learned() throws {
    #expect(try coach("profile", "create", "anna", "--birth-date", "2003-05-17").status == 0)
    func live(_ day: String, _ extra: String...) throws -> String {
      let before = Set((try? sessions()) ?? [])
      let lines = (0...250).map { step in
        let (minute, second) = (step * 5 / 60, step * 5 % 60)
        let time = "\(day)T07:\(minute < 10 ? "0" : "")\(minute):\(second < 10 ? "0" : "")\(second)Z"
        return #"{"type":"heartRate","time":"\#(time)","beatsPerMinute":\#(155 + step % 3)}"# + "\n"
      }
      let outcome = try program.run(
        ["live", "--profile", "anna", "--target", "z2", "--strategy", "adaptive", "--format", "jsonl"] + extra,
        input: lines.joined())
      #expect(outcome.status == 0, "\(outcome.errors)")
      return try #require(Set(sessions()).subtracting(before).first)
    }
    func strategy(_ session: String) throws -> [String: Any] {
      try #require(try manifest(session)["strategy"] as? [String: Any])
    }
    func kept() throws -> [String: Any]? {
      try json(coach("profile", "show", "anna", "--format", "json"))["learned"] as? [String: Any]
    }
    #expect(try kept() == nil)
    let first = try live("2026-11-20")
    #expect(try strategy(first)["cue"] == nil)
    let once = try #require(try kept())
    #expect(once["sessions"] as? Int == 1)
    #expect(once["date"] as? String == "2026-11-20")
    // Slow down was said again and again, and nothing came of it: a cue changes less than it was thought to.
    let cue = try #require(once["cueBPM"] as? Int)
    #expect(cue < 11)
    let shown = try coach("profile", "show", "anna").output
    #expect(shown.contains("Learned by adaptive in 1 session, last on 2026-11-20"))
    // Another way to begin, or a fixed one, is left as it is asked for.
    let second = try live("2026-11-21")
    #expect(try strategy(second)["cue"] as? Int == cue)
    #expect(try kept()?["sessions"] as? Int == 2)
    let decisions = try String(contentsOfFile: program.data + "/sessions/\(second)/decisions.jsonl", encoding: .utf8)
    #expect(try coach("profile", "set", "anna", "--forget-learned").status == 0)
    #expect(try kept() == nil)
    // The manifest has what the session began with: a replay needs no profile.
    let replay = try coach("replay", program.data + "/sessions/\(second)", "--format", "jsonl")
    let said = { (text: String) in
      text.split(separator: "\n").filter { $0.contains(#""type":"cue""#) || $0.contains(#""type":"withheld""#) }
    }
    #expect(said(replay.output).count > 100)
    #expect(said(replay.output) == said(decisions))
    // Nothing is left to be forgotten, which is no missing value.
    let again = try coach("profile", "set", "anna", "--forget-learned")
    #expect(again.status == 64)
    #expect(again.errors == "coach: profile set: --forget-learned: nothing has been learned of anna\n")
    let nothing = try coach("profile", "set", "anna")
    #expect(nothing.errors.contains("nothing to write down: expected a value"), "\(nothing.errors)")
    #expect(try strategy(live("2026-11-22"))["cue"] == nil)
  }

  @Test("Under the minimum age of a study no session is taken")
  func study() throws {
    let created = try coach(
      "profile", "create", "anna", "--study", "--study-name", "pilot", "--birth-date", "1990-05-17")
    #expect(created.status == 0, "\(created.errors)")
    #expect(created.output.contains("study pilot from 18 years on"), "\(created.errors)")
    let live = try coach("live", "--profile", "anna", "--target", "z2", input: TenMinutes.lines("2008-05-16"))
    #expect(live.status == 65)
    #expect(live.isOneComplaint)
    #expect(live.errors.contains("18 or more, and it is 17 on 2008-05-16"))
    let file = try program.folder.write(TenMinutes.csv("2008-05-16"), to: "young.csv")
    let imported = try coach("import", file, "--profile", "anna", "--format", "jsonl")
    #expect(imported.status == 65, "\(imported.output)")
    #expect(imported.output.contains(#""status":"refused""#), "\(imported.output)")
    #expect(!FileManager.default.fileExists(atPath: program.data + "/sessions"))
    #expect(
      try coach("live", "--profile", "anna", "--target", "z2", input: TenMinutes.lines("2008-05-17")).status == 0)
  }

  @Test("A renamed person keeps the sessions, and the same workout is not added twice")
  func rename() throws {
    _ = try coach("profile", "create", "anna", "--birth-date", "1990-05-17")
    _ = try coach("profile", "create", "ben", "--birth-date", "1980-05-17")
    _ = try coach("live", "--profile", "anna", "--target", "z2", input: TenMinutes.lines("2026-03-01"))
    let taken = try coach("profile", "rename", "anna", "ben")
    #expect(taken.status == 73)
    #expect(taken.isOneComplaint)
    #expect(try coach("profile", "rename", "anna", "carla").status == 0)
    let list = try coach("history", "list", "--person", "carla", "--format", "jsonl")
    #expect(list.lines.count == 1)
    #expect(list.output.contains(#""person":"carla""#))
    #expect(try coach("history", "list", "--person", "anna", "--format", "jsonl").output.isEmpty)
    let file = try program.folder.write(TenMinutes.csv("2026-03-01"), to: "same.csv")
    #expect(try coach("import", file, "--profile", "carla", "--format", "jsonl").output.contains("duplicate"))
    #expect(try coach("import", file, "--profile", "ben", "--format", "jsonl").output.contains("added"))
    #expect(try coach("history", "show", "latest").output.contains("ben") || sessions().count == 2)
  }

  @Test("A name of an earlier version with something that is not seen is shown, and can be typed as it is shown")
  func hiddenName() throws {
    #expect(try coach("profile", "create", "anna", "--max-heart-rate", "190").status == 0)
    let profiles = program.data + "/profiles/"
    let text = try String(contentsOfFile: profiles + "anna.json", encoding: .utf8)
    try text.replacing(#""anna""#, with: "\"ann\u{200D}a\"")
      .write(toFile: profiles + "ann\u{200D}a.json", atomically: true, encoding: .utf8)
    let listed = try coach("profile", "list")
    #expect(listed.status == 0, "\(listed.errors)")
    #expect(listed.output.contains(#"ann\u{200d}a"#), "\(listed.output)")
    #expect(try coach("profile", "show", #"ann\u{200d}a"#).status == 0)
    for arguments in [["create", "ann\u{200D}b", "--max-heart-rate", "190"], ["rename", "anna", #"ann\u{200d}b"#]] {
      let outcome = try program.run(["profile"] + arguments)
      #expect(outcome.status == 64, "\(outcome.errors)")
      #expect(outcome.isOneComplaint, "\(outcome.errors)")
    }
    #expect(try coach("profile", "rename", #"ann\u{200d}a"#, "berta").status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: profiles).sorted() == ["anna.json", "berta.json"])
  }

  @Test("All data of a person is exported, as a folder and as an archive, and nothing of others")
  func export() throws {
    for name in ["anna", "ben"] {
      _ = try coach("profile", "create", name, "--birth-date", "1990-05-17")
      _ = try coach("live", "--profile", name, "--target", "z2", input: TenMinutes.lines("2026-03-01"))
    }
    let folder = program.folder.url.appendingPathComponent("out").path
    let record = try json(coach("profile", "export", "anna", "--output", folder, "--format", "json"))
    #expect(record["type"] as? String == "profileExported")
    #expect(record["sessions"] as? Int == 1)
    let parts = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(parts == ["README.txt", "profile.json", "sessions", "sessions.csv"])
    let profile = try String(contentsOfFile: folder + "/profile.json", encoding: .utf8)
    #expect(try profile == String(contentsOfFile: program.data + "/profiles/anna.json", encoding: .utf8))
    let session = try #require(FileManager.default.contentsOfDirectory(atPath: folder + "/sessions").first)
    let replayed = try coach("replay", folder + "/sessions/" + session)
    #expect(replayed.status == 0, "an exported session is a session")
    let again = try coach("profile", "export", "anna", "--output", folder)
    #expect(again.status == 73)
    #expect(again.isOneComplaint)
    let archive = folder + ".tar.gz"
    #expect(try coach("profile", "export", "anna", "--output", archive).status == 0)
    let tar = ChildProgram(
      "/bin/sh",
      ["-c", #"mkdir "$0" && tar -xzf "$1" -C "$0" && diff -r "$0/anna" "$2""#, folder + "2", archive, folder])
    try tar.run()
    tar.waitUntilExit()
    #expect(tar.terminationStatus == 0, "the archive holds the same")
    let full = try program.run(
      ["profile", "export", "anna", "--output", folder + "3"], before: "ulimit -f 1; trap '' XFSZ;")
    #expect(full.status == 74, "\(full.status) \(full.errors)")
    #expect(full.isOneComplaint, "\(full.status) \(full.errors)")
    let left = try FileManager.default.contentsOfDirectory(atPath: program.folder.url.path)
    #expect(!left.contains { $0.hasPrefix("out3") }, "\(left)")
  }

  @Test("Nobody is deleted unasked; the profile alone goes, or everything")
  func delete() throws {
    for name in ["zacharias", "ben"] {
      _ = try coach("profile", "create", name, "--birth-date", "1990-05-17")
      _ = try coach("live", "--profile", name, "--target", "z2", input: TenMinutes.lines("2026-03-01"))
    }
    #expect(try coach("token", "create", "--scope", "send", "--person", "zacharias").status == 0)
    let unasked = try coach("profile", "delete", "zacharias", "--all-data")
    #expect(unasked.status == 64)
    #expect(unasked.isOneComplaint)
    #expect(unasked.errors.contains("--yes"))
    #expect(try coach("profile", "delete", "ben", "--yes").status == 0)
    #expect(try sessions().count == 2)
    #expect(try coach("history", "list", "--person", "ben", "--format", "jsonl").lines.count == 1)
    let deleted = try coach("profile", "delete", "zacharias", "--all-data", "--yes", "--format", "json")
    #expect(try json(deleted)["sessions"] as? Int == 1)
    #expect(try !isAnywhere("zacharias"))
    #expect(try coach("token", "list").output.isEmpty)
    #expect(try sessions().count == 1)
    // Sessions that outlived their profile go by its name.
    #expect(try coach("profile", "delete", "ben", "--all-data", "--yes").status == 0)
    #expect(try sessions().isEmpty)
    #expect(try !isAnywhere("ben"))
    #expect(try coach("history", "check").status == 0)
  }

  @Test(
    "A deletion or a renaming whose process is killed at any call is done or not done after the next start",
    .enabled(if: !SanitizedBuild.isRunning, "needs a build without sanitizer"), arguments: ["delete", "rename"])
  func killed(verb: String) async throws {
    _ = try coach("profile", "create", "zacharias", "--birth-date", "1990-05-17")
    for day in ["2026-03-01", "2026-03-02"] {
      _ = try coach("live", "--profile", "zacharias", "--target", "z2", input: TenMinutes.lines(day))
    }
    let original = program.folder.url.appendingPathComponent("original").path
    try FileManager.default.moveItem(atPath: program.data, toPath: original)
    var reached = 0
    var outcomes: Set<Bool> = []
    for number in 1...500 {
      try? FileManager.default.removeItem(atPath: program.data)
      try FileManager.default.copyItem(atPath: original, toPath: program.data)
      let arguments = verb == "delete" ? ["zacharias", "--all-data", "--yes"] : ["zacharias", "carla"]
      let (outcome, isReached) = try program.run(["profile", verb] + arguments, fault: .kill, at: number)
      guard isReached else { break }
      #expect(outcome.status == SIGKILL)
      reached = number
      let what = "\(verb), call \(number)"
      let list = try coach("profile", "list", "--format", "jsonl")
      #expect(list.status == 0, "\(what): \(list.errors)")
      let isUndone = list.output.contains("zacharias")
      outcomes.insert(isUndone)
      // That was the next start. The rest is asked without one, because there are many calls.
      let history = History(dataFolder: StoredPath(dataFolder: program.data))
      let count = try await history.sessions(History.Filter()).count
      if verb == "delete" {
        #expect(count == (isUndone ? 2 : 0), "\(what)")
        if !isUndone { #expect(try !isAnywhere("zacharias"), "\(what)") }
      } else {
        #expect(list.lines.count == 1, "\(what)")
        #expect(count == 2, "\(what)")
        var filter = History.Filter()
        filter.person = isUndone ? "zacharias" : "carla"
        #expect(try await history.sessions(filter).count == 2, "\(what)")
      }
      #expect(try await history.check { _ in }.isEmpty, "\(what)")
      await history.close()
    }
    #expect((3...499).contains(reached), "\(reached) calls that change files")
    #expect(outcomes == [true, false])
  }
}
