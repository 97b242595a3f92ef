@testable import Recordings
@testable import SessionStore
import Testing
@testable import TextFormats
@testable import WorkoutExports
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("An imported workout")
struct WorkoutImportTests {
  private let start = WallClockTime.morning()

  private func request(_ target: String? = "z2", person: String? = nil) throws -> ImportRequest {
    var request = ImportRequest(
      try .runner(target, "moment:every=30"), person: person.map(SessionPerson.init(named:)))
    request.start = start
    return request
  }

  private func added(_ outcome: ImportOutcome) throws -> String {
    guard case .added(let name) = outcome else {
      Issue.record("\(outcome)")
      throw FileError(.create, "\(outcome)", code: 0)
    }
    return name
  }

  @Test(
    "gives the decisions and the summary of a replay of its file, and is whole",
    arguments: RandomWorkout.Source.allCases)
  func sameAsReplay(source: RandomWorkout.Source) async throws {
    for seed in UInt64(0)..<12 {
      let recorded = try RecordedHistory()
      let file = try recorded.folder.write(RandomWorkout(seed: seed, source).bytes(), "file")
      let recording = try Recording(path: file)
      let importing = try request()
      let sessionID = try added(await recorded.history.add(recording, importing))
      let settings = try importing.requestOfDay(nil).coaching.settings(on: nil)
      var direct: [SessionEvent] = []
      let replayed = try Replay.run(recording, settings: settings, pace: .events) { direct += $1 }
      let session = try SessionFolderRecording(path: recorded.path(sessionID))
      var kept: [SessionEvent] = []
      let (pipeline, warnings) = try Replay.run(session, settings: settings, pace: .events) { kept += $1 }
      #expect(warnings.isEmpty, "\(source), seed \(seed)")
      #expect(commonRecords(kept, pipeline) == commonRecords(direct, replayed), "\(source), seed \(seed)")
      let journal = try text(of: recorded.path(sessionID) + "/decisions.jsonl").split(separator: "\n").map(String.init)
      #expect(journal == records(direct), "\(source), seed \(seed)")
      #expect(session.manifest.start == recording.facts.start ?? start, "\(source), seed \(seed)")
      #expect(try await recorded.history.check { _ in } == [], "\(source), seed \(seed)")
      #expect(try SessionMark.all(in: recorded.folder.path).isEmpty, "\(source), seed \(seed)")
      await recorded.history.close()
    }
  }

  @Test("is there once, whatever the name and the format of its file are")
  func duplicates() async throws {
    for seed in UInt64(20)..<32 {
      let recorded = try RecordedHistory()
      let file = try recorded.folder.write(RandomWorkout(seed: seed, .tcx).bytes(), "file")
      let original = try Recording(path: file)
      guard (original.facts.heartRate?.statistics.count ?? 0) > 5 else { continue }
      let sessionID = try added(await recorded.history.add(original, request()))
      for format in ExportFormat.allCases {
        guard let (bytes, _) = try? RoundTrip.export(original, as: format) else { continue }
        let copy = try Recording(path: recorded.folder.write(bytes, "copy of \(format.rawValue)"))
        guard copy.facts.heartRate?.statistics.count == original.facts.heartRate?.statistics.count else { continue }
        #expect(
          try await recorded.history.add(copy, request()) == .duplicate(sessionID: sessionID), "seed \(seed), \(format)"
        )
      }
      #expect(try await recorded.history.sessions(History.Filter()).count == 1, "seed \(seed)")
      await recorded.history.close()
    }
  }

  private func csv(_ shift: Int, from start: Int = 0, _ range: Range<Int> = 0..<120) -> String {
    "time,hr\n" + range.map { "\(1_700_000_000 + start + $0),\(110 + ($0 + shift) % 25)\n" }.joined()
  }

  @Test("is never refused because of another person's, or of another workout")
  func notDuplicates() async throws {
    let recorded = try RecordedHistory()
    func add(_ text: String, person: String? = nil) async throws -> ImportOutcome {
      let importing = try request(person: person)
      return try await recorded.history.add(Recording(path: recorded.folder.write(text, "file")), importing)
    }
    let first = try added(await add(csv(0), person: "anna"))
    #expect(try await add(csv(0), person: "anna") == .duplicate(sessionID: first))
    #expect(try await add(csv(0)) == .duplicate(sessionID: first), "somebody may be anna")
    _ = try added(await add(csv(0), person: "ben"))
    _ = try added(await add(csv(3), person: "anna"))
    _ = try added(await add(csv(0, from: 1_000), person: "anna"))
    #expect(try await recorded.history.sessions(History.Filter()).count == 4)
    await recorded.history.close()
  }

  @Test("among many of the same time reads each of their folders once, and none of those that lie otherwise")
  func manyOfOneTime() async throws {
    let recorded = try RecordedHistory()
    let count = 24
    for number in 0..<count {
      // Each is of the same two minutes, and half as many begin a minute later.
      let from = number % 3 == 0 ? 60 : 0
      let file = try recorded.folder.write(csv(number, from: from), "file")
      _ = try added(await recorded.history.add(Recording(path: file), request()))
    }
    #expect(try await recorded.history.change { $0.traces.readCount } < count)
    let again = try recorded.folder.write(csv(4), "file")
    guard case .duplicate = try await recorded.history.add(Recording(path: again), request()) else {
      Issue.record("the same workout was added twice")
      return
    }
    await recorded.history.close()
  }

  @Test("is held against traces that take a bounded memory, the newest of them")
  func cache() throws {
    var cache = TraceCache(largestBytes: 2_000)
    func trace(_ session: Int) throws -> WorkoutTrace? {
      try cache.trace(of: "session \(session)") { try WorkoutTrace(span: 0...1) { _ in } }
    }
    for session in 0..<100 { _ = try trace(session) }
    #expect(cache.readCount == 100)
    _ = try trace(99)
    #expect(cache.readCount == 100)
    _ = try trace(0)
    #expect(cache.readCount == 101)
    #expect(throws: FileError.self) { try cache.trace(of: "gone") { throw FileError(.read, "gone", code: 5) } }
    #expect(!cache.has("gone"))
  }

  @Test("of motion or of steps alone is there once, and another person's is not in its way")
  func otherStreams() async throws {
    let recorded = try RecordedHistory()
    func add(_ text: String, person: String? = nil) async throws -> ImportOutcome {
      try await recorded.history.add(Recording(path: recorded.folder.write(text, "file")), request(person: person))
    }
    for (header, row) in [
      ("acc_x,acc_y,acc_z,label", "0.1,0.2,9.8,SEATED"), ("steps", "2"), ("cadence,distance", "80,"),
    ] {
      let text = "time,\(header)\n" + (0..<60).map { "\(1_700_000_000 + $0),\(row)\($0)\n" }.joined()
      let first = try added(await add(text, person: "anna"))
      #expect(try await add(text, person: "anna") == .duplicate(sessionID: first), "\(header)")
      _ = try added(await add(text, person: "ben"))
    }
    await recorded.history.close()
  }

  @Test("that states no time of day needs one, and nothing is left of what was refused")
  func relative() async throws {
    let recorded = try RecordedHistory()
    let file = try Recording(path: recorded.folder.write("time_s,hr\n0,120\n60,130\n", "file"))
    var importing = try request()
    importing.start = nil
    guard case .refused = try await recorded.history.add(file, importing) else {
      Issue.record("taken without a time of day")
      return
    }
    #expect(!FileSystem.exists(recorded.folder.path + "/sessions"))
    importing.start = start
    let name = try added(await recorded.history.add(file, importing))
    #expect(name.hasPrefix("20261120T070000Z-other-"))
    #expect(try await recorded.history.add(file, importing) == .duplicate(sessionID: name))
    await recorded.history.close()
  }

  @Test("that was cut off leaves nothing, and a second one that has waited for its time is refused")
  func cutOff() async throws {
    let recorded = try RecordedHistory()
    let staging = recorded.folder.path + "/importing/20260101T000000Z-other-00000001"
    try FileSystem.createFolder(staging)
    _ = try recorded.folder.write("time,at_s", "importing/20260101T000000Z-other-00000001/heart_rate.csv")
    let file = try Recording(path: recorded.folder.write(csv(0), "file"))
    let lock = try ImportLock.take(recorded.folder.path, waitingMilliseconds: 0)
    #expect(!FileSystem.exists(staging))
    let hasty = History(dataFolder: recorded.folder.path, busyMilliseconds: 0)
    let error = await #expect(throws: DatabaseError.self) { try await hasty.add(file, request()) }
    #expect(error?.exitCode == 69)
    let other = try ImportLock.takeIfFree(recorded.folder.path)
    #expect(other == nil)
    lock.release()
    _ = try added(await recorded.history.add(file, request()))
    #expect(try await recorded.history.check { _ in } == [])
    await recorded.history.close()
  }

  @Test("has the offset from UTC that its file states, and the values of its day there; its name is what it was")
  func utcOffset() async throws {
    let recorded = try RecordedHistory()
    func csv(_ zone: String, from hour: String = "23") -> String {
      "time,hr\n" + (10..<60).map { "2026-11-20T\(hour):00:\($0)\(zone),\(100 + $0)\n" }.joined()
    }
    let request = ImportRequest { day in
      let request = try CoachingRequest.runner("z2", "moment:every=30")
      #expect(day?.description == "2026-11-20")
      return SessionRequest(coaching: request, person: nil)
    }
    let recording = try Recording(path: recorded.folder.write(csv("-05:00"), "a.csv"))
    #expect(recording.facts.start?.description == "2026-11-21T04:00:10Z")
    #expect(recording.facts.day?.description == "2026-11-20")
    let sessionID = try added(await recorded.history.add(recording, request))
    #expect(sessionID.hasPrefix("20261121T040010Z-"))
    #expect(try SessionFolderRecording(path: recorded.path(sessionID)).manifest.utcOffsetSeconds == -18_000)
    let entry = try #require(try await recorded.history.sessions(History.Filter()).first)
    #expect(entry.startText == "2026-11-20 23:00")
    // The same workout in UTC is the same session, which keeps what it has.
    let again = try Recording(
      path: recorded.folder.write(csv("Z", from: "04").replacing("2026-11-20", with: "2026-11-21"), "b.csv"))
    #expect(again.facts.utcOffsetSeconds == nil)
    let plain = try self.request()
    #expect(try await recorded.history.add(again, plain) == .duplicate(sessionID: sessionID))
    #expect(try SessionFolderRecording(path: recorded.path(sessionID)).manifest.utcOffsetSeconds == -18_000)
    #expect(try await recorded.history.check { _ in } == [])
    await recorded.history.close()
    let machine = try RecordedHistory()
    let other = try added(await machine.history.add(again, plain))
    #expect(other == sessionID, "the name follows from the content and the instant alone")
    let manifest = try SessionFolderRecording(path: machine.path(other)).manifest
    #expect(manifest.utcOffsetSeconds == SystemWallClock.utcOffsetSeconds(at: manifest.start))
    await machine.history.close()
  }

  @Test("is called after the sport of its file, and says where it comes from")
  func activity() async throws {
    let recorded = try RecordedHistory()
    let text = XMLFixture.tcx(
      XMLFixture.activity(
        "Biking", XMLFixture.lap(at: 0, seconds: "29", meters: "87", (0..<30).map { XMLFixture.fullPoint($0) }.joined())
      ))
    let recording = try Recording(path: recorded.folder.write(text, "ride.tcx"))
    let sessionID = try added(await recorded.history.add(recording, request()))
    let manifest = try SessionFolderRecording(path: recorded.path(sessionID)).manifest
    #expect(manifest.request.activity.label == "cycling")
    #expect(manifest.source == .init(file: "ride.tcx", format: "tcx", device: "Forerunner 945"))
    for (sport, label) in [
      ("treadmill_running", "treadmill"), ("walking", "walking"), (nil, "other"), ("mountain_biking", "cycling"),
      ("yoga/pilates", "yogapilates"), ("", "other"), ("yog\u{D4E}/x", "yog\u{D4E}x"), ("yo\u{200D}ga", "yoga"),
      ("a" + String(repeating: "\u{301}", count: 3_000), "other"),
    ] {
      #expect(Activity(ofSport: sport).label == label)
    }
    #expect(Activity("yo\u{200D}ga")?.label == "yo\u{200D}ga", "of a session from before such labels were refused")
    for typed in ["yo\u{200D}ga", "yog\u{D4E}/x", String(repeating: "李", count: 41), "", " a"] {
      #expect(Activity(typed: typed) == nil, "\(typed.visible)")
    }
    await recorded.history.close()
  }
}
