@testable import CoachService
import Recordings
import SessionStore
import TestSupport
import Testing
import TextFormats
import WorkoutSession
@testable import WorkoutTestSupport

@Suite("Motion in binary in sessions of the service")
struct MotionLogServiceTests {
  private static let order =
    #"{"profile":{"ageYears":23},"target":"z2","strategy":{"kind":"moment","every":60},"clock":"samples"}"#
  private static let lines = ThresholdModel.lines([
    .init(activity: "walking", seconds: 10), .init(activity: "standing", seconds: 10),
    .init(activity: "running", seconds: 10),
  ]).map { $0 + "\n" }

  /// The rows without their time of day: each session begins at its own.
  private func rows(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
    text.split(separator: UInt8(ascii: "\n")).map { line in line.drop { $0 != UInt8(ascii: ",") } }
  }

  /// The log of motion of a session whose lines come in pieces, with a restart after each, as text; `nil` for one that is kept
  /// as text from the beginning.
  private func text(seed: UInt64?) async throws -> [UInt8] {
    var random = SplitMix64(seed: seed ?? 0)
    let folder = try ScratchFolder()
    func harness(_ restarts: Int) async throws -> ServiceHarness {
      try await ServiceHarness(folder) { settings in
        // What a service is started with later changes no session that has begun.
        settings.motionLog = seed != nil && restarts == 0 ? .binary : .csv
      }
    }
    var current = try await harness(0)
    let token = try await current.token([.send, .watch])
    let id = try await current.begin(token, Self.order)
    var (next, restarts) = (0, 0)
    while next < Self.lines.count {
      let end = seed == nil ? Self.lines.count : min(Self.lines.count, next + random.int(5...25))
      let response = await current.send(
        "POST", "/v1/sessions/\(id)/samples", token, body: Self.lines[next..<end].joined(), type: "application/x-ndjson"
      )
      #expect(response.status == 200, "\(response.text)")
      next = end
      await current.service.close()
      restarts += 1
      current = try await harness(restarts)
    }
    await current.service.close()
    let session = SessionFolder.path(of: id, in: StoredPath(dataFolder: folder.path + "/data"))
    let name = try #require(SessionFolder.presentLog(of: .motion, in: session))
    #expect(name == (seed == nil ? "motion.csv" : "motion.bin"))
    #expect(try SessionFolderRecording(path: session).facts().motionCount == 1_500)
    guard seed != nil else { return try POSIXFile(reading: session + "/" + name).readAll(maximumBytes: 1 << 24) }
    var log = try MotionLogReader(path: session + "/" + name)
    var text: [UInt8] = []
    try log.forEachPiece { text.append(span: $0) }
    #expect(log.problems.isEmpty, "\(log.problems)")
    return text
  }

  @Test(
    "Over restarts, whatever the next service is started with, the log has the very text that it would have as text")
  func restarts() async throws {
    let expected = rows(try await text(seed: nil))
    #expect(expected.count == 1_501)
    for seed in 1...3 as ClosedRange<UInt64> {
      let rows = rows(try await text(seed: seed))
      #expect(rows == expected, "seed \(seed)")
    }
  }
}
