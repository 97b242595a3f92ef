import Foundation
@testable import Recordings
@testable import SessionStore
import Synchronization
import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("A better version of a workout that is there")
struct WorkoutReplacementTests {
  /// A run of 300 seconds with a gap of a minute; its lap, where it states its time, paused in it.
  private func run(
    timer: Int? = nil, heartRates: Bool = true, positions: Bool = true, until end: Int = 300, sport: String = "Running"
  ) -> [UInt8] {
    let points = (Array(0...100) + Array(161...300)).filter { $0 <= end }.map { second in
      let position =
        "<Position><LatitudeDegrees>46.\(1_000 + second)</LatitudeDegrees>"
        + "<LongitudeDegrees>15.25</LongitudeDegrees></Position>"
      let beat = "<HeartRateBpm><Value>\(120 + second % 17)</Value></HeartRateBpm>"
      return XMLFixture.tcxPoint(second, (positions ? position : "") + (heartRates ? beat : ""))
    }
    let lap = XMLFixture.lap(at: 0, seconds: timer.map { "\($0)" } ?? "", meters: "900", points.joined())
    return Array(XMLFixture.tcx(XMLFixture.activity(sport, lap)).utf8)
  }

  private func add(
    _ bytes: [UInt8], to recorded: RecordedHistory, replacing: Bool = false, person: String? = nil, age: Int = 23
  ) async throws -> ImportOutcome {
    var coaching = try CoachingRequest.runner("z2", "moment:every=30")
    coaching.profile.ageYears = age
    var request = ImportRequest(coaching, person: person.map(SessionPerson.init(named:)))
    request.replaces = replacing
    return try await recorded.history.add(Recording(path: recorded.folder.write(bytes, "run.tcx")), request)
  }

  private func name(_ outcome: ImportOutcome) throws -> String {
    guard case .added(let name) = outcome else {
      Issue.record("\(outcome)")
      throw FileError(.create, "\(outcome)", code: 0)
    }
    return name
  }

  @Test("is a duplicate that says what it has more, and takes the place of the session when asked to")
  func pauses() async throws {
    let recorded = try RecordedHistory()
    let old = try name(await add(run(), to: recorded, person: "anna", age: 30))
    let gains: [WorkoutGain] = [.pauses(more: .seconds(60))]
    #expect(
      try await add(run(timer: 240), to: recorded) == .outdone(sessionID: old, gains: gains, obstacle: nil))
    let outcome = try await add(run(timer: 240), to: recorded, replacing: true)
    guard case .replaced(let new, old) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    let sessions = try await recorded.history.sessions(History.Filter())
    #expect(sessions.map(\.sessionID) == [new])
    #expect(sessions.map(\.active) == [.seconds(240)])
    #expect(sessions.map(\.person) == ["anna"], "whose it is was said once")
    let manifest = try SessionFolderRecording(path: recorded.path(new)).manifest
    #expect(manifest.request.profile.ageYears == 30, "it is judged as it was")
    #expect(try await recorded.history.check { _ in } == [])
    for replacing in [false, true] {
      #expect(try await add(run(timer: 240), to: recorded, replacing: replacing) == .duplicate(sessionID: new))
      #expect(try await add(run(), to: recorded, replacing: replacing) == .duplicate(sessionID: new))
    }
    await recorded.history.close()
  }

  @Test("says how many readings more there are, and not how many seconds they were held")
  func words() {
    #expect(WorkoutGain.heartRates(more: 108).words == "108 more readings of the heart rate")
    #expect(WorkoutGain.positions(more: 20).words == "20 more positions")
  }

  @Test("is one by heart rates before pauses, and by pauses before positions", arguments: [false, true])
  func order(isReplacing: Bool) async throws {
    let recorded = try RecordedHistory()
    let poor = try name(await add(run(heartRates: false), to: recorded))
    let first = try await add(run(), to: recorded, replacing: isReplacing)
    let session: String
    switch (first, isReplacing) {
    case (.outdone(poor, [.heartRates(more: 241)], nil), false): session = poor
    case (.replaced(let new, poor), true): session = new
    default:
      Issue.record("\(first)")
      return
    }
    if isReplacing {
      try await weighPausesAndPositions(after: session, in: recorded)
    } else {
      #expect(try await recorded.history.sessions(History.Filter()).map(\.sessionID) == [poor])
    }
    await recorded.history.close()
  }

  /// Pauses weigh more than positions: each of the two has what the other lacks.
  private func weighPausesAndPositions(after session: String, in recorded: RecordedHistory) async throws {
    let second = try await add(run(timer: 240, positions: false), to: recorded, replacing: true)
    guard case .replaced(let best, session) = second else {
      Issue.record("\(second)")
      return
    }
    let third = try await add(run(), to: recorded, replacing: true)
    #expect(
      third == .outdone(sessionID: best, gains: [.positions(more: 241)], obstacle: .betterOtherwise), "\(third)")
    #expect(try await recorded.history.sessions(History.Filter()).map(\.sessionID) == [best])
  }

  @Test("never takes the place of a longer session, nor of one that was recorded live or drawn")
  func obstacles() async throws {
    let recorded = try RecordedHistory()
    let whole = try name(await add(run(), to: recorded))
    let part = try await add(run(timer: 140, until: 200), to: recorded, replacing: true)
    #expect(
      part
        == .outdone(
          sessionID: whole, gains: [.pauses(more: .seconds(60))], obstacle: .betterOtherwise), "\(part)")
    let trace = try #require(try WorkoutTrace(of: Recording(path: recorded.folder.write(run(), "run.tcx"))))
    let source = SessionManifest.Source(file: "run.tcx", format: "tcx", device: nil)
    func known(
      _ source: SessionManifest.Source?, _ origin: SessionOrigin? = nil, recognizedOnly: ReplacementObstacle? = nil
    ) throws -> KnownWorkout {
      let manifest = SessionManifest(
        sessionID: "a", start: .morning(), utcOffsetSeconds: 0, request: try .runner("z2", "moment:every=30"),
        streams: [.heartRate], durationLimit: nil, person: nil, origin: origin, source: source, randomization: nil)
      return KnownWorkout(
        sessionID: "a", manifest: manifest, gains: trace.gains(over: trace) + [.distance], isOutdone: true,
        recognizedOnly: recognizedOnly)
    }
    #expect(try known(nil).obstacle == .recordedLive)
    #expect(try known(nil, .live).obstacle == .recordedLive)
    // A recording that was played and a virtual runner have no source, and nobody heard their cues.
    #expect(try known(nil, .imported).obstacle == nil)
    #expect(try known(nil, .simulated).obstacle == nil)
    #expect(try known(source).obstacle == nil)
    let recognized = ReplacementObstacle.recognized(hasMotion: true)
    #expect(try known(source, recognizedOnly: recognized).obstacle == recognized)
    #expect(try known(nil, recognizedOnly: recognized).obstacle == .recordedLive)
    let both = try [known(source), known(source)]
    let several = try await recorded.history.change { try $0.outcome(of: both, replacing: true) }
    #expect(several == .outdone(sessionID: "a", gains: [.distance], obstacle: .several(count: 2)))
    #expect(try await recorded.history.sessions(History.Filter()).map(\.sessionID) == [whole])
    await recorded.history.close()
  }

  @Test("gets what was put on the session afterwards: note, tags, and labels at the same times of the day")
  func annotations() async throws {
    let recorded = try RecordedHistory()
    let old = try name(await add(run(), to: recorded))
    _ = try await recorded.history.editNotes(of: old) { notes in
      notes.write(note: "windy")
      _ = notes.change(adding: ["race"], removing: [])
    }
    try await recorded.history.label(old, "strides", from: .seconds(10), until: .seconds(40))
    try await recorded.history.label(old, "uphill", from: .seconds(200), until: .seconds(300))
    let outcome = try await add(run(timer: 240), to: recorded, replacing: true)
    guard case .replaced(let new, old) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(try SessionNotes.read(in: recorded.path(new)).note == "windy")
    #expect(try SessionNotes.read(in: recorded.path(new)).tags == ["race"])
    let labels = try SessionFolderRecording(path: recorded.path(new)).labels()
    #expect(
      labels == [
        RecordedLabel("strides", at: .seconds(10)), RecordedLabel("", at: .seconds(40)),
        RecordedLabel("uphill", at: .seconds(200)), RecordedLabel("", at: .seconds(300)),
      ])
    var filter = SessionSearch()
    filter.text = "uphill"
    #expect(try await recorded.history.sessions(History.Filter(), filter).map(\.sessionID) == [new])
    #expect(try await recorded.history.check { _ in } == [])
    let before = try recorded.dump()
    _ = try await recorded.history.rebuild { _ in }
    #expect(try recorded.dump() == before)
    await recorded.history.close()
  }

  @Test("Labels keep their time of the day where the other session begins later or ends earlier")
  func shiftedLabels() throws {
    let folder = try ScratchFolder()
    func session(_ name: String, start: Double, rows: [(Int, String)]) throws -> SessionFolderRecording {
      let start = WallClockTime.morning(start)
      let manifest = SessionManifest(
        sessionID: SessionFolder.name(start: start, activity: .running, random: 1), start: start, utcOffsetSeconds: 0,
        request: try .runner("z2", "moment:every=30"), streams: [.heartRate], durationLimit: nil, person: nil,
        origin: .imported, inputs: [], randomization: nil)
      let recorder = try SessionRecorder(folder: StoredPath(dataFolder: folder.path) + "/" + name, manifest: manifest)
      for (second, text) in rows { recorder.append(label: RecordedLabel(text, at: .seconds(second))) }
      try recorder.flush()
      return try SessionFolderRecording(path: recorder.folder)
    }
    let old = try session("old", start: 0, rows: [(5, "a"), (20, "b"), (30, ""), (90, "c")])
    let new = try session("new", start: 10, rows: [(0, "own")])
    // It begins 10 s later and lasts 85 s: "a" is from −5 to 10, "b" from 10 to 20, "c" from 80 on.
    #expect(try SessionLabels.carry(from: (old, .seconds(100)), to: (new, .seconds(85))))
    #expect(
      try new.labels() == [
        RecordedLabel("a", at: .zero), RecordedLabel("b", at: .seconds(10)), RecordedLabel("own", at: .seconds(20)),
        RecordedLabel("c", at: .seconds(80)), RecordedLabel("own", at: .seconds(85)),
      ])
    #expect(try !SessionLabels.carry(from: (old, .seconds(100)), to: (new, .seconds(85))), "once is enough")
  }

  @Test("A FIT file of which an earlier program did not read the beats is the same workout, and can bring them")
  func beats() async throws {
    func fit(withBeats: Bool) -> [UInt8] {
      var file = FITBuilder()
      file.define(0, message: 0, [.init(0, .enumeration)])
      file.message(0, [4])
      file.define(1, message: 20, [.init(253, .uint32), .init(3, .uint8)])
      file.define(2, message: 78, [.init(0, .uint16, count: 2)])
      for second in 0..<120 {
        file.message(1, [.integer(1_000_000_000 + second), .integer(120 + second % 17)])
        if withBeats { file.message(2, [.list([500, 480])]) }
      }
      return file.file()
    }
    let recorded = try RecordedHistory()
    // What the earlier program stored: the same file without its beats, with an identity of its own.
    let old = try name(await add(fit(withBeats: false), to: recorded))
    #expect(try SessionFolderRecording(path: recorded.path(old)).manifest.streams == [.heartRate])
    let again = try await add(fit(withBeats: true), to: recorded)
    #expect(again == .outdone(sessionID: old, gains: [.beats], obstacle: nil), "\(again)")
    #expect(try await recorded.history.sessions(History.Filter()).map(\.sessionID) == [old])
    let replaced = try await add(fit(withBeats: true), to: recorded, replacing: true)
    guard case .replaced(let new, old) = replaced else {
      Issue.record("\(replaced)")
      return
    }
    #expect(try SessionFolderRecording(path: recorded.path(new)).manifest.streams.contains(.rrInterval))
    for bytes in [fit(withBeats: false), fit(withBeats: true)] {
      #expect(try await add(bytes, to: recorded) == .duplicate(sessionID: new))
    }
    await recorded.history.close()
  }

  @Test("is the same one of somebody where the session is nobody's, but not one that lacks a part of it")
  func person() async throws {
    let recorded = try RecordedHistory()
    let old = try name(await add(run(), to: recorded))
    #expect(try await add(run(), to: recorded) == .duplicate(sessionID: old))
    let again = try await add(run(), to: recorded, person: "anna")
    #expect(again == .outdone(sessionID: old, gains: [.person], obstacle: nil))
    let shorter = try await add(run(until: 280), to: recorded, replacing: true, person: "anna")
    #expect(shorter == .outdone(sessionID: old, gains: [.person], obstacle: .betterOtherwise))
    let replaced = try await add(run(), to: recorded, replacing: true, person: "anna")
    guard case .replaced(let new, old) = replaced else {
      Issue.record("\(replaced)")
      return
    }
    let sessions = try await recorded.history.sessions(History.Filter())
    #expect(sessions.map(\.sessionID) == [new])
    #expect(sessions.map(\.person) == ["anna"])
    #expect(try await add(run(), to: recorded, person: "anna") == .duplicate(sessionID: new))
    #expect(try await add(run(), to: recorded) == .duplicate(sessionID: new))
    // Somebody else's session is never in the way.
    _ = try name(await add(run(), to: recorded, person: "ben"))
    await recorded.history.close()
  }

  @Test("makes a session that was recorded live as nobody's somebody's, and changes nothing else of it")
  func liveOfNobody() async throws {
    let recorded = try RecordedHistory()
    let lines = (0..<120).map { #"{"type":"heartRate","atSeconds":\#($0),"beatsPerMinute":\#(110 + $0 % 25)}"# }
    let live = try await recorded.record(lines, .runner("z2", "moment:every=30"), digits: 1, origin: .live)
    func files() throws -> [String: [UInt8]] {
      var files: [String: [UInt8]] = [:]
      for name in try FileSystem.list(recorded.path(live)) {
        files[name] = try POSIXFile(reading: recorded.path(live) + "/" + name).readAll(maximumBytes: 1 << 20)
      }
      return files
    }
    let before = try files()
    let recording = try SessionFolderRecording(path: recorded.path(live))
    let start = recording.manifest.start.nanoseconds / 1_000_000_000
    let csv = "time,hr\n" + (0..<120).map { "\(start + Int64($0)),\(110 + $0 % 25)\n" }.joined()
    let person = SessionPerson(name: "anna", profileID: ProfileID(String(repeating: "a", count: 32)), provenance: [])
    func add(_ person: SessionPerson?, replacing: Bool) async throws -> ImportOutcome {
      var request = ImportRequest(try .runner("z1", "moment:every=60"), person: person)
      request.replaces = replacing
      return try await recorded.history.add(Recording(path: recorded.folder.write(csv, "run.csv")), request)
    }
    #expect(
      try await add(person, replacing: false)
        == .outdone(sessionID: live, gains: [.person], obstacle: .recordedLive))
    #expect(try files() == before)
    #expect(try await add(person, replacing: true) == .assigned(sessionID: live))
    #expect(ImportOutcome.assigned(sessionID: live).status == "duplicate")
    let entries = try await recorded.history.sessions(History.Filter())
    #expect(entries.map(\.sessionID) == [live])
    #expect(entries.map(\.person) == ["anna"])
    #expect(entries.first?.profileID == person.profileID)
    var after = try files()
    let manifest = try SessionFolderRecording(path: recorded.path(live)).manifest
    #expect(manifest.who == person)
    #expect(manifest.request == recording.manifest.request)
    let text = String(decoding: after["manifest.json"] ?? [], as: UTF8.self)
    let profileID = String(repeating: "a", count: 32)
    let added = "  \"person\": \"anna\",\n  \"profileID\": \"\(profileID)\",\n"
    #expect(text.replacing(added, with: "") == String(decoding: before["manifest.json"] ?? [], as: UTF8.self))
    after["manifest.json"] = before["manifest.json"]
    #expect(after == before, "logs, decisions and totals stay")
    #expect(try await recorded.history.check { _ in } == [])
    // It is somebody's now, and in nobody's way.
    #expect(try await add(person, replacing: true) == .duplicate(sessionID: live))
    let ben = SessionPerson(name: "ben", profileID: nil, provenance: [])
    _ = try name(await add(ben, replacing: true))
    await recorded.history.close()
  }

  @Test("keeps the activity that was known where the file states none, and otherwise takes that of the file")
  func activity() async throws {
    let recorded = try RecordedHistory()
    let old = try name(await add(run(), to: recorded))
    #expect(old.contains("-running-"))
    guard case .replaced(let new, old) = try await add(run(timer: 240, sport: "Other"), to: recorded, replacing: true)
    else {
      Issue.record("not replaced")
      return
    }
    #expect(new.contains("-running-"), "\(new)")
    await recorded.history.close()
  }

  @Test("is of another kind where somebody says so, even other")
  func saidOther() async throws {
    let recorded = try RecordedHistory()
    let old = try name(await add(run(), to: recorded))
    var request = ImportRequest(try .runner("z2", "moment:every=30"), person: nil)
    request.replaces = true
    request.takesSport = false
    let better = try Recording(path: recorded.folder.write(run(timer: 240), "run.tcx"))
    guard case .replaced(let new, old) = try await recorded.history.add(better, request) else {
      Issue.record("not replaced")
      return
    }
    let manifest = try SessionFolderRecording(path: recorded.path(new)).manifest
    #expect(manifest.request.activity == .unlabelled)
    await recorded.history.close()
  }

  @Test("keeps what was asked of a session of nobody", arguments: [nil, "anna"])
  func askedOfNobody(person: String?) async throws {
    let recorded = try RecordedHistory()
    let old = try name(await add(run(), to: recorded))
    var coaching = CoachingRequest()
    coaching.profile.ageYears = 23
    var request = ImportRequest(coaching, person: person.map(SessionPerson.init(named:)))
    request.replaces = true
    let better = try Recording(path: recorded.folder.write(run(timer: 240), "run.tcx"))
    guard case .replaced(let new, old) = try await recorded.history.add(better, request) else {
      Issue.record("not replaced")
      return
    }
    let manifest = try SessionFolderRecording(path: recorded.path(new)).manifest
    #expect(manifest.request.target == "z2")
    #expect(manifest.request.strategy.specification == "moment:every=30")
    #expect(manifest.who?.name == person)
    await recorded.history.close()
  }

  @Test("says which options have no effect on the session that stays, or that stays its person's")
  func unheeded() async throws {
    let recorded = try RecordedHistory()
    let said = Mutex<[String]>([])
    func add(
      _ bytes: [UInt8], replacing: Bool = true, person: String? = nil
    ) async throws -> ImportOutcome {
      var coaching = CoachingRequest()
      coaching.profile.ageYears = 40
      var request = ImportRequest(coaching, person: person.map(SessionPerson.init(named:)))
      request.replaces = replacing
      request.notice = { id, line in said.withLock { $0.append("\(id) \(line)") } }
      request.unheeded = { kept, isReplaced in
        kept.request.profile.ageYears == 40 ? [] : ["--age 40"] + (isReplaced ? [] : ["--activity walking"])
      }
      return try await recorded.history.add(Recording(path: recorded.folder.write(bytes, "run.tcx")), request)
    }
    func lines() -> [String] {
      said.withLock { lines in
        defer { lines = [] }
        return lines
      }
    }
    let old = try name(await self.add(run(), to: recorded, person: "anna", age: 30))
    #expect(try await add(run(), replacing: false) == .duplicate(sessionID: old))
    #expect(lines() == [], "nobody wants to replace it")
    #expect(try await add(run()) == .duplicate(sessionID: old))
    let stays = "not judged by --age 40, --activity walking: the session that is there is judged as it was; "
    #expect(lines() == ["\(old) \(stays)once it is deleted another import judges it by them"])
    guard case .replaced(let new, old) = try await add(run(timer: 240)) else {
      Issue.record("not replaced")
      return
    }
    let annas = "not judged by --age 40: the session stays one of anna, who is not named, and is judged as it was; "
    #expect(lines() == ["\(new) \(annas)--profile anna makes them count"])
    // Somebody who names her has it judged anew.
    _ = try name(await self.add(run(), to: recorded, person: "ben", age: 30))
    guard case .replaced(let bens, _) = try await add(run(timer: 240), person: "ben") else {
      Issue.record("not replaced")
      return
    }
    #expect(lines() == [])
    let anew = try SessionFolderRecording(path: recorded.path(bens)).manifest.request
    #expect(anew.profile.ageYears == 40)
    #expect(anew.target == "z2", "what was asked of it, where nothing else is")
    #expect(anew.strategy.specification == "moment:every=30")
    await recorded.history.close()
  }

  @Test("keeps the silences of a session of nobody but for what somebody says of them")
  func silences() async throws {
    let recorded = try RecordedHistory()
    var coaching = try CoachingRequest.runner("z2", "moment:every=30")
    coaching.guardrails = try Guardrails(warmUp: .seconds(10), minimumInterval: .zero, grace: .seconds(60))
    let first = ImportRequest(coaching, person: nil)
    let old = try name(
      await recorded.history.add(Recording(path: recorded.folder.write(run(), "run.tcx")), first))
    var empty = CoachingRequest()
    empty.profile.ageYears = 23
    var request = ImportRequest(empty, person: nil)
    request.replaces = true
    request.silences = { coaching in
      coaching.guardrails = try Guardrails(
        warmUp: coaching.guardrails.warmUp, minimumInterval: .zero, grace: .zero)
    }
    let better = try Recording(path: recorded.folder.write(run(timer: 240), "run.tcx"))
    guard case .replaced(let new, old) = try await recorded.history.add(better, request) else {
      Issue.record("not replaced")
      return
    }
    let kept = try SessionFolderRecording(path: recorded.path(new)).manifest.request
    #expect(kept.target == "z2")
    #expect(kept.guardrails.warmUp == .seconds(10))
    #expect(kept.guardrails.grace == .zero)
    await recorded.history.close()
  }

  @Test("says how a session of nobody becomes somebody's where the file cannot take its place")
  func wayOut() {
    let words = "--replace with the file that the session is made of makes it this person's"
    func reason(_ gain: WorkoutGain, _ obstacle: ReplacementObstacle) -> String? {
      ImportOutcome.outdone(sessionID: "a", gains: [gain], obstacle: obstacle).reason
    }
    #expect(reason(.person, .betterOtherwise)?.hasSuffix(words) == true)
    let live = "it was recorded live, and its cues are in no file"
    #expect(reason(.person, .recordedLive)?.hasSuffix(live + "; --replace makes it this person's") == true)
    #expect(reason(.distance, .recordedLive)?.hasSuffix(live) == true)
    #expect(reason(.person, .recordedLiveElsewhere)?.hasSuffix(live) == true)
    #expect(reason(.distance, .betterOtherwise)?.hasSuffix("has what this file lacks") == true)
    let recognized = "the session stays, for it has what a model recognised"
    #expect(
      reason(.distance, .recognized(hasMotion: true))?
        .hasSuffix(recognized + "; --replace with --recognize puts this file in its place") == true)
    #expect(
      reason(.distance, .recognized(hasMotion: false))?.hasSuffix(recognized + ", and this file has no motion") == true)
  }

  @Test("finishes a replacement that was cut off between the new session and the deletion of the old one")
  func cutOff() async throws {
    let recorded = try RecordedHistory()
    let old = try name(await add(run(), to: recorded))
    let copy = recorded.folder.path + "/copy"
    try FileManager.default.copyItem(atPath: recorded.path(old), toPath: copy)
    guard case .replaced(let better, old) = try await add(run(timer: 240), to: recorded, replacing: true) else {
      Issue.record("not replaced")
      return
    }
    // The old one is there again, as if its deletion had not begun.
    try FileSystem.rename(copy, to: recorded.path(old))
    try await recorded.history.add(old)
    #expect(try await recorded.history.sessions(History.Filter()).count == 2)
    #expect(try await add(run(timer: 240), to: recorded, replacing: true) == .duplicate(sessionID: better))
    #expect(try await recorded.history.sessions(History.Filter()).map(\.sessionID) == [better])
    #expect(try await recorded.history.check { _ in } == [])
    await recorded.history.close()
  }
}
