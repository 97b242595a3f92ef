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

@Suite("The data of a person")
struct PersonDataTests {
  private let recorded: RecordedHistory
  private let store: ProfileStore

  init() throws {
    recorded = try RecordedHistory()
    store = ProfileStore(dataFolder: recorded.folder.path)
  }

  private func id(_ seed: UInt64) -> ProfileID {
    var random = SplitMix64(seed: seed)
    return ProfileID.random(using: &random)
  }

  private func create(_ name: String, seed: UInt64) throws -> SessionPerson {
    var profile = StoredProfile(id: id(seed), name: name)
    profile.birthDate = CivilDate(year: 1990, month: 5, day: 17)
    try store.create(profile)
    return SessionPerson(name: name, profileID: id(seed), provenance: [])
  }

  private func csv(_ start: Int, _ shift: Int = 0) -> String {
    "time,hr\n" + (0..<120).map { "\(1_700_000_000 + start + $0),\(110 + ($0 + shift) % 25)\n" }.joined()
  }

  @discardableResult
  private func add(_ text: String, _ person: SessionPerson?) async throws -> ImportOutcome {
    let request = ImportRequest(try .runner("z2", "moment:every=30"), person: person)
    return try await recorded.history.add(Recording(path: recorded.folder.write(text, "file.csv")), request)
  }

  private func sessions(_ name: String?) async throws -> [String] {
    var filter = History.Filter()
    filter.person = name
    let entries = try await recorded.history.sessions(filter)
    let lines = try await recorded.history.lines(filter, into: [SessionLine]()) { $0.append($1) }
    #expect(lines == entries.map(\.line), "what is read for a list is part of what is read for an entry")
    return entries.map {
      "\($0.person ?? "-") \($0.start.wholeSeconds - 1_700_000_000)"
    }
  }

  @Test("stays theirs under another name: in lists, totals, hours and the search for duplicates, also of version 1")
  func rename() async throws {
    let text = #"{"version":1,"name":"anna","profile":{"birthDate":"1990-05-17"}}"#
    try FileSystem.createFolder(store.folder)
    try write(text, to: store.path(of: "anna"))
    let today = try #require(CivilDate(iso8601: "2026-01-01"))
    try await add(csv(0), SessionPerson(named: "anna"))
    _ = try store.change("anna", id: id(1)) { $0.sex = .female }
    try await add(csv(10_000), store.profile(named: "anna").on(today).person)
    try await add(csv(20_000), try create("ben", seed: 2))
    try await add(csv(30_000), nil)
    let before = try recorded.dump()
    try store.rename("anna", to: "carla", id: id(3)) { _, _ in }
    #expect(try recorded.dump() == before, "the index has nothing to do with it")
    #expect(try await sessions(nil) == ["- 30000", "ben 20000", "carla 10000", "carla 0"])
    #expect(try await sessions("carla") == ["carla 10000", "carla 0"])
    #expect(try await sessions("anna").isEmpty)
    #expect(try await sessions("ben") == ["ben 20000"])
    let all = WallClockTime(nanoseconds: 0)..<WallClockTime(nanoseconds: .max)
    #expect(try await recorded.history.totals(in: all, person: "carla").sessions == 2)
    #expect(try await recorded.history.newestHour(person: "carla")?.wholeSeconds == 1_700_010_000 / 3_600 * 3_600)
    let carla = try store.profile(named: "carla").on(today).person
    for start in [0, 10_000] {
      guard case .duplicate = try await add(csv(start), carla) else {
        throw RecordingError(path: "\(start)", problem: "twice")
      }
    }
    guard case .added = try await add(csv(0), SessionPerson(name: "ben", profileID: id(2), provenance: [])) else {
      throw RecordingError(path: "0", problem: "the workout of another person refused it")
    }
    #expect(try await recorded.history.check { _ in } == [])
    try FileSystem.remove(History.path(in: recorded.folder.path))
    await recorded.history.close()
    _ = try await recorded.history.rebuild { _ in }
    #expect(try await sessions("carla") == ["carla 10000", "carla 0"], "the folders hold it all")
    await recorded.history.close()
  }

  @Test("keeps the last name when the profile goes, also of sessions from before profiles had one, until it is erased")
  func lastName() async throws {
    let text = #"{"version":1,"name":"anna","profile":{"birthDate":"1990-05-17"}}"#
    try FileSystem.createFolder(store.folder)
    try write(text, to: store.path(of: "anna"))
    let today = try #require(CivilDate(iso8601: "2026-01-01"))
    try await add(csv(0), SessionPerson(named: "anna"))
    _ = try store.change("anna", id: id(1)) { $0.sex = .female }
    try await add(csv(10_000), store.profile(named: "anna").on(today).person)
    try store.rename("anna", to: "carla", id: id(3)) { _, _ in }
    try store.remove("carla", keepsName: true)
    #expect(try await sessions(nil) == ["carla 10000", "carla 0"])
    #expect(try await sessions("carla") == ["carla 10000", "carla 0"])
    #expect(try await sessions("anna").isEmpty)

    // Somebody else may be called so now, and has the sessions of nobody else.
    try await add(csv(20_000), try create("anna", seed: 4))
    #expect(try await sessions("anna") == ["anna 20000"])
    #expect(try await recorded.history.check { _ in } == [])

    #expect(try await recorded.history.erase(personNamed: "carla") { _ in }.sessions == 2)
    #expect(try await sessions(nil) == ["anna 20000"])
    #expect(!FileSystem.exists(FormerPeople.path(in: store.dataFolder)), "the name goes with the sessions")
    await recorded.history.close()
  }

  @Test("is called as on its day where what people were called last cannot be read")
  func unreadableNames() async throws {
    try await add(csv(0), try create("anna", seed: 1))
    try store.rename("anna", to: "carla", id: id(3)) { _, _ in }
    try store.remove("carla", keepsName: true)
    try write("{", to: FormerPeople.path(in: store.dataFolder))
    #expect(try await sessions(nil) == ["anna 0"])
    await recorded.history.close()
  }

  @Test("of somebody new with the name of somebody else is never mixed with theirs")
  func sameName() async throws {
    try await add(csv(0), try create("anna", seed: 1))
    try store.remove("anna", keepsName: true)
    #expect(try await sessions("anna") == ["anna 0"], "nobody else has the name")
    try await add(csv(10_000), try create("anna", seed: 2))
    #expect(try await sessions("anna") == ["anna 10000"])
    guard case .added = try await add(csv(0), SessionPerson(name: "anna", profileID: id(2), provenance: [])) else {
      throw RecordingError(path: "0", problem: "another person's workout refused it")
    }
    await recorded.history.close()
  }

  @Test("is erased without a trace, and that of others stays", arguments: [true, false])
  func erase(hasIndex: Bool) async throws {
    for start in [0, 10_000] { try await add(csv(start), start == 0 ? try create("ben", seed: 2) : nil) }
    let before = try recorded.dump()
    let person = try create("zacharias", seed: 1)
    for start in [0, 5_000, 20_000] { try await add(csv(start, 3), person) }
    try FileSystem.remove(recorded.folder.path + "/file.csv")
    try write("zacharias", to: store.path(of: "zacharias") + ".9.tmp")
    let dataFolder = StoredPath(dataFolder: recorded.folder.path)
    func keepMotion(of name: String) throws {
      let now = WallClockTime(nanoseconds: 1_767_254_400_000_000_000)
      _ = try MotionFolder.keep(Array("walk \(name)".utf8), of: name, "walk", at: now, replacing: [], in: dataFolder)
    }
    try keepMotion(of: "ben")
    try keepMotion(of: "zacharias")
    let annotated = try #require(try await recorded.history.sessionNames(of: PersonKeys(["\(id(1))"])).first)
    _ = try await recorded.history.editNotes(of: annotated) { notes in
      notes.write(note: "uphilltwice")
      _ = notes.change(adding: ["racedayonly"], removing: [])
    }
    try await recorded.history.label(annotated, "stridesonly", from: .seconds(1), until: .seconds(2))
    let tests = ["zacharias", id(1).description, "uphilltwice", "racedayonly", "stridesonly"]
    for text in tests { #expect(try isAnywhere(text, in: recorded.folder.path)) }
    if !hasIndex {
      await recorded.history.close()
      try FileSystem.remove(History.path(in: recorded.folder.path))
    }
    let steps = Mutex<[WorkProgress]>([])
    let report = try await recorded.history.erase(personNamed: "zacharias") { done in steps.withLock { $0.append(done) }
    }
    #expect(report == ErasureReport(sessions: 3, unreadable: 0))
    #expect(steps.withLock { $0 } == (1...3).map { WorkProgress(done: $0, total: 3) })
    for text in tests { #expect(try !isAnywhere(text, in: recorded.folder.path), "\(text)") }
    #expect(try MotionFolder.recordings(of: "ben", "walk", in: dataFolder).count == 1)
    if !hasIndex { _ = try await recorded.history.rebuild { _ in } }
    #expect(try recorded.dump() == before)
    await #expect(throws: ProfileStoreError.missing("zacharias")) {
      try await recorded.history.erase(personNamed: "zacharias") { _ in }
    }
    await recorded.history.close()
  }

  @Test("is not added to by an import that began before the profile was deleted", arguments: [true, false])
  func importedMeanwhile(isErased: Bool) async throws {
    let person = try create("anna", seed: 1)
    var request = ImportRequest(try .runner("z2", "moment:every=30"), person: person)
    request.needsProfile = true
    func read(_ start: Int) throws -> Recording {
      try Recording(path: recorded.folder.write(csv(start), "file.csv"))
    }
    guard case .added = try await recorded.history.add(read(0), request) else {
      throw RecordingError(path: "0", problem: "refused")
    }
    // The import goes on with its next file, by the profile that it read when it began.
    if isErased {
      #expect(try await recorded.history.erase(personNamed: "anna") { _ in }.sessions == 1)
    } else {
      try store.remove("anna", keepsName: true)
    }
    // Somebody else may have the name by now.
    _ = try create("anna", seed: 2)
    let next = try read(10_000)
    await #expect(throws: ProfileStoreError.missing("anna")) { try await recorded.history.add(next, request) }
    #expect(try await sessions("anna").isEmpty)
    #expect(try await sessions(nil).count == (isErased ? 0 : 1))
    #expect(try FileSystem.list(recorded.folder.path + "/importing") == ["lock", "turn"])
    // Renamed they are the same person.
    request = ImportRequest(
      try .runner("z2", "moment:every=30"), person: SessionPerson(name: "anna", profileID: id(2), provenance: []))
    request.needsProfile = true
    try store.rename("anna", to: "carla", id: id(3)) { _, _ in }
    guard case .added = try await recorded.history.add(next, request) else {
      throw RecordingError(path: "10000", problem: "refused")
    }
    #expect(try await sessions("carla") == ["carla 10000"])
    await recorded.history.close()
  }

  @Test("A decision to erase that cannot be read is reported with its file")
  func damagedDecision() async throws {
    try await add(csv(0), nil)
    let erasing = recorded.folder.path + "/erasing"
    try FileSystem.createFolder(erasing)
    try write("\0\0\0", to: erasing + "/erasure")
    let error = await #expect(throws: RecordingError.self) { try await recorded.history.finishErasures() }
    #expect(error?.path == erasing + "/erasure")
    #expect(error.map { "\($0)" }?.hasPrefix(erasing + "/erasure: ") == true)
    await recorded.history.close()
  }

  @Test("whose erasure was cut off goes with the next start", arguments: 0..<4)
  func eraseCutOff(step: Int) async throws {
    try await add(csv(0), nil)
    let before = try recorded.dump()
    let person = try create("zacharias", seed: 1)
    for start in [5_000, 20_000] { try await add(csv(start), person) }
    try FileSystem.remove(recorded.folder.path + "/file.csv")
    let erasing = recorded.folder.path + "/erasing"
    try FileSystem.createFolder(erasing)
    let decision = #"{"version":1,"profile":"zacharias","keys":["\#(id(1))"]}"#
    try write(decision, to: erasing + "/erasure" + (step == 0 ? ".1.tmp" : ""))
    if step > 1 { try store.remove("zacharias", keepsName: false) }
    if step > 2 {
      let names = try await recorded.history.sessionNames(of: PersonKeys(["\(id(1))"]))
      let name = try #require(names.first)
      try await recorded.history.delete(name)
    }
    #expect(recorded.history.hasUnfinishedErasures)
    try await recorded.history.finishErasures()
    #expect(!recorded.history.hasUnfinishedErasures)
    #expect(try isAnywhere("zacharias", in: recorded.folder.path) == (step == 0), "only a whole decision decides")
    if step > 0 { #expect(try recorded.dump() == before) }
    await recorded.history.close()
  }

  @Test("is not erased while a process records them, and nothing of it is gone then")
  func eraseInUse() async throws {
    let person = try create("anna", seed: 1)
    guard case .added(let name) = try await add(csv(0), person) else { return }
    try await add(csv(10_000), person)
    let mark = try SessionMark.make(name, in: recorded.folder.path)
    await #expect(throws: SessionInUse(sessionID: name)) {
      try await recorded.history.erase(personNamed: "anna") { _ in }
    }
    #expect(try await sessions("anna").count == 2)
    #expect(try store.names() == ["anna"])
    #expect(!recorded.history.hasUnfinishedErasures)
    try mark.remove()
    #expect(try await recorded.history.erase(personNamed: "anna", { _ in }).sessions == 2)
    await recorded.history.close()
  }

  @Test("is exported whole and alone, with a table and an explanation")
  func export() async throws {
    let person = try create("anna", seed: 1)
    for start in [0, 10_000] { try await add(csv(start), person) }
    try await add(csv(20_000), try create("secretben", seed: 2))
    try await add(csv(30_000), nil)
    let first = try #require(try await recorded.history.sessionNames(of: PersonKeys(["\(id(1))"])).first)
    _ = try await recorded.history.editNotes(of: first) { notes in
      notes.write(note: "into the wind")
      _ = notes.change(adding: ["race"], removing: [])
    }
    try await recorded.history.label(first, "strides", from: .seconds(1), until: .seconds(2))
    let path = recorded.folder.path + "/out"
    let report = try await recorded.history.export(personNamed: "anna", toFolder: path) { _ in }
    #expect(report == PersonExportReport(sessions: 2, unfinished: []))
    #expect(try FileSystem.list(path) == ["README.txt", "profile.json", "sessions", "sessions.csv"])
    #expect(try !isAnywhere("secretben", in: path))
    #expect(try FileSystem.status(path)?.isReadableByOthers == false)
    let names = try FileSystem.list(path + "/sessions")
    #expect(try await names == recorded.history.sessionNames(of: PersonKeys(["\(id(1))"])))
    for name in names {
      for file in try FileSystem.list(recorded.path(name)) {
        let parts = try [recorded.path(name), path + "/sessions/" + name].map {
          try POSIXFile(reading: $0 + "/" + file).readAll(maximumBytes: 1 << 20)
        }
        #expect(parts[0] == parts[1], "\(name)/\(file)")
      }
    }
    #expect(try text(of: path + "/sessions/" + first + "/notes.json").contains("into the wind"))
    #expect(try text(of: path + "/sessions/" + first + "/labels.csv").contains("strides"))
    let table = try text(of: path + "/sessions.csv").split(separator: "\n")
    try #require(table.count == 3)
    #expect(table[0].hasPrefix("session,start_time,"))
    #expect(table[1].hasPrefix(names[0] + ",2023-11-14T"))
    #expect(Set(table.map { $0.split(separator: ",", omittingEmptySubsequences: false).count }) == [20])
    for column in SessionTable.columns where !column.hasPrefix("minimum") && !column.hasPrefix("maximum") {
      #expect(try text(of: path + "/README.txt").contains(column), "\(column)")
    }
    await #expect(throws: ProfileStoreError.missing("nobody")) {
      try await recorded.history.export(personNamed: "nobody", toFolder: path + "2") { _ in }
    }
    await #expect(throws: FileError.self) {
      try await recorded.history.export(personNamed: "anna", toFolder: path) { _ in }
    }
    await recorded.history.close()
  }

  @Test("of which the export fails leaves nothing", arguments: [false, true])
  func exportFails(isArchive: Bool) async throws {
    let person = try create("anna", seed: 1)
    for start in [0, 10_000] { try await add(csv(start), person) }
    struct Stopped: Error {}
    let before = try FileSystem.list(recorded.folder.path)
    let path = recorded.folder.path + "/out"
    let stop: @Sendable (WorkProgress) throws -> Void = { if $0.done == 2 { throw Stopped() } }
    await #expect(throws: Stopped.self) {
      if isArchive {
        try await recorded.history.export(personNamed: "anna", toArchive: path, replacing: false, stop)
      } else {
        try await recorded.history.export(personNamed: "anna", toFolder: path, stop)
      }
    }
    #expect(try FileSystem.list(recorded.folder.path) == before)
    await recorded.history.close()
  }

  @Test("can be asked for no longer within a long log, and nothing is left of the export", arguments: [false, true])
  func exportEndsWithinALog(isArchive: Bool) async throws {
    try await add(csv(0), create("anna", seed: 1))
    let session = try #require(try await recorded.history.sessionNames(of: PersonKeys(["\(id(1))"])).first)
    // Pieces that no packer makes one of.
    var random = SplitMix64(seed: 3)
    let log = (0..<(2 << 20)).map { _ in UInt8(random.int(0...255)) }
    try FileSystem.writeAtomically(log.span, to: recorded.path(session) + "/motion.csv")
    struct Stopped: Error {}
    let before = try FileSystem.list(recorded.folder.path)
    let path = recorded.folder.path + "/out"
    let calls = Mutex<[Int]>([])
    let stop: @Sendable (WorkProgress) throws -> Void = { progress in
      let count = calls.withLock { calls in
        calls.append(progress.done)
        return calls.count
      }
      if count == 10 { throw Stopped() }
    }
    await #expect(throws: Stopped.self) {
      if isArchive {
        try await recorded.history.export(personNamed: "anna", toArchive: path, replacing: false, stop)
      } else {
        try await recorded.history.export(personNamed: "anna", toFolder: path, stop)
      }
    }
    // None of them came after the only session.
    #expect(calls.withLock { $0 } == Array(repeating: 0, count: 10))
    #expect(try FileSystem.list(recorded.folder.path) == before)
    await recorded.history.close()
  }
}
