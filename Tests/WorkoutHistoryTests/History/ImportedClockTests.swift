@testable import Recordings
import SessionStore
import TestSupport
import Testing
import TextFormats
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("The clock and the last stop of an imported FIT file")
struct ImportedClockTests {
  private let heartRates: [FITBuilder.Value] = (0..<120).map { .integer(120 + $0 % 7) }

  private func recording(_ bytes: [UInt8]) throws -> Recording { try Recording(bytes: bytes, name: "run.fit") }

  /// What an import makes of a file: its sessions, the newest first, and why parts of it are refused.
  private func imported(_ bytes: [UInt8]) async throws -> (sessions: [SessionEntry], refusals: [String]) {
    let recorded = try RecordedHistory()
    let recording = try recording(bytes)
    var parts: [Recording] = []
    try recording.forEachActivity(recording.activities) { parts.append($1) }
    var refusals: [String] = []
    for part in parts {
      let request = ImportRequest(try .runner("z2", "none"), person: nil)
      if case .refused(let reason) = try await recorded.history.add(part, request) { refusals.append(reason) }
    }
    let sessions = try await recorded.history.sessions(History.Filter())
    await recorded.history.close()
    return (sessions, refusals)
  }

  @Test("is that of each file of a chain: one without a time of day is refused alone", arguments: [false, true])
  func chain(isRelativeFirst: Bool) async throws {
    let wall = FIT.records(heartRates).file()
    let relative = FIT.records(heartRates, from: 17_217_864).file()
    let (sessions, refusals) = try await imported(isRelativeFirst ? relative + wall : wall + relative)
    #expect(sessions.map(\.start.nanoseconds) == [FIT.wall(FIT.start)])
    #expect(refusals == [RecordingError.noTimeOfDay])
  }

  @Test("is that of the day where the device learned it on the way, or where a record is damaged")
  func setLate() async throws {
    var builder = FIT.records(Array(heartRates.prefix(60)), from: 1_000)
    for second in 60..<120 { builder.message(0, [.integer(FIT.start + second), heartRates[second]]) }
    let late = try await imported(builder.file())
    #expect(late.sessions.map(\.start.nanoseconds) == [FIT.wall(FIT.start)])
    #expect(late.refusals == [])
    var damaged = FIT.records(heartRates)
    damaged.message(0, [0, 0])
    let stray = try await imported(damaged.file())
    #expect(stray.sessions.map(\.start.nanoseconds) == [FIT.wall(FIT.start)])
    #expect(stray.refusals == [])
  }

  @Test("ends the active time where records follow it, as in a replay")
  func lastStop() async throws {
    var builder = FITBuilder()
    builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate])
    builder.define(
      1, message: FIT.event, [FIT.time, FITBuilder.Field(0, .enumeration), FITBuilder.Field(1, .enumeration)])
    for second in 0..<200 {
      if second == 100 { builder.message(1, [.integer(FIT.start + 100), 0, 4]) }
      builder.message(0, [.integer(FIT.start + second), .integer(second <= 100 ? 130 : 90)])
    }
    let recorded = try RecordedHistory()
    let recording = try recording(builder.file())
    let request = ImportRequest(try .runner("z2", "none"), person: nil)
    guard case .added = try await recorded.history.add(recording, request) else {
      Issue.record("not added")
      return
    }
    let entry = try #require(try await recorded.history.sessions(History.Filter()).first)
    let summary = try #require(try await recorded.history.detail(of: entry)).outcome.summary
    await recorded.history.close()
    let replayed = try Replay.run(
      recording, settings: request.requestOfDay(nil).coaching.settings(on: nil), pace: .events
    ) { _, _ in }
    #expect(summary.active == .seconds(100))
    #expect(summary.elapsed == .seconds(199))
    #expect(summary.readings.mean == 130)
    #expect(replayed.engine.active == .seconds(100))
  }
}
