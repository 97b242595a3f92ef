import Foundation
@testable import Recordings
@testable import SessionStore
import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutExports
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("The names of people")
struct PersonNamesTests {
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

  /// The beginning of an identity, as tables show it.
  private func mark(_ seed: UInt64) -> String { "(\(id(seed).description.prefix(8)))" }

  private func create(_ name: String, seed: UInt64) throws -> SessionPerson {
    var profile = StoredProfile(id: id(seed), name: name)
    profile.birthDate = CivilDate(year: 1990, month: 5, day: 17)
    try store.create(profile)
    return SessionPerson(name: name, profileID: id(seed), provenance: [])
  }

  /// Adds a run of ten minutes and 1,200 m that begins some seconds after others.
  private func add(_ start: Int, _ person: SessionPerson?) async throws {
    let rows = (0..<600).map { second in
      "\(1_700_000_000 + start + second),\(110 + second % 25),\(52 + Double(second) * 2 / 111_200),13\n"
    }
    let file = try recorded.folder.write("time,hr,latitude,longitude\n" + rows.joined(), "\(start).csv")
    let request = ImportRequest(try .runner("z2", "moment:every=30"), person: person)
    guard case .added = try await recorded.history.add(Recording(path: file), request) else {
      throw RecordingError(path: file, problem: "it was not added")
    }
  }

  /// What a list calls the people of all sessions, the newest first.
  private func listed() async throws -> [String?] {
    try await recorded.history.lines(History.Filter(), into: [SessionLine]()) { $0.append($1) }.map(\.personLabel)
  }

  private func text(of path: String) throws -> String {
    String(decoding: try POSIXFile(reading: path).readAll(maximumBytes: 1 << 20), as: UTF8.self)
  }

  @Test("that several have are distinguished in tables by the identity of a profile that is gone, and stay in records")
  func namesakes() async throws {
    try await add(0, create("anna", seed: 1))
    try await add(100_000, create("ben", seed: 9))
    try store.remove("anna", keepsName: true)
    #expect(try await listed() == ["ben", "anna"], "nobody else has the name")
    try await add(200_000, create("anna", seed: 2))
    try store.remove("anna", keepsName: true)
    #expect(try await listed() == ["anna \(mark(2))", "ben", "anna \(mark(1))"])
    try await add(300_000, create("anna", seed: 3))
    try await add(400_000, nil)
    #expect(try await listed() == [nil, "anna", "anna \(mark(2))", "ben", "anna \(mark(1))"])

    let entries = try await recorded.history.sessions(History.Filter())
    #expect(entries.map(\.person) == [nil, "anna", "anna", "ben", "anna"])
    #expect(entries.map(\.line.personLabel) == (try await listed()))

    let all = WallClockTime(nanoseconds: 0)..<WallClockTime(nanoseconds: .max)
    let hours = try await recorded.history.hoursOfEach(in: all, person: nil)
    let annas = Set(["anna", "anna \(mark(1))", "anna \(mark(2))"])
    #expect(Set(hours.compactMap(\.label)) == annas.union(["ben"]))
    #expect(Set(hours.map(\.person)) == [nil, "anna", "ben"])

    let records = try await recorded.history.records(History.Filter(), activity: nil)
    #expect(Set(records.compactMap(\.personLabel)) == annas.union(["ben"]))
    // Those of one stand together, so that a table of each can be made.
    let groups = records.map { $0.personLabel ?? "nobody" }.reduce(into: [String]()) { groups, label in
      if groups.last != label { groups.append(label) }
    }
    #expect(groups.count == 5, "\(groups)")
    await recorded.history.close()
  }

  @Test("of one person whose profile is gone are one, also in sessions from before profiles had an identity")
  func former() async throws {
    let text = #"{"version":1,"name":"anna","profile":{"birthDate":"1990-05-17"}}"#
    try FileSystem.createFolder(store.folder)
    try write(text, to: store.path(of: "anna"))
    try await add(0, SessionPerson(named: "anna"))
    _ = try store.change("anna", id: id(1)) { $0.sex = .female }
    let today = try #require(CivilDate(iso8601: "2026-01-01"))
    try await add(100_000, store.profile(named: "anna").on(today).person)
    try store.remove("anna", keepsName: true)
    #expect(try await listed() == ["anna", "anna"])
    #expect(try await recorded.history.peopleCount(History.Filter()) == 1)
    try await add(200_000, create("anna", seed: 2))
    #expect(try await listed() == ["anna", "anna \(mark(1))", "anna \(mark(1))"])
    #expect(try await recorded.history.peopleCount(History.Filter()) == 2)
    await recorded.history.close()
  }

  @Test("in exports are those of today, and nothing else of a manifest is another")
  func exports() async throws {
    try await add(0, create("anna", seed: 1))
    let entry = try #require(try await recorded.history.sessions(History.Filter()).first)
    let manifest = recorded.path(entry.sessionID) + "/manifest.json"
    let before = try text(of: manifest)
    try store.rename("anna", to: "carla", id: id(1)) { _, _ in }
    let path = recorded.folder.path + "/out"
    _ = try await recorded.history.export(personNamed: "carla", toFolder: path) { _ in }
    let exported = try text(of: path + "/sessions/" + entry.sessionID + "/manifest.json")
    #expect(exported == before.replacing(#""person": "anna""#, with: #""person": "carla""#))
    #expect(exported != before)
    #expect(try text(of: manifest) == before, "the session itself says what was true on its day")

    let today = try #require(try await recorded.history.sessions(History.Filter()).first)
    let document = try #require(try await recorded.history.exported(today, as: .json, hidingEndsWithin: nil))
    let bytes = try document.file.read(at: 0, count: document.file.count)
    let value = try JSONValue.parse(bytes.span)
    #expect(value["manifest"]?["person"]?.string == "carla")
    #expect(value["manifest"]?["profileID"]?.string == id(1).description)
    await recorded.history.close()
  }

  @Test("of those whose profiles are gone are in a backup")
  func backup() async throws {
    try await add(0, create("anna", seed: 1))
    try store.rename("anna", to: "carla", id: id(1)) { _, _ in }
    try store.remove("carla", keepsName: true)
    var bytes: [UInt8] = []
    _ = try recorded.history.backup(
      to: { piece in for index in piece.indices { bytes.append(piece[index]) } }, { _ in })
    let restored = try ScratchFolder()
    let archive = try restored.write(bytes, "backup.tar.gz")
    #expect(try unpacked(archive, into: restored.path))
    let history = History(dataFolder: restored.path)
    _ = try await history.rebuild { _ in }
    #expect(try await history.sessions(History.Filter()).map(\.person) == ["carla"])
    await history.close()
    await recorded.history.close()
  }

  private func unpacked(_ archive: String, into folder: String) throws -> Bool {
    let tar = Process()
    tar.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    tar.arguments = ["tar", "-xzf", archive, "-C", folder]
    try tar.run()
    tar.waitUntilExit()
    try FileSystem.remove(archive)
    return tar.terminationStatus == 0
  }
}
