import Foundation
import CoachService
import TestSupport
import Testing
import TextFormats
import WorkoutHistory
import WorkoutSession
import ZoneEngine
@testable import coach
@testable import WorkoutTestSupport

@Suite("The program: folders, and better versions of a workout")
struct CollectionEndToEndTests {
  private static func time(_ second: Int) -> String {
    let (minute, rest) = second.quotientAndRemainder(dividingBy: 60)
    return "2026-03-01T10:\(minute < 10 ? "0" : "")\(minute):\(rest < 10 ? "0" : "")\(rest)Z"
  }

  /// A run of 300 seconds with a gap of a minute, in which its lap paused, where it states its time.
  private static func run(timer: Int?) -> String {
    let points = (Array(0...100) + Array(161...300)).map { second in
      "<Trackpoint><Time>\(time(second))</Time><HeartRateBpm><Value>\(120 + second % 17)</Value></HeartRateBpm>"
        + "</Trackpoint>"
    }
    let total = timer.map { "<TotalTimeSeconds>\($0)</TotalTimeSeconds>" } ?? ""
    return """
      <?xml version="1.0"?><TrainingCenterDatabase><Activities><Activity Sport="Running"><Lap StartTime="\(time(0))">\
      \(total)<Track>\(points.joined())</Track></Lap></Activity></Activities></TrainingCenterDatabase>
      """
  }

  private static let importing = ["import", "--age", "23", "--target", "z2", "--format", "jsonl"]

  @Test("A folder for temporary files that is not there is named with its variable and with what it was for")
  func noTemporaryFolder() throws {
    let program = try CoachProgram()
    var archive = ZipBuilder()
    for name in ["a.csv", "b.csv"] { archive.add(name, Array(risingCSV(seconds: 60).utf8)) }
    let path = program.folder.url.path + "/rides.zip"
    try Data(archive.archive()).write(to: URL(fileURLWithPath: path))
    let absent = program.folder.url.path + "/absent"
    let file = try program.folder.write("no folder", to: "file")
    for (folder, reason) in [(absent, "No such file or directory"), (file, "Not a directory")] {
      for arguments in [["inspect", path], Self.importing + ["--start", "2026-03-01T10:00:00Z", path]] {
        let outcome = try program.run(arguments, environment: ["TMPDIR": folder])
        #expect(outcome.status == 73, "\(arguments): \(outcome.errors)")
        let words = "TMPDIR: \(folder): cannot create a temporary file to unpack an archive: \(reason): expected a"
        #expect((outcome.output + outcome.errors).contains(words), "\(arguments): \(outcome.output)\(outcome.errors)")
      }
    }
  }

  @Test("A folder gives a line for each recording and one for what is none, and nothing the second time")
  func folder() throws {
    let program = try CoachProgram()
    let rides = program.folder.url.appendingPathComponent("rides")
    try FileManager.default.createDirectory(at: rides, withIntermediateDirectories: true)
    _ = try program.folder.write(Self.run(timer: 240), to: "rides/b.tcx")
    _ = try program.folder.write(
      "time,heart_rate\n2026-03-02T08:00:00Z,120\n2026-03-02T08:00:01Z,121\n", to: "rides/a.csv")
    _ = try program.folder.write("Activity ID,Activity Name\n1,Run\n", to: "rides/activities.csv")
    _ = try program.folder.write("no picture", to: "rides/photo.jpg")
    let first = try program.run(Self.importing + [rides.path])
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.lines.map { $0.contains(#""status":"added""#) } == [true, true])
    #expect(first.lines.first?.contains("rides/a.csv") == true)
    #expect(first.lines.last?.contains("rides/b.tcx") == true)
    #expect(first.errors == "coach: \(rides.path): left out: 2 other files\n")
    let second = try program.run(Self.importing + [rides.path])
    #expect(second.lines.map { $0.contains(#""status":"duplicate""#) } == [true, true])
    #expect(try program.run(["history", "list", "--format", "jsonl"]).lines.count == 2)
    let inspected = try program.run(["inspect", rides.path, "--format", "jsonl"])
    #expect(inspected.status == 0, "\(inspected.output)")
    #expect(inspected.lines.count == 2, "\(inspected.output)")
    _ = try program.folder.write("<gpx><trk>", to: "rides/c.gpx")
    let third = try program.run(Self.importing + [rides.path])
    #expect(third.status == 65)
    #expect(third.lines.last?.contains(#""status":"refused""#) == true)
  }

  @Test("The workouts in tables beside one of another format are taken, or named as left out")
  func tablesBesideOne() throws {
    let program = try CoachProgram()
    var archive = ZipBuilder()
    archive.add("2.tcx", Array(Self.run(timer: nil).utf8))
    archive.add("activities.csv", Array("Activity ID,Activity Name\n1,Run\n".utf8))
    for day in [3, 4] {
      let rows = (0..<60).map { "2026-03-0\(day)T08:00:\($0 < 10 ? "0" : "")\($0)Z,\(120 + $0)\n" }.joined()
      archive.add("days/\(day).csv", Array("time,heart_rate\n\(rows)".utf8))
    }
    let path = program.folder.url.appendingPathComponent("year.zip").path
    try Data(archive.archive()).write(to: URL(fileURLWithPath: path))
    let imported = try program.run(Self.importing + [path])
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(imported.lines.map { $0.contains(#""status":"added""#) } == [true, true, true])
    #expect(imported.lines.first?.contains("year.zip/2.tcx") == true)
    #expect(imported.errors == "coach: \(path): left out: 1 other file\n")
    #expect(try program.run(["inspect", path, "--format", "jsonl"]).lines.count == 3)
    let replayed = try program.run(["replay", path, "--age", "23", "--target", "z2", "--format", "jsonl"])
    #expect(replayed.errors.contains("\(path): days/3.csv: further recordings of the archive were left out (2)\n"))
    let exported = try program.run(["export", path, "--as", "csv"])
    #expect(exported.errors.contains("days/3.csv: further recordings of the archive were left out (2)\n"))
    let compared = try program.run([
      "compare", path, "--age", "23", "--target", "z2", "--strategy", "none", "--strategy", "moment:every=60",
    ])
    #expect(compared.errors.contains("\(path): 2 other recordings of the archive from days/3.csv on: left out\n"))
  }

  @Test("A workout that is twice in an archive, or in it and beside it, is reported by the name of the first")
  func twins() throws {
    let program = try CoachProgram()
    let (run, other) = (
      Array(Self.run(timer: nil).utf8), Array(Self.run(timer: nil).replacing("2026-03-01", with: "2026-03-02").utf8)
    )
    var inner = ZipBuilder()
    inner.add("c.tcx", run)
    inner.add("d.tcx", other)
    var archive = ZipBuilder()
    archive.add("a.tcx", run)
    archive.add("b.tcx", other)
    archive.add("inner.zip", inner.archive())
    let path = program.folder.url.appendingPathComponent("many.zip")
    try Data(archive.archive()).write(to: path)
    let beside = try program.folder.write(Self.run(timer: nil), to: "beside.tcx")
    let inspected = try program.run(["inspect", path.path, beside, "--format", "jsonl"])
    #expect(inspected.status == 0, "\(inspected.errors)")
    let twins = try inspected.lines.map { line in
      let record = try JSONValue.parse(String(line))
      let warning = record["warnings"]?.array?.first { $0["kind"]?.string == "sameWorkout" }
      return warning?["detail"]?.string?.replacing(path.path, with: "ZIP") ?? "-"
    }
    #expect(twins == ["-", "-", "ZIP/a.tcx", "ZIP/b.tcx", "ZIP/a.tcx"], "\(inspected.output)")
  }

  @Test("A workout that came through a pipe is known when it comes again from a file")
  func pipe() throws {
    let program = try CoachProgram()
    let rows = "time,hr\n" + (0..<200).map { "\(1_700_000_000 + $0),\(120 + $0 % 5)\n" }.joined()
    let file = try program.folder.write(rows, to: "run.csv")
    let pipe = program.folder.url.appendingPathComponent("pipe").path
    let inspected = try program.run(
      ["inspect", pipe, file], before: "mkfifo '\(pipe)'; cat '\(file)' > '\(pipe)' &", seconds: 60)
    #expect(inspected.status == 0, "\(inspected.errors)")
    #expect(inspected.output.contains("holds the same workout (\(pipe))"), "\(inspected.output)")
  }

  @Test("A folder without a recording is refused in one line, and so is a part of many recordings")
  func refused() throws {
    let program = try CoachProgram()
    let empty = program.folder.url.appendingPathComponent("empty")
    try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
    for verb in [Self.importing, ["inspect"]] {
      let outcome = try program.run(verb + [empty.path])
      #expect(outcome.status == 65, "\(verb)")
      #expect(outcome.errors == "coach: \(empty.path): no recording in it\n", "\(verb)")
    }
    let part = try program.run(Self.importing + [empty.path, "--part", "1"])
    #expect(part.status == 64, "\(part.errors)")
    #expect(part.isOneComplaint, "\(part.errors)")
  }

  @Test("A better version says what it has more, and takes the place of the session with --replace")
  func replaces() throws {
    let program = try CoachProgram()
    let poor = try program.folder.write(Self.run(timer: nil), to: "poor.tcx")
    let better = try program.folder.write(Self.run(timer: 240), to: "better.tcx")
    #expect(try program.run(Self.importing + [poor]).status == 0)
    let old = try program.session().lastPathComponent
    let outcome = try program.run(Self.importing + [better])
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    #expect(outcome.output.contains(#""sessionID":"\#(old)","status":"duplicate""#))
    #expect(outcome.output.contains("this file says more of it: 60 s more of pauses; --replace puts it in its place"))
    let replaced = try program.run(Self.importing + [better, "--replace"])
    #expect(replaced.status == 0, "\(replaced.output)")
    #expect(replaced.output.contains(#""status":"added""#), "\(replaced.output)")
    #expect(replaced.output.contains(#""replaces":"\#(old)""#))
    let list = try program.run(["history", "list", "--format", "jsonl"])
    #expect(list.lines.count == 1, "\(list.output)")
    #expect(list.output.contains(#""activeSeconds":240"#), "\(list.output)")
    #expect(try program.session().lastPathComponent != old)
  }

  @Test("What --replace does not take of the options is named, and nothing where they ask for what is there")
  func unheededOptions() throws {
    let program = try CoachProgram()
    let poor = try program.folder.write(Self.run(timer: nil), to: "poor.tcx")
    let better = try program.folder.write(Self.run(timer: 240), to: "better.tcx")
    func run(_ words: String...) throws -> CoachProgram.Outcome {
      try program.run(["import", "--format", "jsonl"] + words)
    }
    #expect(try run(poor, "--age", "23", "--target", "z2", "--grace", "60", "--ceiling", "180").status == 0)
    let same = try run(poor, "--age", "23", "--target", "z2", "--grace", "60", "--ceiling", "180", "--replace")
    #expect(same.output.contains(#""status":"duplicate""#), "\(same.output)")
    #expect(same.errors.isEmpty, "\(same.errors)")
    #expect(try run(poor, "--age", "40").errors.isEmpty, "nothing was to be replaced")
    let other = try run(
      poor, "--age", "40", "--max-heart-rate", "190", "--grace", "60", "--activity", "hike", "--replace")
    let words =
      "not judged by --age 40, --max-heart-rate 190, --activity hike: the session that is there is judged as it was; "
      + "once it is deleted another import judges it by them"
    #expect(other.errors == "coach: \(poor): \(words)\n")
    #expect(other.output.contains(#""notices":["\#(words)"]"#), "\(other.output)")
    // A better file takes its place with the figures that are asked for, and with what is said of silences.
    let replaced = try run(better, "--age", "40", "--grace", "0", "--ceiling", "off", "--replace")
    #expect(replaced.output.contains(#""replaces":"#), "\(replaced.output)")
    #expect(!replaced.errors.contains("not judged"), "\(replaced.errors)")
    let again = try run(
      better, "--age", "40", "--target", "z2", "--grace", "0", "--ceiling", "off", "--replace")
    #expect(again.output.contains(#""status":"duplicate""#), "\(again.output)")
    #expect(again.errors.isEmpty, "\(again.errors)")
    let silent = try run(better, "--age", "40", "--grace", "30", "--replace")
    #expect(silent.errors.contains("not judged by --grace 30:"), "\(silent.errors)")
  }

  @Test("A workout of somebody who is not named is judged as it was, and the options that this leaves out are named")
  func unheededOfPerson() throws {
    let program = try CoachProgram()
    let poor = try program.folder.write(Self.run(timer: nil), to: "poor.tcx")
    let better = try program.folder.write(Self.run(timer: 240), to: "better.tcx")
    #expect(try program.run(["profile", "create", "anna", "--birth-date", "1990-05-17"]).status == 0)
    #expect(try program.run(["import", poor, "--profile", "anna", "--format", "jsonl"]).status == 0)
    let replaced = try program.run(["import", better, "--age", "60", "--replace", "--format", "jsonl"])
    #expect(replaced.output.contains(#""replaces":"#), "\(replaced.output)")
    #expect(
      replaced.errors.contains(
        "not judged by --age 60: the session stays one of anna, who is not named, and is judged as it was; "
          + "--profile anna makes them count"), "\(replaced.errors)")
    let named = try program.run(["import", better, "--profile", "anna", "--replace", "--format", "jsonl"])
    #expect(named.output.contains(#""status":"duplicate""#), "\(named.output)")
    #expect(named.errors.isEmpty, "\(named.errors)")
  }

  @Test(
    "A workout that is replaced is there once at least, whichever call fails or is its last",
    .enabled(if: !SanitizedBuild.isRunning, "needs a build without sanitizer"), arguments: DiskFault.allCases)
  func everyCall(fault: DiskFault) async throws {
    let program = try CoachProgram()
    let poor = try program.folder.write(Self.run(timer: nil), to: "poor.tcx")
    let better = try program.folder.write(Self.run(timer: 240), to: "better.tcx")
    #expect(try program.run(Self.importing + [poor]).status == 0)
    let original = program.folder.url.appendingPathComponent("original").path
    try FileManager.default.moveItem(atPath: program.data, toPath: original)
    var reached = 0
    for number in 1...1_000 {
      try? FileManager.default.removeItem(atPath: program.data)
      try FileManager.default.copyItem(atPath: original, toPath: program.data)
      guard try await replace(program, better, fault, at: number) else { break }
      reached = number
    }
    #expect((25...999).contains(reached), "\(fault): \(reached) calls that change files")
  }

  /// Replaces a workout with a fault at the call with a number; whether that was reached.
  private func replace(_ program: CoachProgram, _ file: String, _ fault: DiskFault, at number: Int) async throws -> Bool
  {
    let what = "\(fault) at call \(number)"
    let (outcome, isReached) = try program.run(Self.importing + [file, "--replace"], fault: fault, at: number)
    if fault != .kill { #expect([0, 69, 73, 74].contains(outcome.status), "\(what): \(outcome.status)") }
    // It is asked before another start could add it again.
    let kept = try FileManager.default.contentsOfDirectory(atPath: program.data + "/sessions").filter { name in
      FileManager.default.fileExists(atPath: program.data + "/sessions/\(name)/summary.json")
    }
    #expect((1...2).contains(kept.count), "\(what): \(kept)")
    let again = try program.run(Self.importing + [file, "--replace"])
    #expect(again.status == 0, "\(what): \(again.errors)")
    let history = History(dataFolder: StoredPath(dataFolder: program.data))
    let after = try await history.sessions(History.Filter())
    let findings = try await history.check { _ in }
    await history.close()
    #expect(after.map(\.active) == [.seconds(240)], "\(what): \(after)")
    #expect(findings.isEmpty, "\(what): \(findings)")
    return isReached
  }
}
