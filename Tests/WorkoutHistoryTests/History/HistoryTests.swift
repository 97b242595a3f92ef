@testable import SessionStore
import Testing
@testable import TextFormats
@testable import WorkoutHistory
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("The history")
struct HistoryTests {
  private func heartRate(_ second: Int, _ bpm: Int) -> String {
    #"{"type":"heartRate","time":"\#(WallClockTime.morning(Double(second)))","beatsPerMinute":\#(bpm)}"#
  }

  @Test("A session is there with the values of its summary, and as often as it is added just once")
  func entry() async throws {
    let recorded = try RecordedHistory()
    let lines = (0...600).map { heartRate($0, $0 < 300 ? 120 : 140) }
    let sessionID = try await recorded.record(lines, .runner("z2", "moment:every=60"), digits: 7, person: "anna")
    try await recorded.history.add(sessionID)
    let entries = try await recorded.history.sessions(History.Filter())
    #expect(entries.count == 1)
    let entry = try #require(entries.first)
    #expect(entry.sessionID == sessionID)
    #expect(entry.person == "anna")
    #expect(entry.activity == "other")
    #expect(entry.start == .morning())
    #expect(entry.state == .complete)
    #expect(entry.strategy == "moment:every=60")
    #expect(entry.target == "z2")
    #expect(entry.active == .seconds(600))
    #expect(entry.elapsed == .seconds(600))
    // The jump of 20 is believed from its third reading on.
    #expect(entry.inTarget == .seconds(302))
    #expect(entry.compliance == 302.0 / 600)
    #expect(entry.distanceMeters == nil)
    #expect(entry.steps == nil)
    let dump = try recorded.dump()
    #expect(dump.filter { $0.hasPrefix("moment ") }.count == 10)
    #expect(dump.filter { $0.hasPrefix("band ") }.count == 7)
    #expect(dump.filter { $0.hasPrefix("hour ") }.count == 1)
    await recorded.history.close()
  }

  @Test("An index of 0 bytes, which a full disk leaves, is an empty history that is read without writing")
  func empty() async throws {
    let recorded = try RecordedHistory()
    let path = try recorded.folder.write("", "coach.sqlite")
    #expect(try await recorded.history.sessions(History.Filter()).isEmpty)
    #expect(try FileSystem.status(path)?.size == 0)
    let sessionID = try await recorded.record([heartRate(0, 120), heartRate(5, 121)], .runner("z2"), digits: 3)
    try await recorded.history.add(sessionID)
    #expect(try await recorded.history.sessions(History.Filter()).map(\.sessionID) == [sessionID])
    await recorded.history.close()
  }

  @Test("Sessions are listed newest first, by span, person and number")
  func filter() async throws {
    let recorded = try RecordedHistory()
    var names: [String] = []
    for day in 0..<4 {
      let lines = [0, 5].map { heartRate(day * 86_400 + $0, 120) }
      names.append(
        try await recorded.record(lines, .runner(), digits: UInt32(day), person: day.isMultiple(of: 2) ? "anna" : "ben")
      )
    }
    func listed(_ change: (inout History.Filter) -> Void) async throws -> [Int] {
      var filter = History.Filter()
      change(&filter)
      return try await recorded.history.sessions(filter).compactMap { names.firstIndex(of: $0.sessionID) }
    }
    #expect(try await listed { _ in } == [3, 2, 1, 0])
    #expect(try await listed { $0.limit = 2 } == [3, 2])
    #expect(try await listed { $0.person = "ben" } == [3, 1])
    #expect(try await listed { $0.from = .morning(86_400) } == [3, 2, 1])
    #expect(try await listed { $0.until = .morning(86_400) } == [0])
    #expect(try await listed { $0.person = "nobody" } == [])
    let first = try await recorded.history.session(String(names[2].prefix(9)))
    #expect(first?.sessionID == names[2])
    await #expect(throws: RecordingError.self) { try await recorded.history.session("2026") }
    #expect(try await recorded.history.session("2027") == nil)
    await recorded.history.close()
  }

  @Test("A session whose folder is gone leaves nothing in any table, and one that has a folder stays")
  func remove() async throws {
    let recorded = try RecordedHistory()
    let kept = try await recorded.record(seed: 1)
    let before = try recorded.dump()
    let gone = try await recorded.record(seed: 2)
    #expect(try recorded.dump() != before)
    let both = try recorded.dump()
    try await recorded.history.forget(gone)
    #expect(try recorded.dump() == both)
    try FileSystem.removeTree(recorded.path(gone))
    try await recorded.history.forget(gone)
    #expect(try recorded.dump() == before)
    #expect(try await recorded.history.sessions(History.Filter()).map(\.sessionID) == [kept])
    try await recorded.history.forget("nothing")
    await recorded.history.close()
  }

  @Test("A digest is refused for a folder that is not closed, or has another name than its manifest says")
  func notClosed() async throws {
    let recorded = try RecordedHistory()
    let sessionID = try await recorded.record(seed: 5)
    let renamed = recorded.path(sessionID) + "-x"
    try FileSystem.rename(recorded.path(sessionID), to: renamed)
    #expect(throws: RecordingError.self) { try SessionDigest(folder: renamed) }
    try FileSystem.rename(renamed, to: recorded.path(sessionID))
    try FileSystem.remove(recorded.path(sessionID) + "/summary.json")
    #expect(throws: RecordingError.self) { try SessionDigest(folder: recorded.path(sessionID)) }
  }
}
