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
    let name = try #require(try SessionFolder.presentLog(of: .motion, in: session))
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

  /// What a route answers of a session that is over, whole.
  private static func answer(_ harness: ServiceHarness, _ path: String, _ token: IssuedSecret) async throws -> String {
    let response = await harness.send("GET", path, token)
    #expect(response.status == 200, "\(path): \(response.text)")
    guard case .stream(let stream) = response.content else { return response.text }
    var bytes: [UInt8] = []
    while case .bytes(let piece) = stream.take(10_000) { bytes += piece }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("Whoever takes an export, a page or a series of a session gets of either log the same")
  func routes() async throws {
    let lines = Self.lines.enumerated().map { index, line in
      let key = #""atSeconds":"#
      let second = (index + 1) / 2
      let stamp = "\(second < 10 ? "0" : "")\(second)"
      return line.replacing("\(key)\(second)", with: "\"time\":\"2026-11-20T07:00:\(stamp)Z\"")
    }
    #expect(!lines.contains { $0.contains("atSeconds") })
    let stop = #"{"type":"command","id":"stop","command":"stop"}"#
    var answers: [[String]] = []
    for motionLog in MotionLogFormat.allCases {
      let folder = try ScratchFolder()
      let harness = try await ServiceHarness(folder) { $0.motionLog = motionLog }
      let token = try await harness.token([.send, .watch])
      let id = try await harness.begin(token, Self.order)
      let taken = await harness.send(
        "POST", "/v1/sessions/\(id)/samples", token, body: lines.joined() + stop, type: "application/x-ndjson")
      #expect(taken.status == 200, "\(taken.text)")
      let session = SessionFolder.path(of: id, in: StoredPath(dataFolder: folder.path + "/data"))
      let log = try SessionFolder.presentLog(of: .motion, in: session)
      #expect(log == (motionLog == .csv ? "motion.csv" : "motion.bin"))
      var texts: [String] = []
      for route in [
        "export?as=csv", "export?as=sensogather-csv", "export?as=json", "export?as=tcx", "report.html", "series",
        "summary",
      ] {
        let text = try await Self.answer(harness, "/v1/sessions/\(id)/\(route)", token)
        texts.append(
          route + text.replacing(id, with: "SESSION").replacing(#","motionLog":"binary""#, with: ""))
      }
      answers.append(texts)
      await harness.service.close()
    }
    #expect(answers[0].count == 7)
    for (text, binary) in zip(answers[0], answers[1]) {
      #expect(text.count > 300)
      #expect(text == binary, "\(text.prefix(30))")
    }
    #expect(answers[0][0].split(separator: "\n").count > 1_500, "a row a sample")
  }
}
