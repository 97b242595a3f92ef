import ActivityRecognition
@testable import CoachService
import SessionStore
import Testing
import TextFormats
import WorkoutSession
@testable import WorkoutTestSupport
import ZoneEngine

@Suite("Recordings that are sent as files, by a model")
struct RecognizedUploadTests {
  /// A minute at 50 Hz of somebody who walks, stands and runs, with a heart rate each second.
  private static let csv: String = {
    var text = "time,heart_rate_bpm,acc_x_g,acc_y_g,acc_z_g\n"
    for sample in 0..<3_000 {
      let (second, part) = (sample / 50, sample % 50 * 20)
      let activity = second < 20 ? "walking" : second < 40 ? "standing" : "running"
      let zeros = part < 10 ? "00" : part < 100 ? "0" : ""
      let stamp = "2026-01-05T07:00:\(second < 10 ? "0" : "")\(second).\(zeros)\(part)Z"
      let length = ThresholdModel.acceleration(activity, at: Double(sample) / 50)
      text += "\(stamp),\(part == 0 ? "\(110 + second % 40)" : ""),0,0,\(length)\n"
    }
    return text
  }()

  private func harness() async throws -> ServiceHarness {
    let model = try SharedModel(file: MotionModelFile.bytes(of: ThresholdModel.model), name: "by hand")
    return try await ServiceHarness(ScratchFolder(), program: ServiceHarness.builtProgram) { $0.models = [model] }
  }

  /// How often a record of each kind stands in records.
  private func counts(_ text: String) -> [Int] {
    ["activity", "paused", "resumed"].map { kind in
      text.split(separator: "\n").count { $0.contains("\"type\":\"\(kind)\"") }
    }
  }

  @Test(
    "Are imported and replayed as a live session would decide, by a model that is named and never a path",
    .enabled(if: !SanitizedBuild.isRunning, "a sanitizer takes more memory than the limit"))
  func recognized() async throws {
    let harness = try await harness()
    let owner = try await harness.token([.manage, .watch])
    _ = await harness.send("POST", "/v1/people", owner, body: #"{"name":"ann","birthDate":"1990-05-17"}"#)
    for (query, expected) in [
      ("&recognize=by%20hand", [3, 1, 1]), ("&recognize=by%20hand&auto-pause=false", [3, 0, 0]),
      ("&recognize=by%20hand&plan=1min%20z2", [3, 1, 1]), ("", [0, 0, 0]),
    ] {
      let replay = await harness.send("POST", "/v1/replay?profile=ann" + query, owner, body: Self.csv, type: "text/csv")
      #expect(replay.status == 200, "\(replay.text)")
      #expect(counts(replay.text) == expected, "\(query): \(replay.text)")
    }
    let added = await harness.send(
      "POST", "/v1/import?person=ann&recognize=by%20hand", owner, body: Self.csv, type: "text/csv")
    #expect(added.status == 200, "\(added.text)")
    let id = try #require(added.json?["sessionID"]?.string, "\(added.text)")
    let folder = SessionFolder.path(of: id, in: harness.service.settings.dataFolder)
    let manifest = try SessionFolderRecording(path: folder).manifest
    #expect(manifest.recognition?.model == "by hand")
    #expect(manifest.recognition?.sha256 == harness.service.settings.models.first?.hash)
    let events = await harness.send(
      "GET", "/v1/sessions/\(id)/events", owner, headers: [HTTPField("Accept", "application/x-ndjson")])
    #expect(counts(events.text) == [3, 1, 1], "\(events.text)")
    await harness.service.close()
  }

  @Test(
    "That there is no motion to recognise in is said: of an import in its record, of a replay as why there is none",
    .enabled(if: !SanitizedBuild.isRunning, "a sanitizer takes more memory than the limit"))
  func withoutMotion() async throws {
    let harness = try await harness()
    let owner = try await harness.token([.manage, .watch])
    _ = await harness.send("POST", "/v1/people", owner, body: #"{"name":"ann","birthDate":"1990-05-17"}"#)
    let still = "time,heart_rate\n2026-01-05T07:00:00Z,120\n2026-01-05T07:00:01Z,121\n2026-01-05T07:00:02Z,122\n"
    let replay = await harness.send(
      "POST", "/v1/replay?profile=ann&recognize=by%20hand", owner, body: still, type: "text/csv")
    #expect(replay.status == 422, "\(replay.text)")
    #expect(replay.json?["parameter"]?.string == "recognize", "\(replay.text)")
    #expect(replay.text.contains("no motion in it"), "\(replay.text)")
    let order = #"{"profile":{"ageYears":23},"target":"z2","recognize":"by hand"}"#
    let sample = #"{"type":"heartRate","atSeconds":0,"beatsPerMinute":120}"#
    let motion = #"{"type":"motion","atSeconds":0,"acceleration":[0,0,1]}"#
    for (samples, status) in [(sample, 422), (sample + "," + motion, 200)] {
      let typed = await harness.send(
        "POST", "/v1/replay", owner, body: #"{"request":\#(order),"samples":[\#(samples)]}"#)
      #expect(typed.status == status, "\(typed.text)")
      #expect(status == 200 || typed.json?["pointer"]?.string == "/request/recognize", "\(typed.text)")
    }
    for query in ["", "&recognize=by%20hand"] {
      let body = query.isEmpty ? still.replacing("07:00", with: "08:00") : still
      let added = await harness.send(
        "POST", "/v1/import?person=ann" + query, owner, body: body, type: "text/csv")
      #expect(added.json?["status"]?.string == "added", "\(added.text)")
      let notices = added.json?["notices"]?.array?.compactMap(\.string)
      #expect(notices == (query.isEmpty ? nil : ["no motion in it: nothing is recognised"]), "\(added.text)")
    }
    await harness.service.close()
  }

  @Test(
    "What a replay warns of stands in a header: that a model lacks the gyroscope, that a column is not known",
    .enabled(if: !SanitizedBuild.isRunning, "a sanitizer takes more memory than the limit"))
  func noticed() async throws {
    let models = try [("by hand", ThresholdModel.model), ("turning", ThresholdModel.turning.model)].map {
      try SharedModel(file: MotionModelFile.bytes(of: $1), name: $0)
    }
    let harness = try await ServiceHarness(ScratchFolder(), program: ServiceHarness.builtProgram) { $0.models = models }
    let owner = try await harness.token([.manage, .watch])
    let lacks = "motion without turning rates (gyroscope), with which turning was trained: not recognised"
    for (model, notices) in [("turning", lacks), ("by%20hand", nil)] {
      let replay = await harness.send(
        "POST", "/v1/replay?age=30&recognize=\(model)", owner, body: Self.csv, type: "text/csv")
      #expect(replay.status == 200, "\(replay.text)")
      #expect(replay.header("Coach-Notices") == notices)
    }
    let odd =
      "time,heart_rate,mood\n2026-01-05T07:00:00Z,120,1\n2026-01-05T07:00:01Z,121,1\n2026-01-05T07:00:02Z,122,1\n"
    let warned = await harness.send("POST", "/v1/replay?age=30", owner, body: odd, type: "text/csv")
    #expect(warned.header("Coach-Notices")?.contains("mood") == true)
    #expect(warned.header("Coach-Notices")?.contains("/dev/") == false)
    let motion = (0..<60).map { #"{"type":"motion","atSeconds":\#($0),"acceleration":[0,0,1]}"# }
    let typed = await harness.send(
      "POST", "/v1/replay", owner,
      body: #"{"request":{"profile":{"ageYears":23},"target":"z2","recognize":"turning"},"samples":["#
        + motion.joined(separator: ",") + "]}")
    #expect(typed.status == 200, "\(typed.text)")
    #expect(typed.header("Coach-Notices") == lacks)
    await harness.service.close()
  }

  @Test("All who read a model have the same file, and none of them can change it for the others")
  func modelFile() async throws {
    let folder = try ScratchFolder()
    defer { withExtendedLifetime(folder) {} }
    let runner = ProgramRunner(program: "/bin/sh", dataFolder: StoredPath(dataFolder: folder.path))
    let files = ModelFiles()
    let bytes = MotionModelFile.bytes(of: ThresholdModel.model)
    let model = try SharedModel(file: bytes, name: "by hand")
    var said: [String] = []
    for plan in ["one", "two"] {
      let beside = ProgramRunner.Beside(
        files: [.bytes(Array(plan.utf8)), .shared(try files.file(of: model))], environment: [])
      let script =
        "cat /dev/fd/3; stat -L -c ' %d-%i' /dev/fd/4; { echo x >> /dev/fd/4; } 2>/dev/null; wc -c < /dev/fd/4"
      let outcome = try await runner.run(["-c", script], input: HTTPBody(), beside: beside)
      said.append(String(decoding: try outcome.printed(), as: UTF8.self))
    }
    #expect(said.first?.hasPrefix("one ") == true, "\(said)")
    #expect(said.last?.hasPrefix("two ") == true, "\(said)")
    #expect(said.first?.dropFirst(3) == said.last?.dropFirst(3), "\(said)")
    #expect(said.allSatisfy { $0.hasSuffix("\n\(bytes.count)\n") }, "\(said)")
  }

  @Test(
    "Are refused with the parameter that is wrong, before a file is read",
    arguments: [
      ("recognize=walks", 404, "recognize"), ("recognize=/etc/passwd", 404, "recognize"),
      ("auto-pause=true", 422, "auto-pause"), ("recognize=by%20hand&auto-pause=maybe", 422, "auto-pause"),
    ])
  func refused(query: String, status: Int, parameter: String) async throws {
    let harness = try await harness()
    let owner = try await harness.token([.manage, .watch])
    _ = await harness.send("POST", "/v1/people", owner, body: #"{"name":"ann","birthDate":"1990-05-17"}"#)
    for route in ["/v1/import?person=ann&", "/v1/replay?profile=ann&"] {
      let answer = await harness.send("POST", route + query, owner, body: Self.csv, type: "text/csv")
      #expect(answer.status == status, "\(answer.text)")
      #expect(answer.json?["parameter"]?.string == parameter, "\(answer.text)")
      #expect(!answer.text.contains("/dev/"), "\(answer.text)")
    }
    await harness.service.close()
  }
}
