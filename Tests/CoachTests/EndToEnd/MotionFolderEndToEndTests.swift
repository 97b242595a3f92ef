import ActivityRecognition
import Foundation
import Glibc
import Testing
import TextFormats
import WorkoutSession
@testable import WorkoutTestSupport
@testable import coach

/// What motion may come from beside good recordings: folders with other things, slow sensors, other units, names that are taken.
@Suite("The program: motion that is not as it should be")
struct MotionFolderEndToEndTests {
  private let program: CoachProgram

  init() throws { program = try CoachProgram() }

  /// The folder of the tests, with a pipe of a name in it.
  private func folder(withPipe name: String) throws -> String {
    let folder = program.folder.url.appendingPathComponent("recordings").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let made = unsafe mkfifo(folder + "/" + name, 0o600)
    try #require(made == 0)
    return folder
  }

  /// A recording of somebody who stands and walks, at 50 Hz.
  private func recording(of person: Int = 0) -> String {
    let rows = (0..<1_000).map { index in
      let activity = index < 500 ? "standing" : "walking"
      let z = ThresholdModel.acceleration(activity, at: Double(index) / 50)
      return "\(Double(index) / 50),0.0\(person),0,\(z),\(activity)\n"
    }
    return "time_s,acc_x_g,acc_y_g,acc_z_g,activity\n" + rows.joined()
  }

  @Test("A pipe that lies in a folder is not waited for: it is named, and what is beside it is learned")
  func pipes() throws {
    let folder = try folder(withPipe: "pipe.csv")
    for (number, person) in ["anna", "bert"].enumerated() {
      try Data(recording(of: number).utf8).write(to: URL(fileURLWithPath: folder + "/\(person)_1.csv"))
    }
    let made = unsafe mkfifo(folder + "/pipe.coachmotion", 0o600)
    try #require(made == 0)
    let model = folder + "/own.coachmotion"
    let train = try program.run(
      ["motion", "train", folder, "--model", model, "--network", "compact", "--epochs", "1"], seconds: 60)
    #expect(train.status == 0, "\(train.errors)")
    #expect(train.errors.contains("pipe.csv: left out: no regular file"), "\(train.errors)")
    #expect(train.output.contains("of 2 people"), "\(train.output)")
    let models = try program.run(["motion", "models", folder], seconds: 60)
    #expect(models.status == 65)
    #expect(models.isOneComplaint, "\(models.errors)")
    #expect(models.errors.contains("pipe.coachmotion: no regular file: expected a motion model"), "\(models.errors)")
    #expect(models.output.contains("own.coachmotion"), "\(models.output)")
  }

  @Test("A folder of nothing but slow recordings is refused with what is wrong with the first", arguments: [1, 2])
  func slow(count: Int) throws {
    let rows = (0..<100).map { "\(Double($0) / 10),0,0,1,walking\n" }.joined()
    let folder = program.folder.url.appendingPathComponent("slow").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    for name in ["a.csv", "b.csv"].prefix(count) {
      let text = "time_s,acc_x_g,acc_y_g,acc_z_g,activity\n" + rows
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
    }
    let outcome = try program.run(["motion", "train", folder, "--model", folder + "/own.coachmotion"])
    #expect(outcome.status == 65)
    #expect(outcome.isOneComplaint, "\(outcome.errors)")
    #expect(outcome.errors.contains("a.csv: line 2: 10.0 samples a second: expected 20 to 200"), "\(outcome.errors)")
    #expect(outcome.errors.contains("none of the 2 recordings") == (count == 2), "\(outcome.errors)")
  }

  @Test("A log of which it cannot be found out whether a session has it is not read as one without labels")
  func unknownFolder() throws {
    let folder = program.folder.url.path
    #expect(try LabelledSession(log: folder + "/motion.csv") == nil, "nothing there says that it is a session")
    // A name that no file system has: whether something stands below it is not known.
    let long = folder + "/" + String(repeating: "x", count: 300)
    for name in ["motion.csv", "motion.bin"] {
      let error = #expect(throws: FileError.self) { try LabelledSession(log: long + "/" + name) }
      #expect(error?.code == ENAMETOOLONG, "\(name)")
    }
  }

  @Test("Each sample of a session has the label of its own time, also one that is late or far ahead")
  func sessionLabels() throws {
    let lines = (0..<20).map { second in
      let values = (0..<50).map { "[0,0,1.\($0 % 7)]" }.joined(separator: ",")
      return "{\"type\":\"motion\",\"atSeconds\":\(second),\"rateHz\":50,\"acceleration\":[\(values)]}\n"
    }
    let live = try program.run(["live", "--age", "30", "--clock", "samples"], input: lines.joined())
    #expect(live.status == 0, "\(live.errors)")
    for words in [["0:02", "0:08", "sitting"], ["0:08", "0:19", "walking"]] {
      let outcome = try program.run(["history", "label", "latest"] + words)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    let log = try program.session().path + "/motion.csv"
    func labels() throws -> [String] {
      var notices: [MotionNotice] = []
      let file = try #require(try LabelledSession(log: log)).motion(mostPoints: 100_000, &notices)
      #expect(file.isOfSession)
      #expect(file.folder == FileSystem.realPath(of: program.data))
      return file.recordings.flatMap { recording in
        recording.labels.map { $0 < 0 ? "" : file.labels[Int($0)] }
      }
    }
    let expected = [("", 200), ("sitting", 600), ("walking", 1_100), ("", 98)].flatMap { label, count in
      [String](repeating: label, count: count)
    }
    #expect(try labels() == expected)
    var rows = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    // The rows of 17 and of 5 s: the one stands behind that of 4 s, the other behind that of 14 s.
    let (far, late) = (rows.remove(at: 851), rows.remove(at: 251))
    rows.insert(late, at: 700)
    rows.insert(far, at: 202)
    try Data((rows.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: log))
    #expect(try labels() == expected)
  }

  @Test("Nobody records, or learns, the name of what is not known")
  func unknown() throws {
    let recorded = try program.run(["motion", "record", "--label", "unknown"], input: "")
    #expect(recorded.status == 64)
    #expect(recorded.isOneComplaint, "\(recorded.errors)")
    #expect(recorded.errors.contains("--label"), "\(recorded.errors)")
    let files = try ["anna", "bert"].enumerated().map { number, person in
      try program.folder.write(recording(of: number).replacing("walking", with: "unknown"), to: person + "_1.csv")
    }
    let model = program.folder.url.appendingPathComponent("own.coachmotion").path
    let options = ["--model", model, "--network", "compact", "--epochs", "1"]
    let learned = try program.run(["motion", "train"] + files + options)
    #expect(learned.status == 65)
    #expect(learned.errors.contains("--merge other=unknown"), "\(learned.errors)")
    #expect(!FileManager.default.fileExists(atPath: model))
    let merged = try program.run(["motion", "train"] + files + options + ["--merge", "other=unknown"])
    #expect(merged.status == 0, "\(merged.errors)")
    #expect(merged.output.contains("labels: other, standing"), "\(merged.output)")
  }

  @Test(
    "Live motion that is slow, or looks like m/s², is recognised as it came, and that is said once",
    arguments: [(10, 1, "motion at 10.0 samples a second"), (50, 9.80665, "which looks like m/s²"), (50, 1, "")])
  func doubts(rate: Int, scale: Double, words: String) throws {
    let model = program.folder.url.appendingPathComponent("hand.coachmotion")
    try Data(MotionModelFile.bytes(of: ThresholdModel.model)).write(to: model)
    let lines = (0..<30).map { second in
      let values = (0..<rate).map { index in
        let time = Double(second) + Double(index) / Double(rate)
        return "[0,0,\(scale * ThresholdModel.acceleration("walking", at: time))]"
      }.joined(separator: ",")
      return "{\"type\":\"motion\",\"atSeconds\":\(second),\"rateHz\":\(rate),\"acceleration\":[\(values)]}\n"
    }
    let outcome = try program.run(
      [
        "live", "--age", "30", "--clock", "samples", "--format", "jsonl", "--no-save", "--recognize", model.path,
      ], input: lines.joined())
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains(#""type":"activity""#), "\(outcome.output)")
    #expect(outcome.errorLines.count { $0.contains("may be wrong") } == (words.isEmpty ? 0 : 1), "\(outcome.errors)")
    #expect(words.isEmpty || outcome.errors.contains(words), "\(outcome.errors)")
  }

  @Test("A run by a model says at its start which one it is, and whether it pauses", arguments: [true, false])
  func briefing(pauses: Bool) throws {
    let model = program.folder.url.appendingPathComponent("hand.coachmotion")
    try Data(MotionModelFile.bytes(of: ThresholdModel.model)).write(to: model)
    let outcome = try program.run(
      ["live", "--age", "30", "--clock", "samples", "--no-save", "--recognize", model.path]
        + (pauses ? [] : ["--no-auto-pause"]),
      input: ThresholdModel.lines([.init(activity: "walking", seconds: 5)]).joined(separator: "\n") + "\n")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("activities are recognised by the model hand: the session"), "\(outcome.output)")
    #expect(outcome.output.contains("--no-auto-pause lets it run") == pauses, "\(outcome.output)")
  }

  @Test("That nothing checks whether somebody walks is said of a plan that asks for it", arguments: ["text", "jsonl"])
  func unchecked(format: String) throws {
    for (plan, isSaid) in [("1min walk, 1min run z2", true), ("1min z2", false)] {
      let outcome = try program.run(
        ["live", "--age", "30", "--clock", "samples", "--no-save", "--plan", plan, "--format", format],
        input: risingLines(seconds: 5))
      #expect(outcome.status == 0, "\(outcome.errors)")
      let said = (outcome.output + outcome.errors).split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(said.contains("the plan asks for walking or running") == isSaid, "\(said)")
    }
  }

  @Test("An import by a model decides as a replay of the file by it, and the session is replayed without it")
  func imported() throws {
    let model = program.folder.url.appendingPathComponent("hand.coachmotion")
    try Data(MotionModelFile.bytes(of: ThresholdModel.model)).write(to: model)
    let file = try program.folder.write(recording(), to: "run.csv")
    let (byModel, records) = (["--recognize", model.path], ["--format", "jsonl"])
    let adding = ["import", file, "--age", "30", "--start", "2026-11-20T07:00:00Z"] + records
    let plain = try program.run(adding)
    #expect(plain.status == 0, "\(plain.errors)")
    let more = try program.run(adding + byModel)
    #expect(more.output.contains("what the model recognises; --replace"), "\(more.output)")
    let added = try program.run(adding + byModel + ["--replace"])
    #expect(added.status == 0, "\(added.errors)")
    #expect(added.output.contains(#""replaces":"#), "\(added.output)")
    let session = try program.session().path
    let kept = try [
      ["replay", file, "--age", "30"] + byModel, ["replay", session], ["replay", session] + byModel,
    ].map { words in
      let outcome = try program.run(words + records)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(!outcome.errors.contains("the model finds other activities"), "\(outcome.errors)")
      return outcome.output.split(separator: "\n").filter { line in
        [#""type":"activity""#, #""type":"paused""#, #""type":"resumed""#].contains { line.contains($0) }
      }
    }
    #expect(kept[0].count == 4, "\(kept[0])")
    #expect(kept[1] == kept[0])
    #expect(kept[2] == kept[0])
    let hours = try program.run(["history", "hourly", "--date", "2026-11-20"] + records)
    #expect(hours.output.contains(#""walkedMinutes""#), "\(hours.output) \(hours.errors)")
    #expect(!hours.output.contains(#""labelled""#), "a model counts before labels: \(hours.output)")
  }

  @Test("What an import by a model cannot be asked together is refused before anything is read")
  func importedOptions() throws {
    for (options, words) in [
      (["--auto-pause"], "expected --recognize FILE beside it"),
      (["--recognize", "/none.coachmotion"], "/none.coachmotion"),
    ] {
      let outcome = try program.run(["import", "/none.csv", "--age", "30"] + options)
      #expect([64, 66].contains(outcome.status), "\(outcome.errors)")
      #expect(outcome.isOneComplaint, "\(outcome.errors)")
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
  }

  @Test("Why a run by a model does not pause is said at its start")
  func briefingReasons() {
    func line(_ pauses: Bool, isRefused: Bool = false, isDrawn: Bool = false) -> String {
      LiveBriefing.recognition(
        RecognitionSettings(ThresholdModel.shared, pausesWhenStill: pauses), isRefused: isRefused, isDrawn: isDrawn)
    }
    let start = "activities are recognised by the model by hand: the session "
    #expect(line(true) == start + "pauses while you stand still; --no-auto-pause lets it run")
    #expect(line(false, isRefused: true) == start + "does not pause by itself")
    #expect(line(false, isDrawn: true) == start + "does not pause by itself, because the strategy is drawn")
    #expect(line(false).hasSuffix("because the model has no labels of standing still and of moving"))
  }
}
