import TestSupport
@testable import CoachService
import SessionStore
import Testing
import TextFormats
import WorkoutHistory
import WorkoutSession
@testable import WorkoutTestSupport

@Suite("Live sessions over the service", .serialized)
struct ServiceSessionTests {
  /// The records of a session so far, without acknowledgements.
  private static func records(_ harness: ServiceHarness, _ id: String, _ token: IssuedSecret) async -> [String] {
    let response = await harness.send(
      "GET", "/v1/sessions/\(id)/events", token, headers: [HTTPField("Accept", "application/x-ndjson")])
    return response.text.split(separator: "\n").map(String.init).filter { !$0.contains("acknowledgement") }
  }

  @Test(
    "The same key answers with the same session, and with another body is a conflict",
    arguments: StoreKind.allCases)
  func idempotency(_ kind: StoreKind) async throws {
    let harness = try await ServiceHarness(StorePlace(kind))
    let token = try await harness.token([.send])
    let key = [HTTPField("Idempotency-Key", "run 1")]
    let first = await harness.send("POST", "/v1/sessions", token, body: ServiceHarness.order, headers: key)
    let second = await harness.send("POST", "/v1/sessions", token, body: ServiceHarness.order, headers: key)
    #expect(first.status == 201)
    #expect(second.text == first.text)
    let third = await harness.send("POST", "/v1/sessions", token, body: "{}", headers: key)
    #expect(third.status == 409)
    #expect(third.json?["code"]?.string == "differentBody")
    await harness.service.close()
  }

  @Test(
    "A stop before the first sample is refused and ends nothing, and where all places are taken it makes room for another session",
    arguments: StoreKind.allCases)
  func stopBeforeBegin(_ kind: StoreKind) async throws {
    let harness = try await ServiceHarness(StorePlace(kind))
    let token = try await harness.token([.send, .watch])
    func send(_ id: String, _ lines: String) async -> HTTPResponse {
      await harness.send("POST", "/v1/sessions/\(id)/samples", token, body: lines, type: "application/x-ndjson")
    }
    var ids: [String] = []
    for number in 0..<4 {
      let id = try await harness.begin(token)
      ids.append(id)
      let pause = await send(id, #"{"type":"command","id":"p","command":"pause"}"#)
      #expect(pause.text.contains(#""reason":"notStarted""#))
      let stop = await send(id, #"{"type":"command","id":"s","command":"stop"}"#)
      #expect(stop.text.contains(#""id":"s","accepted":false,"reason":"notStarted""#))
      #expect(await harness.send("GET", "/v1/sessions/\(id)", token).status == 200, "round \(number)")
    }
    // The oldest has given way to the fourth; nobody asks for its events again.
    #expect(await send(ids[0], ServiceHarness.heartRates(0..<1)).status == 409)
    #expect(await harness.send("GET", "/v1/sessions/\(ids[0])", token).status == 404)
    #expect(await harness.send("GET", "/v1/sessions/\(ids[0])/events", token).status == 204)
    for id in ids.dropFirst() {
      let taken = await send(id, ServiceHarness.heartRates(0..<1))
      #expect(taken.json?["accepted"]?.number?.int64 == 1, "\(taken.text)")
    }
    // One that has begun gives way to nobody.
    let more = await harness.send("POST", "/v1/sessions", token, body: ServiceHarness.order)
    #expect(more.status == 429, "\(more.text)")
    let list = await harness.send("GET", "/v1/sessions", token)
    #expect(list.json?["sessions"]?.array?.count == 3, "\(list.text)")
    await harness.service.close()
  }

  @Test(
    "What is refused before the first sample is no record, however the lines are cut, and is answered again all the same"
  )
  func cutBeforeBegin() async throws {
    let folder = try ScratchFolder()
    var harness = try await ServiceHarness(folder)
    let token = try await harness.token([.send, .watch])
    let lines =
      ["stop", "lap"].map { #"{"type":"command","id":"\#($0)","command":"\#($0)"}"# + "\n" }
      + [ServiceHarness.heartRates(0..<1), #"{"type":"command","id":"l","command":"lap"}"# + "\n"]
      + [ServiceHarness.heartRates(1..<70)]
    let cuts = [[0..<5], [0..<1, 1..<5], [0..<2, 2..<5], [0..<3, 3..<5], (0..<5).map { $0..<$0 + 1 }]
    var expected: String?
    for (number, cut) in cuts.enumerated() {
      let id = try await harness.begin(token)
      func send(_ part: Range<Int>) async -> String {
        let path = "/v1/sessions/\(id)/samples?batch=\(part.lowerBound)"
        let answer = await harness.send(
          "POST", path, token, body: lines[part].joined(), type: "application/x-ndjson")
        #expect(answer.status == 200, "\(number): \(answer.text)")
        return answer.text
      }
      var answers: [String] = []
      for part in cut { answers.append(await send(part)) }
      #expect(answers.joined().contains(#""id":"stop","accepted":false,"reason":"notStarted""#), "\(number)")
      #expect(answers.joined().contains(#""id":"lap","accepted":false,"reason":"notStarted""#), "\(number)")
      for (part, answer) in zip(cut, answers) { #expect(await send(part) == answer, "\(number)") }
      await harness.service.close()
      harness = try await ServiceHarness(folder)
      for (part, answer) in zip(cut, answers) { #expect(await send(part) == answer, "\(number)") }
      let records = await harness.send(
        "GET", "/v1/sessions/\(id)/events", token, headers: [HTTPField("Accept", "application/x-ndjson")])
      #expect(records.text.hasPrefix(#"{"version":1,"type":"started""#), "\(number): \(records.text)")
      #expect(records.text.contains(#""id":"l","accepted":true"#), "\(number): \(records.text)")
      if let expected { #expect(records.text == expected, "\(number)") } else { expected = records.text }
      _ = await harness.send(
        "POST", "/v1/sessions/\(id)/commands", token, body: #"{"id":"x","command":"stop"}"#)
    }
    await harness.service.close()
  }

  @Test("Every address with the identity of a session is a URI that the service takes, whatever its activity is called")
  func addresses() async throws {
    let harness = try await ServiceHarness(ScratchFolder())
    let token = try await harness.token([.send, .watch, .manage])
    let cookie = try await harness.signIn()
    let order = ServiceHarness.order.replacing(#""target":"z2""#, with: #""target":"z2","activity":"Läufe""#)
    let begun = await harness.send("POST", "/v1/sessions", token, body: order)
    let id = try #require(begun.json?["sessionID"]?.string)
    #expect(id.contains("ä"), "\(id)")
    let location = try #require(begun.header("Location"))
    #expect(location == "/v1/sessions/" + id.encodingPercents)
    #expect(location.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "\(location)")
    #expect(await harness.send("GET", location, token).status == 200)
    let place = id.encodingPercents
    #expect(await harness.send("GET", "/sessions/" + place, headers: [cookie]).header("Location") == "/live/" + place)
    #expect(await harness.send("GET", "/", headers: [cookie]).text.contains("href=\"/live/\(place)\""))
    _ = await harness.send(
      "POST", location + "/samples", token, body: ServiceHarness.heartRates(0..<70), type: "application/x-ndjson")
    let stop = await harness.send("POST", location + "/commands", token, body: #"{"id":"x","command":"stop"}"#)
    #expect(stop.status == 200)
    #expect(await harness.send("GET", "/live/" + place, headers: [cookie]).header("Location") == "/sessions/" + place)
    #expect(await harness.send("GET", "/history", headers: [cookie]).text.contains("href=\"/sessions/\(place)\""))
    let file = await harness.send("GET", location + "/export?as=csv", token).header("Content-Disposition")
    #expect(file?.utf8.allSatisfy { (0x20...0x7E).contains($0) } == true, "\(file ?? "none")")
    await harness.service.close()
  }

  @Test(
    "A stop that is sent again after the end is answered again; another command is refused",
    arguments: StoreKind.allCases)
  func stopAgain(_ kind: StoreKind) async throws {
    let harness = try await ServiceHarness(StorePlace(kind))
    let token = try await harness.token([.send, .watch])
    let other = try await harness.token([.send], person: "ben")
    let id = try await harness.begin(token)
    let path = "/v1/sessions/\(id)/commands"
    let samples = "/v1/sessions/\(id)/samples"
    let lines = ServiceHarness.heartRates(0..<20)
    _ = await harness.send("POST", samples, token, body: lines, type: "application/x-ndjson")
    let stop = #"{"id":"s","command":"stop"}"#
    let first = await harness.send("POST", path, token, body: stop)
    #expect(first.text == #"{"version":1,"type":"acknowledgement","id":"s","accepted":true}"# + "\n")
    for round in 0..<2 {
      let again = await harness.send("POST", path, token, body: stop)
      let expected = #"{"version":1,"type":"acknowledgement","id":"s","accepted":true,"repeated":true}"# + "\n"
      #expect(again.text == expected, "round \(round)")
      let new = await harness.send("POST", path, token, body: #"{"id":"t","command":"lap"}"#)
      #expect(new.status == 409, "round \(round)")
      #expect(await harness.send("POST", path, token, body: "{").status == 400, "round \(round)")
      #expect(await harness.send("POST", path, other, body: stop).status == 404, "round \(round)")
      // The second time it is in the history alone.
      await harness.service.sessions.forget([id])
    }
    await harness.service.close()
  }

  @Test(
    "A request that is sent again while the first is being answered leads to a session that takes lines at once",
    arguments: StoreKind.allCases)
  func keyAtOnce(_ kind: StoreKind) async throws {
    let harness = try await ServiceHarness(StorePlace(kind))
    for round in 0..<20 {
      let token = try await harness.token([.send])
      let key = HTTPField("Idempotency-Key", "run-\(round)")
      let answers = await withTaskGroup(of: (String?, Int).self) { group in
        for number in 0..<4 {
          group.addTask {
            let begun = await harness.send("POST", "/v1/sessions", token, body: ServiceHarness.order, headers: [key])
            let id = begun.json?["sessionID"]?.string
            let taken = await harness.send(
              "POST", "/v1/sessions/\(id ?? "none")/samples?batch=\(number)", token,
              body: ServiceHarness.heartRates(number..<number + 1), type: "application/x-ndjson")
            return (id, taken.status)
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(Set(answers.map(\.0)).count == 1)
      #expect(answers.map(\.1) == [200, 200, 200, 200])
    }
    await harness.service.close()
  }

  @Test(
    "Lines that are sent again under their name are answered the same, and count once",
    arguments: StoreKind.allCases)
  func batches(_ kind: StoreKind) async throws {
    let harness = try await ServiceHarness(StorePlace(kind))
    let token = try await harness.token([.send, .watch])
    let id = try await harness.begin(token)
    let path = "/v1/sessions/\(id)/samples?batch=a"
    let lines = ServiceHarness.heartRates(0..<70) + "nonsense\n"
    let first = await harness.send("POST", path, token, body: lines, type: "application/x-ndjson")
    #expect(first.status == 200)
    #expect(first.json?["accepted"]?.number?.int64 == 70)
    #expect(first.json?["rejected"]?.array?.first?["line"]?.number?.int64 == 71)
    #expect(first.json?["lastEvent"]?.number?.int64 == 2)
    let second = await harness.send("POST", path, token, body: lines, type: "application/x-ndjson")
    #expect(second.text == first.text)
    #expect(await Self.records(harness, id, token).count == 2)
    await harness.service.close()
  }

  @Test(
    "Lines that are sent again are answered the same and count once, however many came between, also after a new start")
  func oldBatches() async throws {
    let (folder, clock) = (try ScratchFolder(), ManualClock(.morning(0)))
    var harness = try await ServiceHarness(folder, clock: clock)
    let token = try await harness.token([.send, .watch])
    let id = try await harness.begin(token)
    let path = "/v1/sessions/\(id)/samples?batch="
    let lines = ServiceHarness.heartRates(0..<70) + "nonsense\n"
    let first = await harness.send("POST", path + "a", token, body: lines, type: "application/x-ndjson")
    var statuses: Set<Int> = [first.status]
    var middle = first
    for second in 70..<400 {
      clock.set(.morning(Double(second)))
      let one = ServiceHarness.heartRates(second..<second + 1)
      let answer = await harness.send("POST", path + "\(second)", token, body: one, type: "application/x-ndjson")
      statuses.insert(answer.status)
      if second == 120 { middle = answer }
    }
    #expect(statuses == [200])
    let records = await Self.records(harness, id, token)
    for start in ["the first start", "the second start"] {
      let again = await harness.send("POST", path + "a", token, body: lines, type: "application/x-ndjson")
      #expect(again.status == 200, "\(start)")
      #expect(again.text == first.text, "\(start)")
      let one = ServiceHarness.heartRates(120..<121)
      let other = await harness.send("POST", path + "120", token, body: one, type: "application/x-ndjson")
      #expect(other.text == middle.text, "\(start)")
      #expect(await Self.records(harness, id, token) == records, "\(start)")
      let summary = await harness.send("GET", "/v1/sessions/\(id)/summary", token)
      #expect(summary.json?["samples"]?["badLines"]?.number?.int64 == 1, "\(start): \(summary.text)")
      await harness.service.close()
      harness = try await ServiceHarness(folder, clock: clock)
    }
    await harness.service.close()
  }

  @Test("Batches that are numbered are known, old ones and new ones, where the service starts again between them")
  func numberedBatches() async throws {
    let (folder, clock) = (try ScratchFolder(), ManualClock(.morning(0)))
    var harness = try await ServiceHarness(folder, clock: clock)
    let token = try await harness.token([.send, .watch])
    let id = try await harness.begin(token)
    let path = "/v1/sessions/\(id)/samples?batch=run-"
    var answers: [String] = []
    for part in 0..<3 {
      for second in part * 150..<part * 150 + 150 {
        clock.set(.morning(Double(second)))
        let lines = ServiceHarness.heartRates(second..<second + 1)
        let answer = await harness.send("POST", path + "\(second)", token, body: lines, type: "application/x-ndjson")
        #expect(answer.status == 200, "\(second)")
        answers.append(answer.text)
      }
      let records = await Self.records(harness, id, token)
      for second in stride(from: 0, to: answers.count, by: 29) {
        let lines = ServiceHarness.heartRates(second..<second + 1)
        let again = await harness.send("POST", path + "\(second)", token, body: lines, type: "application/x-ndjson")
        #expect(again.text == answers[second], "part \(part), \(second)")
      }
      let others = ServiceHarness.heartRates(1_000..<1_001)
      for name in ["0", "40", "\(answers.count - 1)"] {
        let refused = await harness.send("POST", path + name, token, body: others, type: "application/x-ndjson")
        #expect(refused.json?["code"]?.string == "differentBody", "part \(part), \(name)")
      }
      #expect(await Self.records(harness, id, token) == records, "part \(part)")
      await harness.service.close()
      harness = try await ServiceHarness(folder, clock: clock)
    }
    await harness.service.close()
  }

  @Test(
    "Other lines under a name that was used are refused and not taken, also after a new start and after the end",
    arguments: StoreKind.allCases)
  func otherLines(_ kind: StoreKind) async throws {
    let folder = try StorePlace(kind)
    var harness = try await ServiceHarness(folder)
    let token = try await harness.token([.send, .watch])
    let id = try await harness.begin(token)
    let path = "/v1/sessions/\(id)/samples?batch="
    let (lines, others) = (ServiceHarness.heartRates(0..<70), ServiceHarness.heartRates(70..<130))
    let first = await harness.send("POST", path + "a", token, body: lines, type: "application/x-ndjson")
    #expect(first.status == 200)
    let records = await Self.records(harness, id, token)
    @Sendable func expectRefusal(_ harness: ServiceHarness, _ when: String) async {
      let refused = await harness.send("POST", path + "a", token, body: others, type: "application/x-ndjson")
      #expect(refused.status == 409, "\(when)")
      #expect(refused.header("Content-Type") == "application/problem+json", "\(when)")
      #expect(refused.json?["code"]?.string == "differentBody", "\(when)")
      #expect(refused.json?["parameter"]?.string == "batch", "\(when)")
      let again = await harness.send("POST", path + "a", token, body: lines, type: "application/x-ndjson")
      #expect(again.text == first.text, "\(when)")
    }
    await expectRefusal(harness, "at once")
    #expect(await Self.records(harness, id, token) == records)
    await harness.service.close()
    harness = try await ServiceHarness(folder)
    await expectRefusal(harness, "after a new start")
    #expect(await Self.records(harness, id, token) == records)
    // Under a name of their own they are taken.
    let taken = await harness.send("POST", path + "b", token, body: others, type: "application/x-ndjson")
    #expect(taken.json?["accepted"]?.number?.int64 == 60)
    _ = await harness.send("POST", "/v1/sessions/\(id)/commands", token, body: #"{"id":"x","command":"stop"}"#)
    await expectRefusal(harness, "after the end")
    let late = await harness.send("POST", path + "c", token, body: others, type: "application/x-ndjson")
    #expect(late.json?["code"]?.string == "sessionEnded")
    await harness.service.close()
  }

  @Test(
    "Events of a session that is over say when to come back, and who has all of them is asked to stay away",
    arguments: StoreKind.allCases)
  func eventsOfOver(_ kind: StoreKind) async throws {
    let folder = try StorePlace(kind)
    var harness = try await ServiceHarness(folder)
    let token = try await harness.token([.send, .watch])
    let id = try await harness.begin(token)
    let path = "/v1/sessions/\(id)"
    _ = await harness.send(
      "POST", path + "/samples", token, body: ServiceHarness.heartRates(0..<130), type: "application/x-ndjson")
    _ = await harness.send("POST", path + "/commands", token, body: #"{"id":"x","command":"stop"}"#)
    let lines = [HTTPField("Accept", "application/x-ndjson")]
    let last = await harness.send("GET", path + "/events", token, headers: lines).text.split(separator: "\n").count
    try #require(last > 3)
    for memory in ["remembered", "forgotten"] {
      let all = await harness.send("GET", path + "/events", token)
      #expect(all.status == 200, "\(memory)")
      #expect(all.text.hasPrefix("retry: 2000\n\nid: 1\n"), "\(memory): \(all.text)")
      #expect(all.text.hasSuffix(": the session is over\n\n"), "\(memory)")
      let rest = await harness.send("GET", path + "/events?after=\(last - 1)", token)
      #expect(rest.text.hasPrefix("retry: 2000\n\nid: \(last)\n"), "\(memory)")
      let none = await harness.send("GET", path + "/events?after=\(last)", token)
      #expect(none.status == 204, "\(memory)")
      #expect(none.text.isEmpty, "\(memory)")
      let back = await harness.send("GET", path + "/events", token, headers: [HTTPField("Last-Event-ID", "\(last)")])
      #expect(back.status == 204, "\(memory)")
      // A browser comes back to the address that it has opened, whose number is old by then; the later of both counts.
      for (asked, header) in [(1, last), (last, 1)] {
        let both = await harness.send(
          "GET", path + "/events?after=\(asked)", token, headers: [HTTPField("Last-Event-ID", "\(header)")])
        #expect(both.status == 204, "\(memory): \(asked), \(header)")
      }
      // Who asks for lines gets none.
      let polled = await harness.send("GET", path + "/events?after=\(last)&wait=1", token, headers: lines)
      #expect(polled.status == 200, "\(memory)")
      #expect(polled.text.isEmpty, "\(memory)")
      await harness.service.close()
      harness = try await ServiceHarness(folder)
    }
    await harness.service.close()
  }

  @Test(
    "Of many bad lines the first hundred are listed with their places, and the others are counted",
    arguments: StoreKind.allCases)
  func manyBadLines(_ kind: StoreKind) async throws {
    let harness = try await ServiceHarness(StorePlace(kind))
    let token = try await harness.token([.send, .watch])
    let id = try await harness.begin(token)
    let path = "/v1/sessions/\(id)/samples?batch=a"
    let lines = ServiceHarness.heartRates(0..<5) + String(repeating: "x\n", count: 3_000)
    let first = await harness.send("POST", path, token, body: lines, type: "application/x-ndjson")
    #expect(first.json?["accepted"]?.number?.int64 == 5)
    #expect(first.json?["rejected"]?.array?.compactMap { $0["line"]?.number?.int64 } == Array(6...105))
    #expect(first.json?["moreRejected"]?.number?.int64 == 2_900)
    #expect(first.text.utf8.count < 32_768)
    let again = await harness.send("POST", path, token, body: lines, type: "application/x-ndjson")
    #expect(again.text == first.text)
    let summary = await harness.send("GET", "/v1/sessions/\(id)/summary", token)
    #expect(summary.json?["samples"]?["badLines"]?.number?.int64 == 3_000, "\(summary.text)")
    let hundred = String(repeating: "x\n", count: 100)
    let few = await harness.send(
      "POST", "/v1/sessions/\(id)/samples", token, body: hundred, type: "application/x-ndjson")
    #expect(few.json?["rejected"]?.array?.count == 100)
    #expect(few.json?["moreRejected"] == nil)
    await harness.service.close()
  }

  @Test(
    "However lines are cut into requests and whenever the service starts again, the records are those of one request")
  func cutsAndRestarts() async throws {
    let whole = ServiceHarness.heartRates(0..<600).split(separator: "\n").map { "\($0)\n" }
    var expected: [String]?
    for seed in 0..<6 {
      var random = SplitMix64(seed: UInt64(seed))
      let folder = try ScratchFolder()
      var harness = try await ServiceHarness(folder)
      let token = try await harness.token([.send, .watch])
      let id = try await harness.begin(token)
      var next = 0
      while next < whole.count {
        let count = seed == 0 ? whole.count : Int.random(in: 1...90, using: &random)
        let end = min(whole.count, next + count)
        let response = await harness.send(
          "POST", "/v1/sessions/\(id)/samples?batch=\(next)", token, body: whole[next..<end].joined(),
          type: "application/x-ndjson")
        #expect(response.status == 200, "seed \(seed)")
        let batch = next
        next = end
        if seed > 0, Int.random(in: 0..<3, using: &random) == 0 {
          // Half of the times the process is gone without having closed anything, as far as that can be made here.
          await harness.service.close()
          harness = try await ServiceHarness(folder)
          let again = await harness.send(
            "POST", "/v1/sessions/\(id)/samples?batch=\(batch)", token, body: whole[batch..<end].joined(),
            type: "application/x-ndjson")
          #expect(again.status == 200, "seed \(seed)")
        }
      }
      let records = await Self.records(harness, id, token)
      #expect(records.count > 8, "seed \(seed)")
      if let expected { #expect(records == expected, "seed \(seed)") } else { expected = records }
      let stop = await harness.send(
        "POST", "/v1/sessions/\(id)/commands", token, body: #"{"id":"x","command":"stop"}"#)
      #expect(stop.json?["accepted"]?.bool == true, "seed \(seed)")
      #expect(try await harness.service.history.session(exactly: id)?.sessionID == id, "seed \(seed)")
      #expect(try await harness.service.history.check { _ in }.isEmpty, "seed \(seed)")
      let over = await harness.send(
        "POST", "/v1/sessions/\(id)/samples", token, body: whole[0], type: "application/x-ndjson")
      #expect(over.status == 409, "seed \(seed)")
      await harness.service.close()
    }
  }

  @Test("What belongs to somebody else is not there", arguments: StoreKind.allCases)
  func others(_ kind: StoreKind) async throws {
    let harness = try await ServiceHarness(StorePlace(kind))
    let ann = try await harness.token([.send, .watch], person: "ann")
    let ben = try await harness.token([.send, .watch, .manage], person: "ben")
    let id = try await harness.begin(ann)
    let samples = ServiceHarness.heartRates(0..<2)
    let foreign = await harness.send(
      "POST", "/v1/sessions/\(id)/samples", ben, body: samples, type: "application/x-ndjson")
    let missing = await harness.send(
      "POST", "/v1/sessions/20261120T070000Z-other-00000000/samples", ben, body: samples, type: "application/x-ndjson")
    #expect(foreign.status == 404)
    #expect(foreign.text == missing.text)
    #expect(await harness.send("GET", "/v1/sessions/\(id)/events", ben).status == 404)
    #expect(await harness.send("POST", "/v1/sessions", ben, body: #"{"person":"ann"}"#).status == 404)
    await harness.service.close()
  }

  @Test("A person has three live sessions at most", arguments: StoreKind.allCases)
  func liveLimit(_ kind: StoreKind) async throws {
    let harness = try await ServiceHarness(StorePlace(kind))
    let token = try await harness.token([.send], person: "ann")
    for _ in 0..<3 { _ = try await harness.begin(token) }
    let fourth = await harness.send("POST", "/v1/sessions", token, body: ServiceHarness.order)
    #expect(fourth.status == 429)
    #expect(fourth.header("Retry-After") != nil)
    await harness.service.close()
  }

  @Test("A session to which nothing comes for half an hour ends, and one that never began leaves nothing")
  func silence() async throws {
    let clock = ManualClock(.morning(0))
    let harness = try await ServiceHarness(ScratchFolder(), clock: clock)
    let token = try await harness.token([.send, .watch])
    let empty = try await harness.begin(token)
    let running = try await harness.begin(token)
    _ = await harness.send(
      "POST", "/v1/sessions/\(running)/samples", token, body: ServiceHarness.heartRates(0..<100),
      type: "application/x-ndjson")
    clock.set(.morning(1_790))
    await harness.service.tick()
    #expect(harness.service.sessions.liveCount == 2)
    clock.set(.morning(1_810))
    await harness.service.tick()
    #expect(harness.service.sessions.liveCount == 0)
    let data = harness.service.settings.dataFolder
    #expect(!FileSystem.exists(SessionFolder.path(of: empty, in: data)))
    #expect(try await harness.service.history.session(exactly: running) != nil)
    #expect(try SessionMark.all(in: data) == [])
    await harness.service.close()
  }

  @Test("A clock that is set by an hour ends no session, and what was answered is known still")
  func clockIsSet() async throws {
    let clock = ManualClock(.morning(0))
    let harness = try await ServiceHarness(ScratchFolder(), clock: clock)
    let token = try await harness.token([.send, .watch])
    let (live, over) = (try await harness.begin(token), try await harness.begin(token))
    let samples = ServiceHarness.heartRates(0..<30)
    let last = "/v1/sessions/\(over)/samples?batch=last"
    let answer = await harness.send("POST", last, token, body: samples, type: "application/x-ndjson")
    _ = await harness.send(
      "POST", "/v1/sessions/\(over)/commands", token, body: #"{"id":"s","command":"stop"}"#)
    await harness.service.tick()
    for seconds in [3_600, -7_200] as [Int64] {
      clock.setForward(seconds: seconds)
      await harness.service.tick()
      #expect(harness.service.sessions.liveCount == 1)
      let again = await harness.send("POST", last, token, body: samples, type: "application/x-ndjson")
      #expect(again.text == answer.text)
    }
    clock.setForward(seconds: 3_600)
    clock.set(.morning(1_810))
    await harness.service.tick()
    #expect(harness.service.sessions.liveCount == 0, "\(live)")
    await harness.service.close()
  }

  @Test(
    "A request that is sent again finds its answer after the end, of the sessions that ended last, and for ten minutes")
  func remembered() async throws {
    let clock = ManualClock(.morning(0))
    let harness = try await ServiceHarness(ScratchFolder(), clock: clock) { $0.rememberedEnds = 2 }
    let token = try await harness.token([.send, .watch])
    let samples = ServiceHarness.heartRates(0..<30)
    func send(_ id: String) async -> HTTPResponse {
      await harness.send(
        "POST", "/v1/sessions/\(id)/samples?batch=last", token, body: samples, type: "application/x-ndjson")
    }
    var answers: [(id: String, text: String)] = []
    for second in 0..<3 {
      clock.set(.morning(Double(second)))
      let id = try await harness.begin(token)
      answers.append((id, await send(id).text))
      let stop = #"{"id":"s","command":"stop"}"#
      let stopped = await harness.send("POST", "/v1/sessions/\(id)/commands", token, body: stop)
      #expect(stopped.status == 200, "\(stopped.text)")
    }
    await harness.service.tick()
    #expect(harness.service.sessions.rememberedCount == 2)
    for (id, text) in answers.dropFirst() {
      let again = await send(id)
      #expect(again.text == text)
      #expect(again.status == 200)
    }
    let forgotten = await send(answers[0].id)
    #expect(forgotten.status == 409, "\(forgotten.text)")
    #expect(try await harness.service.history.session(exactly: answers[0].id) != nil)
    clock.set(.morning(620))
    await harness.service.tick()
    #expect(harness.service.sessions.rememberedCount == 0)
    await harness.service.close()
  }

  @Test("All sessions are looked at when one ended and when one may have rested for too long, and not before")
  func looks() {
    var looks = SessionLooks()
    let soon = ServiceSessions.longestSilenceOfKey
    func begins(at elapsed: Int64, ends: Int = 0) -> Bool { looks.begin(at: elapsed, ends: ends) }
    #expect(begins(at: 0))
    #expect(!begins(at: soon))
    #expect(begins(at: soon + 1))
    looks.expect(2 * soon)
    looks.expect(soon + 5)
    #expect(!begins(at: soon + 5))
    #expect(begins(at: soon + 6))
    #expect(begins(at: soon + 6, ends: 1))
    #expect(!begins(at: soon + 6, ends: 1))
    looks.hurry()
    #expect(begins(at: soon + 6, ends: 1))
    #expect(!begins(at: soon + 6, ends: 1))
  }

  @Test("Each who sends to a session has a clock of its own, and keeps it")
  func senders() async throws {
    let harness = try await ServiceHarness(ScratchFolder(), clock: ManualClock(.morning(0)))
    let token = try await harness.token([.send])
    let id = try await harness.begin(token)
    let session = try #require(harness.service.sessions.known(id))
    let names = ["a", "b", "a", "c", "b", "c", "a"]
    let sources = names.map { session.feed(of: $0, elapsed: 0).source }
    #expect(sources == [0, 1, 0, 2, 1, 2, 0])
    await harness.service.close()
  }
}
