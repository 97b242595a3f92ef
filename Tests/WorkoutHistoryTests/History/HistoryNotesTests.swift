import Foundation
import SessionStore
import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Notes, tags and finding sessions")
struct HistoryNotesTests {
  /// Records a run northwards at 3 m/s for some seconds, from a place.
  private static func record(
    _ recorded: RecordedHistory, day: Int, seconds: Int, latitude: Double? = nil, activity: String = "running"
  ) async throws -> String {
    var request = try CoachingRequest.runner("z2", "none")
    request.activity = try #require(Activity(activity))
    let lines = (0...seconds).map { second in
      let minute = (second / 60 < 10 ? "0" : "") + "\(second / 60)"
      let time = "2026-11-0\(day)T07:\(minute):" + (second % 60 < 10 ? "0" : "") + "\(second % 60)Z"
      let beat = #"{"type":"heartRate","time":"\#(time)","beatsPerMinute":130}"#
      guard let latitude else { return beat }
      let north = latitude + Double(second) * 3 / 111_150
      return beat + "\n" + #"{"type":"location","time":"\#(time)","latitude":\#(north),"longitude":23}"#
    }
    return try await recorded.record(lines, request, digits: UInt32(day))
  }

  private static func found(
    _ recorded: RecordedHistory, _ change: (inout SessionSearch) -> Void
  ) async throws -> [String] {
    var search = SessionSearch()
    change(&search)
    return try await recorded.history.sessions(.init(), search).map(\.sessionID)
  }

  @Test(
    "Sessions are found by distance, by where they began, by activity, label, tag and text, and by all of it at once")
  func find() async throws {
    let recorded = try RecordedHistory()
    let short = try await Self.record(recorded, day: 1, seconds: 60, latitude: 46.0)
    let long = try await Self.record(recorded, day: 2, seconds: 200, latitude: 46.001)
    let far = try await Self.record(recorded, day: 3, seconds: 200, latitude: 46.1)
    let indoors = try await Self.record(recorded, day: 4, seconds: 60, activity: "treadmill")
    #expect(try await Self.found(recorded) { _ in } == [indoors, far, long, short])
    #expect(try await Self.found(recorded) { $0.meters = 500...700 } == [far, long])
    #expect(try await Self.found(recorded) { $0.activity = "treadmill" } == [indoors])
    let start = try #require(try await recorded.history.start(of: short))
    #expect(try await Self.found(recorded) { $0.near = .init(start, withinMeters: 300) } == [long, short])
    #expect(try await Self.found(recorded) { $0.near = .init(start, withinMeters: 100) } == [short])
    #expect(try await recorded.history.start(of: indoors) == nil)
    try await recorded.history.label(long, "uphill", from: .seconds(10), until: .seconds(20))
    #expect(try await Self.found(recorded) { $0.label = "uphill" } == [long])
    _ = try await recorded.history.editNotes(of: far) { notes in
      notes.write(note: "Windy Überfahrt")
      _ = notes.change(adding: ["race", "long"], removing: [])
    }
    #expect(try await Self.found(recorded) { $0.tags = ["race", "long"] } == [far])
    #expect(try await Self.found(recorded) { $0.tags = ["RACE", "Long"] } == [far])
    #expect(try await Self.found(recorded) { $0.activity = "TreadMill" } == [indoors])
    #expect(try await Self.found(recorded) { $0.text = "überf" } == [far])
    #expect(try await Self.found(recorded) { $0.text = "UPHILL" } == [long])
    #expect(try await Self.found(recorded) { $0.text = "tread" } == [indoors])
    let all = try await Self.found(recorded) { search in
      search.text = "windy"
      search.meters = 0...100
    }
    #expect(all.isEmpty)
    // An index that is made from the folders says the same as one that grew.
    let before = try recorded.dump()
    _ = try await recorded.history.rebuild { _ in }
    #expect(try recorded.dump() == before)
    #expect(try await recorded.history.check { _ in }.isEmpty)
    await recorded.history.close()
  }

  @Test("A note stands in a file of its own, goes with the session, and no log is touched")
  func file() async throws {
    let recorded = try RecordedHistory()
    let sessionID = try await recorded.record(seed: 1)
    let folder = recorded.path(sessionID)
    func logs() throws -> [String: String] {
      try Dictionary(
        uniqueKeysWithValues: FileSystem.list(folder).filter { $0 != "notes.json" }.map {
          ($0, try text(of: folder + "/" + $0))
        })
    }
    let before = try logs()
    let notes = try await recorded.history.editNotes(of: sessionID) { notes in
      notes.write(note: "first line\nsecond")
      _ = notes.change(adding: ["b", "a", "b"], removing: ["c"])
    }
    #expect(notes.tags == ["a", "b"])
    #expect(try logs() == before)
    #expect(try permissions(folder + "/notes.json") == 0o600)
    let entry = try #require(try await recorded.history.session(sessionID))
    let detail = try #require(try await recorded.history.detail(of: entry))
    #expect(detail.notes == notes)
    _ = try await recorded.history.editNotes(of: sessionID) { notes in
      notes.write(note: nil)
      _ = notes.change(adding: [], removing: ["a", "b"])
    }
    #expect(!FileManager.default.fileExists(atPath: folder + "/notes.json"))
    _ = try await recorded.history.editNotes(of: sessionID) { $0.write(note: "again") }
    try await recorded.history.delete(sessionID)
    #expect(!FileManager.default.fileExists(atPath: folder))
    #expect(try recorded.dump().isEmpty)
    await recorded.history.close()
  }

  @Test(
    "What was written down while the index could not be changed is in it after the next start, or when it is written again",
    arguments: [true, false], ["tag", "label"])
  func indexBehind(isRepeated: Bool, what: String) async throws {
    let recorded = try RecordedHistory()
    let sessionID = try await Self.record(recorded, day: 1, seconds: 60)
    await recorded.history.close()
    let hasty = History(dataFolder: recorded.folder.path, busyMilliseconds: 0)
    @Sendable func write() async throws {
      switch what {
      case "tag": _ = try await hasty.editNotes(of: sessionID) { _ = $0.change(adding: ["race"], removing: []) }
      default: try await hasty.label(sessionID, "race", from: .seconds(1), until: .seconds(2))
      }
    }
    let other = try Database(path: History.path(in: recorded.folder.path))
    try other.execute("BEGIN IMMEDIATE")
    await #expect(throws: DatabaseError.self) { try await write() }
    try other.execute("ROLLBACK")
    other.close()
    #expect(hasty.hasUnfinishedAnnotations, "what is to be done is marked")
    if isRepeated {
      try await write()
    } else {
      await hasty.close()
      try await recorded.history.finishAnnotations()
    }
    #expect(!recorded.history.hasUnfinishedAnnotations)
    #expect(!FileSystem.exists(recorded.folder.path + "/annotating"))
    let found = try await Self.found(recorded) { search in
      if what == "tag" { search.tags = ["race"] } else { search.label = "race" }
    }
    #expect(found == [sessionID])
    #expect(try await recorded.history.check { _ in } == [])
    await hasty.close()
    await recorded.history.close()
  }

  @Test("What stands in the folder and not in the index comes there when it is written once more, without a mark too")
  func repeated() async throws {
    let recorded = try RecordedHistory()
    let sessionID = try await Self.record(recorded, day: 1, seconds: 60)
    var notes = SessionNotes()
    _ = notes.change(adding: ["race"], removing: [])
    // As a version before there were marks has left it.
    try notes.write(to: StoredPath(dataFolder: recorded.path(sessionID)))
    #expect(try await Self.found(recorded) { $0.tags = ["race"] }.isEmpty)
    _ = try await recorded.history.editNotes(of: sessionID) { _ = $0.change(adding: ["race"], removing: []) }
    #expect(try await Self.found(recorded) { $0.tags = ["race"] } == [sessionID])
    #expect(try await recorded.history.check { _ in } == [])
    await recorded.history.close()
  }

  @Test("A mark of a session that is gone goes, one whose folder somebody holds stays, and a stranger is named")
  func marks() async throws {
    let recorded = try RecordedHistory()
    let sessionID = try await Self.record(recorded, day: 1, seconds: 60)
    let data = StoredPath(dataFolder: recorded.folder.path)
    try FileSystem.createFolder(data + "/annotating")
    let gone = "20260101T070000Z-running-0000000a"
    for name in [sessionID, gone, "photo.jpg"] { try write("", to: data + "/annotating/" + name) }
    guard case .held(let held) = try HeldFolder.take(data + "/sessions/" + sessionID, waitingMilliseconds: 0) else {
      throw RecordedHistory.NotRecorded()
    }
    try await recorded.history.finishAnnotations()
    #expect(try FileSystem.list(data + "/annotating") == [sessionID, "photo.jpg"])
    held.release()
    try await recorded.history.finishAnnotations()
    #expect(try FileSystem.list(data + "/annotating") == ["photo.jpg"])
    #expect(try await recorded.history.check { _ in }.map(\.subject) == ["annotating/photo.jpg"])
    await recorded.history.close()
  }

  @Test("A check that meets somebody who writes something down finds nothing, and what nobody is at it finds")
  func checkedMeanwhile() async throws {
    let recorded = try RecordedHistory()
    let sessionID = try await Self.record(recorded, day: 1, seconds: 60)
    let hasty = History(dataFolder: recorded.folder.path, busyMilliseconds: 0)
    let folder = StoredPath(dataFolder: recorded.folder.path) + "/sessions/" + sessionID
    var notes = SessionNotes()
    _ = notes.change(adding: ["race"], removing: [])
    // The moment between the folder and the index.
    guard case .held(let held) = try HeldFolder.take(folder, waitingMilliseconds: 0) else {
      throw RecordedHistory.NotRecorded()
    }
    try notes.write(to: folder)
    #expect(try await hasty.check { _ in } == [])
    held.release()
    #expect(try await hasty.check { _ in }.map(\.kind) == [.outOfDate])
    try await hasty.add(sessionID)
    #expect(try await hasty.check { _ in } == [])
    await hasty.close()
    await recorded.history.close()
  }

  @Test("A session that is deleted after it was looked up is gone, and nothing is written down or labelled of it")
  func gone() async throws {
    let recorded = try RecordedHistory()
    let sessionID = try await recorded.record(seed: 1)
    let entry = try #require(try await recorded.history.session(sessionID))
    try FileSystem.removeTree(recorded.path(sessionID))
    await #expect(throws: SessionGone(sessionID: sessionID)) {
      try await recorded.history.editNotes(of: entry.sessionID) { $0.write(note: "windy") }
    }
    await #expect(throws: SessionGone(sessionID: sessionID)) {
      try await recorded.history.label(entry.sessionID, "strides", from: .seconds(1), until: .seconds(2))
    }
    #expect(!FileSystem.exists(recorded.path(sessionID)))
    await recorded.history.close()
  }

  @Test(
    "A file of notes that coach did not write so is an error with its path, and is never followed",
    arguments: [
      (#"{"version":1,"type":"notes","note":7}"#, "note"), (#"{"version":2,"type":"notes"}"#, "version"),
      (#"{"version":1,"type":"notes","tags":["a b"]}"#, "tags[0]"), (#"{"version":1,"type":"notes","x":1}"#, "x"),
      ("nothing", "byte"), (#"{"version":1,"type":"notes","note":""}"#, "note"),
    ])
  func hostile(content: String, place: String) throws {
    let folder = try ScratchFolder()
    _ = try folder.write(content, "notes.json")
    let error = #expect(throws: RecordingError.self) {
      try SessionNotes.read(in: StoredPath(dataFolder: folder.path))
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains(place))
  }

  @Test("A link, a folder and a file beyond its size in the place of the notes are refused")
  func places() throws {
    let folder = try ScratchFolder()
    let place = StoredPath(dataFolder: folder.path)
    #expect(try SessionNotes.read(in: place).isEmpty)
    let other = try folder.write(#"{"version":1,"type":"notes","note":"secret"}"#, "other.json")
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/notes.json", withDestinationPath: other)
    #expect(throws: FileError.self) { try SessionNotes.read(in: place) }
    try FileManager.default.removeItem(atPath: folder.path + "/notes.json")
    try FileManager.default.createDirectory(atPath: folder.path + "/notes.json", withIntermediateDirectories: false)
    #expect(throws: FileError.self) { try SessionNotes.read(in: place) }
    try FileManager.default.removeItem(atPath: folder.path + "/notes.json")
    _ = try folder.write(String(repeating: " ", count: 70_000), "notes.json")
    #expect(throws: (any Error).self) { try SessionNotes.read(in: place) }
  }

  @Test("Notes and tags have bounds, and a change beyond them changes nothing")
  func bounds() {
    #expect(SessionNotes.isNote(String(repeating: "ä", count: 2_000)))
    #expect(!SessionNotes.isNote(String(repeating: "a", count: 2_001)))
    #expect(!SessionNotes.isNote(""))
    #expect(!SessionNotes.isNote("bell \u{7}"))
    #expect(SessionNotes.isTag("long_run-2"))
    for tag in ["", "-a", "a b", "a/b", "\u{202E}a", String(repeating: "a", count: 33)] {
      #expect(!SessionNotes.isTag(tag))
    }
    var notes = SessionNotes()
    let fits = notes.change(adding: (0..<32).map { "t\($0)" }, removing: [])
    #expect(fits)
    let isTooMuch = notes.change(adding: ["one-more"], removing: [])
    #expect(!isTooMuch)
    #expect(notes.tags.count == 32)
    let isExchanged = notes.change(adding: ["one-more"], removing: ["t0"])
    #expect(isExchanged)
  }
}
