@testable import CoachService
import LiveCoaching
import SessionStore
import Testing
import TextFormats
import WorkoutSession
@testable import WorkoutTestSupport

@Suite("What one request may bring about")
struct BoundedRequestTests {
  private static let order =
    #"{"profile":{"ageYears":23},"target":"z2","strategy":{"kind":"moment","every":1},"clock":"samples"}"#

  /// Heart rates that lie nearly an hour apart, with a check each second between them.
  private static func line(_ number: Int) -> String {
    #"{"type":"heartRate","atSeconds":\#(3_500 * number),"beatsPerMinute":120}"# + "\n"
  }

  private func post(
    _ harness: ServiceHarness, _ id: String, _ token: IssuedSecret, batch: String, _ lines: String
  ) async -> HTTPResponse {
    await harness.send(
      "POST", "/v1/sessions/\(id)/samples?batch=\(batch)", token, body: lines, type: "application/x-ndjson")
  }

  /// The same, sent again until what came of earlier lines is made up for.
  private func taken(
    _ harness: ServiceHarness, _ id: String, _ token: IssuedSecret, batch: String, _ lines: String
  ) async throws -> HTTPResponse {
    var response = await post(harness, id, token, batch: batch, lines)
    for _ in 0..<50 where response.status == 429 {
      try await Task.sleep(for: .milliseconds(200))
      response = await post(harness, id, token, batch: batch, lines)
    }
    return response
  }

  private func records(_ harness: ServiceHarness, _ id: String, _ token: IssuedSecret) async -> String {
    await harness.send(
      "GET", "/v1/sessions/\(id)/events?after=0&wait=0", token,
      headers: [HTTPField("Accept", "application/x-ndjson")]
    ).text
  }

  @Test("A request takes no line after 5,000 records; the rest comes with the next, as if each line came alone")
  func cut() async throws {
    let folder = try ScratchFolder()
    var harness = try await ServiceHarness(folder)
    let token = try await harness.token([.send, .watch])
    let id = try await harness.begin(token, Self.order)
    let lines = (0..<6).map(Self.line).joined()
    let first = await post(harness, id, token, batch: "a", lines)
    #expect(first.status == 200, "\(first.text.prefix(300))")
    let count = try #require(first.json?["events"]?.array?.count)
    // The last line that is taken brings its moments at the end of the request.
    #expect((5_000..<15_000).contains(count))
    #expect(first.json?["accepted"]?.number?.int64 == 4)
    #expect(first.json?["nextLine"]?.number?.int64 == 5)
    #expect(first.json?["rejected"]?.array?.compactMap { $0["line"]?.number?.int64 } == [5, 6])
    #expect(first.json?["lastEvent"]?.number?.int64 == Int64(count))
    let again = try await taken(harness, id, token, batch: "a", lines)
    #expect(again.text == first.text)
    // A start takes as much of it, and gives the same answer.
    let before = await records(harness, id, token)
    await harness.service.close()
    harness = try await ServiceHarness(folder)
    let later = try await taken(harness, id, token, batch: "a", lines)
    #expect(later.text == first.text)
    #expect(await records(harness, id, token) == before)
    let rest = try await taken(harness, id, token, batch: "b", (4..<6).map(Self.line).joined())
    #expect(rest.json?["accepted"]?.number?.int64 == 2, "\(rest.text.prefix(300))")
    let summary = await harness.send("GET", "/v1/sessions/\(id)/summary", token)
    #expect(summary.json?["samples"]?["badLines"]?.number?.int64 == 0, "\(summary.text)")
    // Another one, of which each line is a request.
    let other = try await harness.token([.send, .watch])
    let single = try await harness.begin(other, Self.order)
    for number in 0..<6 {
      let response = try await taken(harness, single, other, batch: "\(number)", Self.line(number))
      #expect(response.status == 200, "\(response.text.prefix(300))")
      #expect(response.json?["nextLine"] == nil)
    }
    #expect(await records(harness, id, token) == records(harness, single, other))
    await harness.service.close()
  }

  @Test("Records count among the samples of who sends, so that few lines do not fill a disk")
  func charged() async throws {
    // Nothing is made up for while no time passes.
    let harness = try await ServiceHarness(ScratchFolder(), clock: ManualClock(.morning(0)))
    let token = try await harness.token([.send, .watch])
    let id = try await harness.begin(token, Self.order)
    var statuses: [Int] = []
    for number in 0..<8 {
      statuses.append(await post(harness, id, token, batch: "\(number)", Self.line(number)).status)
    }
    #expect(statuses.first == 200)
    #expect(statuses.contains(429), "\(statuses)")
    await harness.service.close()
  }

  @Test("Each who sends keeps their clock over a restart, whoever comes first then")
  func clocksOverRestarts() async throws {
    let folder = try ScratchFolder()
    var harness = try await ServiceHarness(folder)
    let tokens = [
      try await harness.token([.send, .watch, .manage]), try await harness.token([.send, .watch, .manage]),
      try await harness.token([.send, .watch, .manage]),
    ]
    let id = try await harness.begin(tokens[0])
    for (number, token) in tokens.prefix(2).enumerated() {
      let sent = await post(harness, id, token, batch: "\(number)", ServiceHarness.heartRates(number..<number + 1))
      #expect(sent.status == 200, "\(sent.text)")
    }
    func feeds(_ order: [Int]) throws -> [Int: LiveFeed] {
      let session = try #require(harness.service.sessions.known(id))
      var feeds: [Int: LiveFeed] = [:]
      for number in order {
        feeds[number] = session.feed(of: tokens[number].grant.caller.id, elapsed: 0)
      }
      return feeds
    }
    let before = try feeds([0, 1])
    #expect(before[0]?.source == 0)
    #expect(before[1]?.source == 1)
    await harness.service.close()
    harness = try await ServiceHarness(folder)
    let after = try feeds([2, 1, 0])
    #expect(after[0] == before[0])
    #expect(after[1] == before[1])
    #expect(after[2]?.source == 2)
    // Nothing in the folder says who it is.
    let inputs = harness.service.settings.dataFolder + "/sessions/\(id)/inputs.log"
    let bytes = try POSIXFile(reading: inputs).readAll(maximumBytes: 1 << 20)
    for token in tokens {
      #expect(!String(decoding: bytes, as: UTF8.self).contains(token.grant.caller.id))
    }
    await harness.service.close()
  }
}
