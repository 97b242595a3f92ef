@testable import CoachService
import SessionStore
import Testing
import TextFormats
import WorkoutHistory
@testable import WorkoutTestSupport

@Suite("Requests that are sent again to a service that was started after the end of their session")
struct RepeatedAfterEndTests {
  private static let stop = #"{"type":"command","id":"s","command":"stop"}"# + "\n"
  private static let last = ServiceHarness.heartRates(120..<150) + "x\n" + stop

  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// What is kept of sessions that are over, beside their folders.
  private func kept(_ harness: ServiceHarness) throws -> [String] {
    try FileSystem.listIfPresent(harness.service.settings.dataFolder + "/" + EndedInputs.folderName)
  }

  private func send(
    _ harness: ServiceHarness, _ token: IssuedSecret, _ id: String, _ batch: String, _ lines: String
  ) async -> HTTPResponse {
    await harness.send(
      "POST", "/v1/sessions/\(id)/samples?batch=\(batch)", token, body: lines, type: "application/x-ndjson")
  }

  @Test(
    "They have the answer that they had, and count once; other lines and other names are refused",
    arguments: [
      "samples", "auto",
    ])
  func answers(_ clock: String) async throws {
    var harness = try await ServiceHarness(folder)
    let token = try await harness.token([.send, .watch, .manage])
    let order = ServiceHarness.order.replacing(#""clock":"samples""#, with: #""clock":"\#(clock)""#)
    let id = try await harness.begin(token, order)
    let requests = [("a-1", ServiceHarness.heartRates(0..<70)), ("a-2", ServiceHarness.heartRates(70..<120))]
    var answers: [(batch: String, lines: String, text: String)] = []
    for (batch, lines) in requests + [("last", Self.last)] {
      let answer = await send(harness, token, id, batch, lines)
      #expect(answer.status == 200, "\(answer.text)")
      answers.append((batch, lines, answer.text))
      // The feeds of a session that goes on in between are those of before.
      if batch == "a-1" {
        await harness.service.close()
        harness = try await ServiceHarness(folder)
      }
    }
    await harness.service.close()
    let records = try SessionRecordFile.count(SessionFolder.path(of: id, in: harness.service.settings.dataFolder))

    harness = try await ServiceHarness(folder)
    #expect(try kept(harness) == [id])
    for answer in answers.reversed() {
      let again = await send(harness, token, id, answer.batch, answer.lines)
      #expect(again.status == 200, "\(again.text)")
      #expect(again.text == answer.text)
    }
    let others = await send(harness, token, id, "last", Self.stop)
    #expect(others.status == 409)
    #expect(others.json?["code"]?.string == "differentBody", "\(others.text)")
    let new = await send(harness, token, id, "new", Self.stop)
    #expect(new.json?["code"]?.string == "sessionEnded", "\(new.text)")
    let other = try await harness.token([.send], person: "ann")
    #expect(await send(harness, other, id, "last", Self.last).status == 404)
    let data = harness.service.settings.dataFolder
    #expect(try SessionRecordFile.count(SessionFolder.path(of: id, in: data)) == records)

    #expect(try await harness.service.history.check { _ in }.filter { $0.subject.contains(id) }.isEmpty)
    #expect(await harness.send("DELETE", "/v1/sessions/\(id)", token).status == 204)
    #expect(try kept(harness) == [])
    #expect(await send(harness, token, id, "last", Self.last).status == 404)
    await harness.service.close()
  }

  @Test("So it is where the process was killed before it had moved what it keeps for that")
  func cutOff() async throws {
    var harness = try await ServiceHarness(folder)
    let token = try await harness.token([.send])
    let id = try await harness.begin(token)
    let answer = await send(harness, token, id, "last", ServiceHarness.heartRates(0..<70) + Self.stop)
    #expect(answer.status == 200, "\(answer.text)")
    await harness.service.close()
    let data = harness.service.settings.dataFolder
    let inputs = SessionFolder.path(of: id, in: data) + "/" + SessionFolder.inputs
    #expect(!FileSystem.exists(inputs))
    try FileSystem.rename(data + "/" + EndedInputs.folderName + "/" + id, to: inputs)
    let history = History(dataFolder: data)
    _ = try await history.close(id)
    await history.close()
    #expect(!FileSystem.exists(inputs))
    harness = try await ServiceHarness(folder)
    let again = await send(harness, token, id, "last", ServiceHarness.heartRates(0..<70) + Self.stop)
    #expect(again.text == answer.text)
    await harness.service.close()
  }

  @Test("What is damaged, or of another program, makes no answer")
  func damaged() async throws {
    var harness = try await ServiceHarness(folder)
    let token = try await harness.token([.send])
    let id = try await harness.begin(token)
    let lines = ServiceHarness.heartRates(0..<70) + Self.stop
    #expect(await send(harness, token, id, "last", lines).status == 200)
    await harness.service.close()
    let kept = harness.service.settings.dataFolder + "/" + EndedInputs.folderName + "/" + id
    let whole = try POSIXFile(reading: kept).readAll(maximumBytes: 1 << 20)
    for bytes in [[], Array("photo".utf8), Array(whole.dropLast(20)), [UInt8](repeating: 0xFF, count: 400)] {
      try FileSystem.writeAtomically(bytes.span, to: kept)
      harness = try await ServiceHarness(folder)
      let again = await send(harness, token, id, "last", lines)
      #expect(again.json?["code"]?.string == "sessionEnded", "\(bytes.count) bytes: \(again.text)")
      await harness.service.close()
    }
  }
}
