@testable import SessionStore
import Testing
@testable import TextFormats
@testable import WorkoutHistory
@testable import WorkoutSession
import ZoneEngine
@testable import WorkoutTestSupport

@Suite("The details of a session")
struct SessionDetailTests {
  @Test("are in the index what the folder says, for random sessions", arguments: UInt64(0)..<40)
  func likeDigest(seed: UInt64) async throws {
    let recorded = try RecordedHistory()
    let name = try await recorded.record(seed: seed, person: "anna")
    let digest = try SessionDigest(folder: recorded.path(name))
    let entry = try #require(try await recorded.history.session(name))
    let detail = try #require(try await recorded.history.detail(of: entry))
    let (summary, kept) = (digest.summary, detail.outcome.summary)
    #expect(kept.elapsed == summary.elapsed)
    #expect(kept.active == summary.active)
    #expect(kept.noData == summary.noData)
    #expect(kept.inBand.elementsEqual(summary.inBand) { $0 == $1 })
    #expect(kept.readings == summary.readings)
    #expect(kept.timeWeightedMeanHeartRate == summary.timeWeightedMeanHeartRate)
    #expect(kept.compliance == summary.compliance)
    #expect(kept.complianceOfActive == summary.complianceOfActive)
    #expect(kept.distanceMeters == summary.distanceMeters)
    #expect(kept.steps == summary.steps)
    #expect(kept.averagePaceSecondsPerKilometer == summary.averagePaceSecondsPerKilometer)
    #expect(kept.cadenceStepsPerMinute == summary.cadenceStepsPerMinute)
    #expect(kept.edwards == summary.edwards)
    #expect(kept.banister == summary.banister)
    #expect(kept.lucia == summary.lucia)
    #expect(kept.cues == summary.cues)
    #expect(kept.acceptedHeartRates == summary.acceptedHeartRates)
    #expect(kept.rejectedHeartRates == summary.rejectedHeartRates)
    #expect(kept.acceptedLocations == summary.acceptedLocations)
    #expect(kept.rejectedLocations == summary.rejectedLocations)
    #expect(detail.outcome.targets == digest.targets)
    #expect(detail.outcome.unused == digest.unused)
    #expect(detail.outcome.curve.bytes == digest.curve.bytes)
    #expect(detail.splits == digest.splits)
    #expect(detail.splits(in: .metric) == digest.splits)
    #expect(detail.splits(in: .imperial) == digest.mileSplits)
    #expect(detail.decoupling == digest.decoupling)
    #expect(detail.heartRateRecovery == digest.recovery)
    await recorded.history.close()
  }

  @Test("The record is the summary as it was written, then person, zones, targets and kilometres")
  func record() async throws {
    let recorded = try RecordedHistory()
    let name = try await recorded.record(seed: 7, person: "anna")
    let entry = try #require(try await recorded.history.session(name))
    var writer = JSONWriter()
    try #require(try await recorded.history.detail(of: entry)).write(to: &writer)
    let record = try JSONValue.parse(writer.bytes.span)
    let written = try #require(try SessionSummaryFile.read(in: recorded.path(name)))
    let summary = try #require(try JSONValue.parse(written.text.span).members)
    let members = try #require(record.members)
    #expect(Array(members.prefix(summary.count)) == summary)
    #expect(record["type"]?.string == "summary")
    #expect(record["sessionID"]?.string == name)
    #expect(record["person"]?.string == "anna")
    #expect(record["state"]?.string == "complete")
    #expect(record["zones"]?.array?.count == 5)
    #expect(record["targets"]?.array?.isEmpty == false)
    #expect(record["splits"]?.array != nil)
    await recorded.history.close()
  }

  @Test("A target in the index that is none is an error, and not a session without a target")
  func unreadableTarget() async throws {
    let recorded = try RecordedHistory()
    let name = try await recorded.record(seed: 7)
    let entry = try #require(try await recorded.history.session(name))
    let database = try Database(path: recorded.folder.path + "/coach.sqlite")
    try database.execute("UPDATE target SET zone = NULL, lower_bpm = NULL, upper_bpm = NULL, other = '5:30/parsec'")
    database.close()
    await #expect(throws: ZoneError.self) { try await recorded.history.detail(of: entry) }
    await recorded.history.close()
  }

  @Test("A session whose folder is gone has no details, and none are invented")
  func withoutFolder() async throws {
    let recorded = try RecordedHistory()
    let name = try await recorded.record(seed: 7)
    let entry = try #require(try await recorded.history.session(name))
    try FileSystem.removeTree(recorded.path(name))
    let detail = try await recorded.history.detail(of: entry)
    #expect(detail == nil)
    await recorded.history.close()
  }
}
