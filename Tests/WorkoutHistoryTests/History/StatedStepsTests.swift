@testable import Recordings
import TestSupport
import Testing
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Steps that a FIT session states")
struct StatedStepsTests {
  /// A run with cadence whose session states strides of one leg and 128ths of it.
  private func fit(strides: Int, fraction: Int, recordedStrides: [Int] = [], pausedFrom: Int? = nil) -> [UInt8] {
    var builder = FITBuilder()
    builder.define(
      1, message: FIT.event, [FIT.time, FITBuilder.Field(0, .enumeration), FITBuilder.Field(1, .enumeration)])
    if let pausedFrom {
      builder.message(1, [.integer(FIT.start + pausedFrom), 0, 4])
      builder.message(1, [.integer(FIT.start + 500), 0, 0])
    }
    let cycles = recordedStrides.isEmpty ? [] : [FITBuilder.Field(19, .uint32)]
    builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate, FITBuilder.Field(4, .uint8)] + cycles)
    for second in 0..<60 {
      let counted = recordedStrides.isEmpty ? [] : [FITBuilder.Value.integer(recordedStrides[second % 2] + second)]
      builder.message(0, [.integer(FIT.start + second), .integer(120 + second % 9), .integer(84)] + counted)
    }
    builder.define(
      2, message: FIT.session,
      [FITBuilder.Field(5, .enumeration), FITBuilder.Field(10, .uint32), FITBuilder.Field(94, .uint8)])
    builder.message(2, [.integer(1), .integer(strides), .integer(fraction)])
    return builder.file()
  }

  private func imported(_ bytes: [UInt8]) async throws -> (steps: Int?, inspected: Int, samples: Int, cadence: Double?)
  {
    let recorded = try RecordedHistory()
    let recording = try Recording(path: recorded.folder.write(bytes, "a.fit"))
    let request = ImportRequest(try .runner("z2", "none"), person: nil)
    guard case .added = try await recorded.history.add(recording, request) else {
      Issue.record("not added")
      return (nil, 0, 0, nil)
    }
    let entry = try #require(try await recorded.history.sessions(History.Filter()).first)
    let summary = try #require(try await recorded.history.detail(of: entry)).outcome.summary
    await recorded.history.close()
    return (summary.steps, recording.facts.steps, recording.facts.stepSampleCount, summary.cadenceStepsPerMinute)
  }

  @Test("are kept by an import, as one sample at the end of the activity")
  func kept() async throws {
    let session = try await imported(fit(strides: 700, fraction: 64))
    #expect(session.steps == 1_401)
    #expect(session.inspected == 1_401)
    #expect(session.samples == 1)
    // The cadence is the device's, and no step is made of it.
    #expect(session.cadence == 168)
  }

  @Test("of a run of hours are in the hours in which it was run")
  func hours() async throws {
    var builder = FITBuilder()
    builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate])
    for second in stride(from: 0, through: 7_200, by: 10) {
      builder.message(0, [.integer(FIT.start + second), .integer(120 + second % 9)])
    }
    builder.define(2, message: FIT.session, [FITBuilder.Field(5, .enumeration), FITBuilder.Field(10, .uint32)])
    builder.message(2, [.integer(1), .integer(7_200)])
    let recorded = try RecordedHistory()
    let recording = try Recording(path: recorded.folder.write(builder.file(), "a.fit"))
    let request = ImportRequest(try .runner("z2", "none"), person: nil)
    guard case .added = try await recorded.history.add(recording, request) else {
      Issue.record("not added")
      return
    }
    let start = try #require(recording.facts.start)
    let from = try #require(start.adding(nanoseconds: -3_600_000_000_000))
    let until = try #require(start.adding(nanoseconds: 3 * 3_600_000_000_000))
    let steps = try await recorded.history.hours(in: from..<until, person: nil).compactMap(\.steps)
    #expect(steps.count == 3)
    #expect(steps.reduce(0, +) == 14_400)
    // Two a second, and as many as one point is late.
    #expect(steps.allSatisfy { $0 <= 7_220 })
    await recorded.history.close()
  }

  @Test("are kept where the recording ends in a pause")
  func paused() async throws {
    #expect(try await imported(fit(strides: 700, fraction: 0, pausedFrom: 40)).steps == 1_400)
  }

  @Test("are left out with a warning where nobody takes as many in that time")
  func impossible() async throws {
    let bytes = fit(strides: 4_000_000_000, fraction: 0)
    let session = try await imported(bytes)
    #expect(session.steps == nil)
    #expect(session.inspected == 0)
    #expect(session.samples == 0)
    let warnings = try Recording(bytes: bytes, name: "a.fit").facts.warnings
    #expect(warnings.map(\.kind) == [.unreadableValue])
    #expect(warnings.map(\.detail) == ["a stated count of 8000000000 steps"])
  }

  @Test("give way to those that the points count")
  func counted() async throws {
    let session = try await imported(fit(strides: 700, fraction: 0, recordedStrides: [10, 10]))
    #expect(session.steps == 138)
    #expect(session.inspected == 138)
  }
}
