@testable import CoachService
import Foundation
import LiveCoaching
import SessionStore
import Testing
import TextFormats
import WorkoutHistory
@testable import WorkoutTestSupport

/// Data folders that an earlier program has left when it was killed under live sessions, in `Tests/Kept`.
@Suite("Live sessions of an earlier program")
struct EarlierProgramTests {
  private static let kept = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Kept/service-1"

  /// What was sent to it, and what it answered.
  private struct Sent {
    let time: WallClockTime
    let authorization: HTTPField
    let sessions: [JSONValue]

    init() throws {
      let bytes = try POSIXFile(reading: kept + "/sent.json").readAll(maximumBytes: 1 << 20)
      let value = try JSONValue.parse(bytes.span)
      time = WallClockTime(nanoseconds: try #require(value["atNanoseconds"]?.number?.int64))
      authorization = HTTPField("Authorization", "Bearer " + (try #require(value["token"]?.string)))
      sessions = try #require(value["sessions"]?.array)
    }
  }

  /// Copies what was kept, for its owner alone as it was written: a checkout lets others read it.
  private static func copy(to path: String) throws {
    let files = FileManager.default
    try files.copyItem(atPath: kept + "/data", toPath: path)
    for name in [""] + (try files.subpathsOfDirectory(atPath: path)) {
      let place = path + "/" + name
      let isFolder = try files.attributesOfItem(atPath: place)[.type] as? FileAttributeType == .typeDirectory
      try files.setAttributes([.posixPermissions: isFolder ? 0o700 : 0o600], ofItemAtPath: place)
    }
  }

  @Test("They go on: what it answered is answered the same and counts once, and a replay agrees", arguments: 0..<2)
  func goOn(_ number: Int) async throws {
    let folder = try ScratchFolder()
    try Self.copy(to: folder.path + "/data")
    let sent = try Sent()
    let harness = try await ServiceHarness(folder, clock: ManualClock(sent.time))
    #expect(harness.service.sessions.liveCount == 2)
    let session = sent.sessions[number]
    let id = try #require(session["id"]?.string)
    let requests = try #require(session["requests"]?.array)
    let key = HTTPField("Idempotency-Key", try #require(session["key"]?.string))
    let begun = await harness.send(
      "POST", "/v1/sessions", body: session["order"]?.string, headers: [sent.authorization, key])
    #expect(begun.json?["sessionID"]?.string == id)

    func send(_ body: String, batch: String) async -> HTTPResponse {
      await harness.send(
        "POST", "/v1/sessions/\(id)/samples?batch=\(batch)", body: body, type: "application/x-ndjson",
        headers: [sent.authorization])
    }
    var records: [JSONValue] = []
    for request in requests {
      let answer = try JSONValue.parse(try #require(request["answer"]?.string))
      records += try #require(answer["events"]?.array)
      let again = await send(try #require(request["body"]?.string), batch: try #require(request["batch"]?.string))
      #expect(again.json == answer)
    }
    let stream = await harness.send(
      "GET", "/v1/sessions/\(id)/events?after=0&wait=0",
      headers: [sent.authorization, HTTPField("Accept", "application/x-ndjson")])
    #expect(try stream.text.split(separator: "\n").map { try JSONValue.parse(String($0)) } == records)

    let resume = #"{"type":"command","id":"r","command":"resume"}"# + "\n"
    let lines = (100..<160).map {
      #"{"type":"heartRate","atSeconds":\#($0),"beatsPerMinute":\#(100 + $0 % 60),"source":"strap"}"# + "\n"
    }
    let more = await send(resume + lines.joined(), batch: "more")
    #expect(more.json?["rejected"]?.array?.isEmpty == true, "\(more.text)")
    #expect(more.json?["events"]?.array?.isEmpty == false)
    let stop = await harness.send(
      "POST", "/v1/sessions/\(id)/commands", body: #"{"id":"x","command":"stop"}"#, headers: [sent.authorization])
    #expect(stop.json?["accepted"]?.bool == true)
    let rows = try String(
      contentsOfFile: SessionFolder.path(of: id, in: harness.service.settings.dataFolder).path + "/heart_rate.csv",
      encoding: .utf8)
    #expect(rows.split(separator: "\n").count == 161)
    // The other one is live still; of this one the records are those of a replay.
    let findings = try await harness.service.history.check { _ in }
    #expect(findings.allSatisfy { "\($0)".contains("not closed") && !"\($0)".contains(id) }, "\(findings)")
    await harness.service.close()
  }
}
