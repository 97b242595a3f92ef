@testable import Recordings
import TestSupport
import Testing
@testable import TextFormats
@testable import WorkoutExports
@testable import WorkoutHistory
@testable import WorkoutSession
@testable import SessionStore
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("Energy that a file states")
struct StatedEnergyTests {
  /// A run of five minutes whose session states its kilocalories.
  private func fit(kilocalories: Int) -> [UInt8] {
    var builder = FITBuilder()
    builder.define(0, message: FIT.record, [FIT.time, FIT.heartRate])
    for second in 0..<300 { builder.message(0, [.integer(FIT.start + second), .integer(120 + second % 9)]) }
    builder.define(2, message: FIT.session, [FITBuilder.Field(5, .enumeration), FITBuilder.Field(11, .uint16)])
    builder.message(2, [.integer(1), .integer(kilocalories)])
    return builder.file()
  }

  /// What an import of it comes to, for somebody whose energy is estimated by heart rate.
  private func imported(
    kilocalories: Int, _ body: (SessionDetail, SessionFolderRecording) throws -> Void
  ) async throws {
    let recorded = try RecordedHistory()
    let recording = try Recording(path: recorded.folder.write(fit(kilocalories: kilocalories), "a.fit"))
    var request = try CoachingRequest.runner("z2", "none")
    (request.profile.sex, request.profile.weightKilograms) = (.male, 70)
    guard case .added = try await recorded.history.add(recording, ImportRequest(request, person: nil)) else {
      Issue.record("not added")
      return
    }
    let entry = try #require(try await recorded.history.sessions(History.Filter()).first)
    let detail = try #require(try await recorded.history.detail(of: entry))
    try body(detail, SessionFolderRecording(path: recorded.path(entry.sessionID)))
    await recorded.history.close()
  }

  @Test("is kept by an import beside the estimate, and is what is exported and inspected")
  func kept() async throws {
    try await imported(kilocalories: 444) { detail, folder in
      #expect(detail.outcome.statedKilocalories == 444)
      let estimate = try #require(detail.outcome.summary.energyKilocalories)
      #expect((30..<100).contains(estimate))
      var writer = JSONWriter()
      try detail.write(to: &writer)
      let record = try JSONValue.parse(writer.text)
      #expect(record["source"]?["energyKilocalories"]?.number?.double == 444)
      #expect(record["energyKilocalories"]?.number?.double == estimate)
      #expect(try folder.facts().statedKilocalories == 444)
      #expect(try ExportedWorkout(folder).activities.map(\.energyKilocalories) == [444])
    }
  }

  @Test("is absent where the file says 0")
  func unknown() async throws {
    try await imported(kilocalories: 0) { detail, folder in
      #expect(detail.outcome.statedKilocalories == nil)
      #expect(detail.outcome.summary.energyKilocalories != nil)
      #expect(try folder.facts().statedKilocalories == nil)
      let exported = try ExportedWorkout(folder).activities.compactMap(\.energyKilocalories)
      #expect(exported == [detail.outcome.summary.energyKilocalories].compactMap(\.self))
    }
  }
}
