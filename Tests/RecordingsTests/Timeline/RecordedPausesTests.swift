import Recordings
import SessionStore
import TestSupport
import Testing
import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("The pauses that inspect prints")
struct RecordedPausesTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func spans(_ recording: Recording) -> [[Double]] {
    recording.facts.pauses.map { [$0.from.seconds, $0.until.seconds] }
  }

  /// The spans in which a replay is paused, and its end.
  private func replayed(_ recording: Recording) throws -> (spans: [[Double]], end: SessionTime) {
    let settings = try CoachingRequest.runner("z2", "none").settings(on: nil)
    var spans: [[Double]] = []
    let pipeline = try Replay.run(recording, settings: settings, pace: .events) { _, events in
      for case .engine(let event) in events {
        if case .paused(let time) = event { spans.append([time.seconds]) }
        if case .resumed(let time) = event { spans[spans.count - 1].append(time.seconds) }
      }
    }
    if let last = spans.last, last.count == 1 { spans[spans.count - 1].append(pipeline.engine.now.seconds) }
    return (spans.filter { $0[0] < $0[1] }, pipeline.engine.now)
  }

  private func fit(stops: [(Int, Int)], seconds: [Int]) throws -> Recording {
    var builder = FITBuilder()
    builder.define(
      1, message: FIT.event, [FIT.time, FITBuilder.Field(0, .enumeration), FITBuilder.Field(1, .enumeration)])
    for (from, until) in stops {
      builder.message(1, [.integer(FIT.start + from), 0, 4])
      builder.message(1, [.integer(FIT.start + until), 0, 0])
    }
    builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate])
    for second in seconds { builder.message(0, [.integer(FIT.start + second), .integer(120 + second % 7)]) }
    return try Recording(path: folder.write(builder.file(), "a.fit"))
  }

  @Test("lie within the recording, as in its replay")
  func inside() throws {
    let recording = try fit(stops: [(-60, -5), (-3, 2), (10, 20), (38, 90), (200, 300)], seconds: Array(0..<41))
    #expect(spans(recording) == [[0, 2], [10, 20], [38, 40]])
    let replayed = try replayed(recording)
    #expect(replayed.spans == spans(recording))
    #expect(replayed.end == recording.facts.elapsed)
  }

  @Test("are silences of more than six hours too, with a warning that says where")
  func clockJump() throws {
    let late = 20 * 86_400
    let recording = try fit(stops: [(10, 20)], seconds: Array(0..<41) + Array(late..<late + 30))
    #expect(spans(recording) == [[10, 20], [40, Double(late)]])
    #expect(try replayed(recording).spans == spans(recording))
    let warnings = recording.facts.warnings.filter { $0.kind == .clockJump }
    #expect(warnings.map(\.position) == ["second 40"])
    #expect(warnings.map(\.count) == [1])
    #expect(warnings.first?.detail == "479 h without a reading, paused across it")
  }

  @Test("are one warning where one follows from the times of laps and another from a silence")
  func clockJumps() throws {
    var builder = FITBuilder()
    builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate])
    for second in Array(0...2) + Array(100_000...100_100) + Array(300_000...300_100) {
      builder.message(0, [.integer(FIT.start + second), .integer(120 + second % 7)])
    }
    builder.define(
      2, message: FIT.lap,
      [FIT.time, FITBuilder.Field(2, .uint32), FITBuilder.Field(7, .uint32), FITBuilder.Field(8, .uint32)])
    builder.message(
      2, [.integer(FIT.start + 100_100), .integer(FIT.start), .integer(100_100_000), .integer(102_000)])
    let recording = try Recording(path: folder.write(builder.file(), "a.fit"))
    #expect(spans(recording) == [[2, 100_000], [100_100, 300_000]])
    #expect(recording.facts.warnings.map(\.kind) == [.clockJump])
    #expect(recording.facts.warnings.map(\.position) == ["second 2"])
    #expect(recording.facts.warnings.map(\.count) == [2])
  }

  @Test("are no warning where the file itself says that the timer stood still")
  func longStop() throws {
    let recording = try fit(stops: [(40, 30_000)], seconds: Array(0..<41) + Array(30_000..<30_030))
    #expect(spans(recording) == [[40, 30_000]])
    #expect(recording.facts.warnings.isEmpty)
    #expect(try replayed(recording).spans == spans(recording))
  }

  @Test("of a CSV are its silences")
  func csv() throws {
    let rows = [0, 1, 2, 30_000, 30_001, 30_002].map { "\($0),120\n" }.joined()
    let recording = try Recording(path: folder.write("time_s,hr\n" + rows))
    #expect(spans(recording) == [[2, 30_000]])
    #expect(recording.facts.warnings.map(\.kind) == [.clockJump])
  }
}
