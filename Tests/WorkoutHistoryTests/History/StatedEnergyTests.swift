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
    try await imported(fit(kilocalories: kilocalories), body)
  }

  /// The same of the first activity of some bytes.
  private func imported(
    _ bytes: [UInt8], _ body: (SessionDetail, SessionFolderRecording) throws -> Void
  ) async throws {
    let recorded = try RecordedHistory()
    let whole = try Recording(path: recorded.folder.write(bytes, "a.fit"))
    var recording = whole
    try whole.forEachActivity(Array(whole.activities.prefix(1))) { recording = $1 }
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

  @Test("is that of the workout of an export of Apple Health")
  func appleHealth() async throws {
    let beats = (0..<60).map { number in
      "<Record type=\"HKQuantityTypeIdentifierHeartRate\" unit=\"count/min\" value=\"\(120 + number % 9)\" "
        + "startDate=\"2026-03-01 10:00:\(number < 10 ? "0" : "")\(number) +0100\"/>"
    }
    let text = """
      <HealthData>\(beats.joined())<Workout workoutActivityType="HKWorkoutActivityTypeRunning" \
      startDate="2026-03-01 10:00:00 +0100" endDate="2026-03-01 10:01:00 +0100" totalEnergyBurned="41.84" \
      totalEnergyBurnedUnit="kJ"/></HealthData>
      """
    try await imported(Array(text.utf8)) { detail, folder in
      #expect(detail.outcome.statedKilocalories == 10)
      let stated = try folder.facts().statedKilocalories
      #expect(stated == 10)
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
