import ActivityRecognition
import Foundation
import Testing
@testable import coach
@testable import WorkoutTestSupport

/// A session with motion in binary goes wherever one with text goes, and comes out the same.
@Suite("The program: what is made of motion in binary")
struct MotionLogCopiesEndToEndTests {
  /// The bytes of every file of the session of a program, by their names.
  private func files(_ session: URL) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: session.path) {
      files[name] = try Data(contentsOf: session.appendingPathComponent(name))
    }
    return files
  }

  private func both() throws -> (text: CoachProgram, binary: CoachProgram) {
    (try MotionSession.recorded("csv"), try MotionSession.recorded("binary"))
  }

  @Test("The page of the session and every export are those of the same session as text")
  func pages() throws {
    let (text, binary) = try both()
    let verbs: [[String]] = [
      ["report", "latest"], ["report", "latest", "--units", "imperial", "--without-track"],
      ["history", "export", "latest", "--as", "json"], ["history", "export", "latest", "--as", "csv"],
      ["export", "FOLDER", "--as", "csv"], ["export", "FOLDER", "--as", "sensogather-csv"],
      ["inspect", "FOLDER", "--format", "json"], ["history", "show", "latest"],
    ]
    for verb in verbs {
      let printed = try MotionSession.printed(verb, of: [text, binary])
      #expect(printed[0].count > 100, "\(verb)")
      #expect(printed[0] == printed[1], "\(verb)")
    }
  }

  @Test("What a model recognises while it is recorded, in its replay and afterwards is the same")
  func recognized() throws {
    let spans: [ThresholdModel.Span] = [
      .init(activity: "walking", seconds: 20), .init(activity: "standing", seconds: 12),
      .init(activity: "running", seconds: 20), .init(activity: "standing", seconds: 8),
    ]
    let key = #""atSeconds":"#
    let input = ThresholdModel.lines(spans).map { line in
      guard let place = line.range(of: key), let second = Int(line[place.upperBound...].prefix { $0.isNumber }) else {
        return line + "\n"
      }
      let digits = second % 60 < 10 ? "0\(second % 60)" : "\(second % 60)"
      return line.replacing("\(key)\(second)", with: "\"time\":\"2026-11-20T07:0\(second / 60):\(digits)Z\"") + "\n"
    }.joined()
    let programs = try ["csv", "binary"].map { kind in
      let program = try CoachProgram()
      let model = program.folder.url.appendingPathComponent("hand.coachmotion")
      try Data(MotionModelFile.bytes(of: ThresholdModel.model)).write(to: model)
      let outcome = try program.run(
        MotionSession.options + ["--motion-log", kind, "--recognize", model.path], input: input)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output.contains(#""type":"activity""#), "\(outcome.output)")
      #expect(outcome.output.contains(#""type":"paused""#), "\(outcome.output)")
      return program
    }
    let model = programs.map { $0.folder.url.appendingPathComponent("hand.coachmotion").path }
    for name in ["commands.csv", "decisions.jsonl", "heart_rate.csv", "summary.json"] {
      let files = try programs.map { program in
        MotionSession.neutral(
          String(decoding: try MotionSession.file(name, of: program), as: UTF8.self), of: program,
          try program.session())
      }
      #expect(files[0].count > 50, "\(name)")
      #expect(files[0] == files[1], "\(name)")
    }
    for verb in [
      ["replay", "FOLDER", "--format", "jsonl"], ["replay", "FOLDER", "--recognize", "MODEL", "--format", "jsonl"],
      ["motion", "recognize", "FOLDER", "--model", "MODEL", "--format", "jsonl"], ["history", "hourly"],
      ["motion", "steps", "FOLDER"], ["report", "latest"],
    ] {
      let printed = try zip(programs, model).map { program, model in
        try MotionSession.printed(verb.map { $0 == "MODEL" ? model : $0 }, of: [program])[0]
      }
      #expect(printed[0].contains("walk") || verb[1] != "recognize", "\(verb)")
      #expect(printed[0] == printed[1], "\(verb)")
    }
    // A label that is put on a stretch afterwards is learned from alike.
    for program in programs {
      let labelled = try program.run(["history", "label", "latest", "0:05", "0:18", "walking"])
      #expect(labelled.status == 0, "\(labelled.errors)")
    }
    let labels = try programs.map { try MotionSession.file("labels.csv", of: $0) }
    #expect(labels[0] == labels[1])
  }

  @Test("A backup has the log as it is, and what is unpacked of it is used as before")
  func backup() throws {
    let program = try MotionSession.recorded("binary")
    let before = try files(program.session())
    #expect(before["motion.bin"] != nil)
    let archive = program.folder.url.appendingPathComponent("backup.tar.gz").path
    #expect(try program.run(["history", "backup", archive]).status == 0)
    let shown = try program.run(["history", "show", "latest", "--format", "jsonl"]).output
    let restored = try CoachProgram()
    try FileManager.default.createDirectory(atPath: restored.data, withIntermediateDirectories: false)
    let tar = ChildProgram("/bin/sh", ["-c", "tar -xzf \"$0\" -C \"$1\"", archive, restored.data])
    try tar.run()
    tar.waitUntilExit(seconds: 60)
    #expect(tar.terminationStatus == 0)
    #expect(try restored.run(["history", "rebuild"]).status == 0)
    #expect(try files(restored.session()) == before)
    #expect(try restored.run(["history", "check"]).status == 0)
    #expect(try restored.run(["history", "show", "latest", "--format", "jsonl"]).output == shown)
    let session = try restored.session().path
    let text = try MotionSession.file("motion.csv", of: MotionSession.recorded("csv"))
    #expect(try Data(restored.run(["motion", "text", session]).output.utf8) == text)
  }

  @Test("An upload has the log as it is, and the folder that is made of what was stored is read as before")
  func upload() throws {
    let program = try MotionSession.recorded("binary")
    let session = try program.session()
    let store = try StrictStore()
    defer { store.stop() }
    let outcome = try program.run(
      [
        "upload", "--days", "36500", "--to", "s3://bucket/runs", "--endpoint", store.url, "--format", "jsonl",
      ], environment: UploadFixture.keys)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let prefix = "/bucket/runs/sessions/\(session.lastPathComponent)/"
    let stored = store.objects.filter { $0.key.hasPrefix(prefix) }
    let before = try files(session)
    #expect(Set(stored.keys) == Set(before.keys.map { prefix + $0 }))
    #expect(stored[prefix + "motion.bin"] == before["motion.bin"].map { Array($0) })
    let copy = program.folder.url.appendingPathComponent(session.lastPathComponent)
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: false)
    for (path, bytes) in stored {
      try Data(bytes).write(to: copy.appendingPathComponent(String(path.dropFirst(prefix.count))))
    }
    #expect(
      try program.run(["replay", copy.path, "--format", "jsonl"]).output
        == program.run(["replay", session.path, "--format", "jsonl"]).output)
    #expect(
      try program.run(["motion", "text", copy.path]).output
        == program.run(["motion", "text", session.path]).output)
  }

  @Test("All data of a person hold the log, which is made text by what stands beside it")
  func person() throws {
    let program = try CoachProgram()
    #expect(try program.run(["profile", "create", "anna", "--max-heart-rate", "190"]).status == 0)
    let options = MotionSession.options.filter { $0 != "--age" && $0 != "23" }
    let outcome = try program.run(
      options + ["--profile", "anna", "--motion-log", "binary"], input: MotionSession.input)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let folder = program.folder.url.appendingPathComponent("anna")
    #expect(try program.run(["profile", "export", "anna", "--output", folder.path]).status == 0)
    let session = try program.session()
    let exported = folder.appendingPathComponent("sessions/" + session.lastPathComponent)
    #expect(try files(exported)["motion.bin"] == files(session)["motion.bin"])
    let text = try program.run(["motion", "text", exported.path + "/motion.bin"])
    #expect(text.status == 0, "\(text.errors)")
    #expect(try Data(text.output.utf8) == MotionSession.file("motion.csv", of: MotionSession.recorded("csv")))
  }
}
