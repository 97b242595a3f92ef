@testable import CoachService
import SessionStore
import Testing
import TextFormats
import WorkoutSession
@testable import WorkoutTestSupport

@Suite("A service whose journal cannot be written")
struct UnwritableJournalTests {
  @Test("What was taken is answered when it is kept; what comes meanwhile is refused (503), and not there")
  func refused() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch])
    let id = try await harness.begin(token)
    let samples = "/v1/sessions/\(id)/samples"
    let data = harness.service.settings.dataFolder
    // No segment can be made where there is no folder for it.
    let journals = data + "/" + LiveJournal.folderName
    let name = try #require(try FileSystem.list(journals).first { LiveJournal.isName($0) })
    try FileSystem.rename(journals + "/" + name, to: journals + "/elsewhere")
    async let taken = harness.send(
      "POST", samples, token, body: ServiceHarness.heartRates(0..<2), type: "application/x-ndjson")
    for _ in 0..<4_000 where !harness.service.sessions.isUnavailable { try await Task.sleep(for: .milliseconds(2)) }
    let refused = await harness.send(
      "POST", samples, token, body: ServiceHarness.heartRates(2..<4), type: "application/x-ndjson")
    #expect(refused.status == 503, "\(refused.text)")
    #expect(refused.header("Retry-After") != nil)
    let begun = await harness.send("POST", "/v1/sessions", token, body: ServiceHarness.order)
    #expect(begun.status == 503, "\(begun.text)")
    #expect(await harness.send("GET", "/readyz").status == 503)
    // Reading goes on.
    #expect(await harness.send("GET", "/v1/sessions", token).text.contains(id))
    let events = "/v1/sessions/\(id)/events?after=0"
    for wait in ["&wait=0", "&wait=1"] {
      let read = await harness.send(
        "GET", events + wait, token, headers: [HTTPField("Accept", "application/x-ndjson")])
      #expect(read.status == 200, "\(read.text)")
      #expect(read.text.isEmpty)
    }
    let stream = await harness.send("GET", events, token)
    #expect(stream.status == 200)
    if case .stream(let buffer) = stream.content { buffer.cancel() }
    try FileSystem.rename(journals + "/elsewhere", to: journals + "/" + name)
    let answer = await taken
    #expect(answer.status == 200, "\(answer.text)")
    let later = await harness.send(
      "POST", samples, token, body: ServiceHarness.heartRates(4..<6), type: "application/x-ndjson")
    #expect(later.status == 200, "\(later.text)")
    let stop = await harness.send("POST", "/v1/sessions/\(id)/commands", token, body: #"{"id":"x","command":"stop"}"#)
    #expect(stop.json?["accepted"]?.bool == true, "\(stop.text)")
    let log = SessionFolder.path(of: id, in: data) + "/" + SessionFolder.log(of: .heartRate)
    let rows = try text(of: log.path).split(separator: "\n").dropFirst().map { $0.drop { $0 != "," }.dropFirst() }
    #expect(rows.map(String.init) == [0, 1, 4, 5].map { "\($0),\(100 + $0)" })
    await harness.service.close()
  }

  @Test("A command is 503 after some seconds, as its repetition is meanwhile, and answered again when the disk works")
  func boundedCommand() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch])
    let id = try await harness.begin(token)
    let data = harness.service.settings.dataFolder
    func start() async -> HTTPResponse {
      await harness.send("POST", "/v1/sessions/\(id)/commands", token, body: #"{"id":"x","command":"start"}"#)
    }
    let journals = data + "/" + LiveJournal.folderName
    let name = try #require(try FileSystem.list(journals).first { LiveJournal.isName($0) })
    try FileSystem.rename(journals + "/" + name, to: journals + "/elsewhere")
    let unsettled = await start()
    #expect(unsettled.status == 503, "\(unsettled.text)")
    #expect(unsettled.header("Retry-After") == "1")
    #expect(await start().status == 503)
    try FileSystem.rename(journals + "/elsewhere", to: journals + "/" + name)
    for _ in 0..<10_000 where harness.service.sessions.isUnavailable { try await Task.sleep(for: .milliseconds(2)) }
    let answer = await start()
    #expect(answer.status == 200, "\(answer.text)")
    #expect(answer.json?["accepted"]?.bool == true, "\(answer.text)")
    await harness.service.close()
  }

  @Test("Lines with a name are 503 after some seconds, and count once when they come again; no state shows them before")
  func bounded() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch])
    let id = try await harness.begin(token)
    let data = harness.service.settings.dataFolder
    let lines = ServiceHarness.heartRates(0..<5)
    @Sendable func send(_ lines: String) async -> HTTPResponse {
      await harness.send(
        "POST", "/v1/sessions/\(id)/samples?batch=b", token, body: lines, type: "application/x-ndjson")
    }
    let journals = data + "/" + LiveJournal.folderName
    let name = try #require(try FileSystem.list(journals).first { LiveJournal.isName($0) })
    try FileSystem.rename(journals + "/" + name, to: journals + "/elsewhere")
    let begin = MonotonicClock.now
    async let first = send(lines)
    for _ in 0..<4_000 where !harness.service.sessions.isUnavailable { try await Task.sleep(for: .milliseconds(2)) }
    let stream = try await harness.stream("/v1/sessions/\(id)", token)
    for _ in 0..<20 {
      await harness.service.tick()
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(!everything(of: stream).contains("event: state"))
    let unsettled = await first
    #expect(unsettled.status == 503, "\(unsettled.text)")
    #expect(unsettled.header("Retry-After") == "1")
    #expect(MonotonicClock.now - begin < 60_000_000_000)
    let meanwhile = await send(lines)
    #expect(meanwhile.status == 503, "\(meanwhile.text)")

    try FileSystem.rename(journals + "/elsewhere", to: journals + "/" + name)
    for _ in 0..<10_000 where harness.service.sessions.isUnavailable { try await Task.sleep(for: .milliseconds(2)) }
    let answer = await send(lines)
    #expect(answer.status == 200, "\(answer.text)")
    #expect(answer.json?["accepted"]?.number?.int64 == 5, "\(answer.text)")
    #expect(await send(lines).text == answer.text)
    #expect(await send(ServiceHarness.heartRates(5..<9)).status == 409)
    var shown = ""
    for _ in 0..<1_000 where !shown.contains("event: state") {
      await harness.service.tick()
      shown += everything(of: stream)
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(shown.contains(#""heartRateAtSeconds":4"#), "\(shown)")
    stream.cancel()
    let stop = await harness.send("POST", "/v1/sessions/\(id)/commands", token, body: #"{"id":"x","command":"stop"}"#)
    #expect(stop.json?["accepted"]?.bool == true, "\(stop.text)")
    let log = SessionFolder.path(of: id, in: data) + "/" + SessionFolder.log(of: .heartRate)
    #expect(try text(of: log.path).split(separator: "\n").count == 6)
    await harness.service.close()
  }
}
